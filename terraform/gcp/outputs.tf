locals {
  clouds_yaml = templatefile("${path.module}/files/clouds.yaml", {
    project         = var.project
    region          = local.region
    image           = var.node_image
    zones           = var.zones
    subnetwork      = local.subnetwork
    network_tags    = [local.node_tag]
    service_account = google_service_account.node.email
    disk_gb         = var.node_disk_gb
    secure_boot     = var.secure_boot
    public_address  = var.public_nodes
    bucket          = google_storage_bucket.checkpoints.name
    max_lifetime    = var.max_lifetime
  })

  checkpoint_store = "gs://${google_storage_bucket.checkpoints.name}/checkpoints"

  # The example of the quick start.
  job_yaml = templatefile("${path.module}/files/job.yaml", {
    region = local.region
    store  = local.checkpoint_store
  })
}

output "checkpoint_store" {
  description = "The field trial.checkpoint.store of jobs whose checkpoints are stored in the bucket."
  value       = local.checkpoint_store
}

output "clouds_yaml" {
  description = "The settings for Elastune: terraform output -raw clouds_yaml > ~/.elastune/clouds.yaml"
  value       = local.clouds_yaml
}

output "region" {
  description = "The region of all resources."
  value       = local.region
}

output "bucket" {
  description = "The bucket for checkpoints."
  value       = google_storage_bucket.checkpoints.name
}

output "controller_id" {
  description = "The name of the controller instance."
  value       = google_compute_instance.controller.name
}

output "controller_session" {
  description = "The command that opens a session on the controller."
  value       = "gcloud compute ssh ${google_compute_instance.controller.name} --project ${var.project} --zone ${var.zones[0]} --tunnel-through-iap"
}

output "controller_account" {
  description = "The service account with which a run may use the project."
  value       = google_service_account.controller.email
}

output "node_account" {
  description = "The service account of the nodes."
  value       = google_service_account.node.email
}

output "subnetwork" {
  description = "The subnetwork of nodes and controller."
  value       = local.subnetwork
}

output "reaper_service" {
  description = "The Cloud Run service that deletes expired instances."
  value       = google_cloud_run_v2_service.reaper.name
}
