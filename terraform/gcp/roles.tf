locals {
  # The roles of docs/gcp.md. A test compares them, and the condition.
  run_permissions      = yamldecode(file("${path.module}/policies/run.yaml")).includedPermissions
  instance_permissions = yamldecode(file("${path.module}/policies/instances.yaml")).includedPermissions
  only_nodes           = "resource.name.extract(\"/instances/{name}\").startsWith(\"elastune-\")"

  # Granted on the service account of the nodes alone.
  act_as = "iam.serviceAccounts.actAs"
}

# Nodes need no permissions: the controller gives them signed addresses for their checkpoints.
resource "google_service_account" "node" {
  project      = var.project
  account_id   = "${var.name}-node"
  display_name = "Elastune nodes"

  depends_on = [terraform_data.apis]
}

resource "google_service_account" "controller" {
  project      = var.project
  account_id   = "${var.name}-control"
  display_name = "The Elastune controller"

  depends_on = [terraform_data.apis]
}

resource "google_project_iam_custom_role" "run" {
  project     = var.project
  role_id     = "${replace(var.name, "-", "_")}_run"
  title       = "Elastune"
  description = "Runs of Elastune, except for changes of instances"
  permissions = setsubtract(local.run_permissions, [local.act_as])

  depends_on = [terraform_data.apis]
}

resource "google_project_iam_custom_role" "instances" {
  project     = var.project
  role_id     = "${replace(var.name, "-", "_")}_instances"
  title       = "Elastune instances"
  description = "Creation, changes and deletion of instances of runs"
  permissions = local.instance_permissions

  depends_on = [terraform_data.apis]
}

resource "google_project_iam_member" "run" {
  project = var.project
  role    = google_project_iam_custom_role.run.id
  member  = google_service_account.controller.member
}

resource "google_project_iam_member" "instances" {
  project = var.project
  role    = google_project_iam_custom_role.instances.id
  member  = google_service_account.controller.member

  condition {
    title      = "elastune"
    expression = local.only_nodes
  }
}

resource "google_service_account_iam_member" "node" {
  service_account_id = google_service_account.node.name
  role               = "roles/iam.serviceAccountUser"
  member             = google_service_account.controller.member
}

# The controller signs addresses of objects with its own account.
resource "google_service_account_iam_member" "sign" {
  service_account_id = google_service_account.controller.name
  role               = "roles/iam.serviceAccountTokenCreator"
  member             = google_service_account.controller.member
}

# The people who may open sessions on the controller.
resource "google_iap_tunnel_instance_iam_member" "users" {
  for_each = var.users

  project  = var.project
  zone     = var.zones[0]
  instance = google_compute_instance.controller.name
  role     = "roles/iap.tunnelResourceAccessor"
  member   = each.value
}

resource "google_compute_instance_iam_member" "users" {
  for_each = var.users

  project       = var.project
  zone          = var.zones[0]
  instance_name = google_compute_instance.controller.name
  role          = "roles/compute.osLogin"
  member        = each.value
}

resource "google_service_account_iam_member" "users" {
  for_each = var.users

  service_account_id = google_service_account.controller.name
  role               = "roles/iam.serviceAccountUser"
  member             = each.value
}
