locals {
  region     = replace(var.zones[0], "/-[a-z]$/", "")
  labels     = merge(var.labels, { elastune-module = var.name })
  create     = var.existing_network == null
  network    = local.create ? google_compute_network.this[0].name : var.existing_network.network
  subnetwork = local.create ? google_compute_subnetwork.nodes[0].name : var.existing_network.subnetwork

  # Firewall rules refer to these tags.
  node_tag       = "${var.name}-node"
  controller_tag = "${var.name}-controller"
}

resource "google_project_service" "apis" {
  for_each = toset([
    "billingbudgets.googleapis.com",
    "cloudbuild.googleapis.com",
    "cloudfunctions.googleapis.com",
    "cloudquotas.googleapis.com",
    "cloudresourcemanager.googleapis.com",
    "cloudscheduler.googleapis.com",
    "compute.googleapis.com",
    "iam.googleapis.com",
    "iap.googleapis.com",
    "monitoring.googleapis.com",
    "oslogin.googleapis.com",
    "run.googleapis.com",
  ])

  project            = var.project
  service            = each.value
  disable_on_destroy = false
}
