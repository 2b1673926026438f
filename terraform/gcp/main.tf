locals {
  region     = replace(var.zones[0], "/-[a-z]$/", "")
  labels     = merge(var.labels, { elastune-module = var.name })
  create     = var.existing_network == null
  network    = local.create ? google_compute_network.this[0].name : var.existing_network.network
  subnetwork = local.create ? google_compute_subnetwork.nodes[0].name : var.existing_network.subnetwork

  # Firewall rules refer to these tags.
  node_tag       = "${var.name}-node"
  controller_tag = "${var.name}-controller"

  # Not with the prefix of the nodes, whose metadata the controller's own role may change: a user of the
  # controller could otherwise add a key of root to it.
  controller_name = "controller-${var.name}"
}

resource "google_project_service" "apis" {
  for_each = toset([
    "billingbudgets.googleapis.com",
    "cloudquotas.googleapis.com",
    "cloudresourcemanager.googleapis.com",
    "cloudscheduler.googleapis.com",
    "compute.googleapis.com",
    "iam.googleapis.com",
    "iap.googleapis.com",
    "monitoring.googleapis.com",
    "oslogin.googleapis.com",
    "run.googleapis.com",
    "serviceusage.googleapis.com",
    "storage.googleapis.com",
  ])

  project            = var.project
  service            = each.value
  disable_on_destroy = false
}

# Google accepts calls of an API some time after it was enabled.
resource "terraform_data" "apis" {
  triggers_replace = sort([for service in google_project_service.apis : service.service])

  provisioner "local-exec" {
    command = "sh '${abspath("${path.module}/files/ready.sh")}' '${var.project}' '${local.region}' '${coalesce(var.billing_account, "-")}'"
  }
}

# Google states that a new service account can be used after 60 seconds.
resource "terraform_data" "accounts" {
  triggers_replace = [
    google_service_account.controller.email,
    google_service_account.node.email,
    google_service_account.reaper.email,
  ]

  provisioner "local-exec" {
    command = "sleep 60"
  }

  depends_on = [
    google_project_iam_member.instances,
    google_project_iam_member.reaper,
    google_project_iam_member.reaper_delete,
    google_project_iam_member.run,
    google_service_account_iam_member.node,
    google_service_account_iam_member.sign,
    google_storage_bucket_iam_member.controller,
  ]
}
