resource "google_storage_bucket_object" "release" {
  count = var.release_zip == null ? 0 : 1

  bucket = google_storage_bucket.checkpoints.name
  name   = "elastune/release.zip"
  source = var.release_zip
}

resource "google_compute_instance" "controller" {
  project                   = var.project
  name                      = local.controller_name
  zone                      = var.zones[0]
  machine_type              = var.controller_type
  tags                      = [local.controller_tag]
  labels                    = local.labels
  allow_stopping_for_update = true

  boot_disk {
    auto_delete = true

    initialize_params {
      image  = "projects/debian-cloud/global/images/family/debian-12"
      size   = var.controller_disk_gb
      type   = "pd-balanced"
      labels = local.labels
    }
  }

  network_interface {
    network            = local.create ? null : local.network
    subnetwork         = local.subnetwork
    subnetwork_project = var.project

    dynamic "access_config" {
      for_each = var.public_nodes ? [1] : []
      content {}
    }
  }

  service_account {
    email  = google_service_account.controller.email
    scopes = ["cloud-platform"]
  }

  scheduling {
    automatic_restart   = true
    on_host_maintenance = "MIGRATE"
    provisioning_model  = "STANDARD"
  }

  shielded_instance_config {
    enable_secure_boot          = true
    enable_vtpm                 = true
    enable_integrity_monitoring = true
  }

  metadata = {
    enable-oslogin         = "TRUE"
    block-project-ssh-keys = "TRUE"
    serial-port-enable     = "FALSE"
    startup-script = templatefile("${path.module}/files/controller.sh", {
      clouds_yaml = local.clouds_yaml
      job_yaml    = local.job_yaml
      release     = var.release_zip == null ? "" : "gs://${google_storage_bucket.checkpoints.name}/elastune/release.zip"
      checksum    = var.release_zip == null ? "" : filesha256(var.release_zip)
    })
  }

  # A newer image must not replace a controller with runs on its disk.
  lifecycle {
    ignore_changes = [boot_disk[0].initialize_params[0].image]
  }

  depends_on = [
    google_storage_bucket_object.release,
    terraform_data.accounts,
  ]
}

resource "google_compute_resource_policy" "snapshots" {
  project = var.project
  name    = "${var.name}-snapshots"
  region  = local.region

  snapshot_schedule_policy {
    schedule {
      daily_schedule {
        days_in_cycle = 1
        start_time    = "03:00"
      }
    }

    retention_policy {
      max_retention_days    = var.snapshots_kept
      on_source_disk_delete = "APPLY_RETENTION_POLICY"
    }

    snapshot_properties {
      labels = { elastune-snapshot = var.name }
    }
  }

  depends_on = [terraform_data.apis]
}

resource "google_compute_disk_resource_policy_attachment" "snapshots" {
  project = var.project
  name    = google_compute_resource_policy.snapshots.name
  disk    = google_compute_instance.controller.name
  zone    = var.zones[0]
}
