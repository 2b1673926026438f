# Google encrypts all objects.
resource "google_storage_bucket" "checkpoints" {
  project                     = var.project
  name                        = "${var.name}-${var.project}-${local.region}"
  location                    = local.region
  uniform_bucket_level_access = true
  public_access_prevention    = "enforced"
  force_destroy               = var.delete_checkpoints
  labels                      = local.labels

  lifecycle_rule {
    condition {
      age = var.checkpoint_days
    }

    action {
      type = "Delete"
    }
  }

  lifecycle_rule {
    condition {
      age = 1
    }

    action {
      type = "AbortIncompleteMultipartUpload"
    }
  }

  # Deleted objects are deleted at once.
  soft_delete_policy {
    retention_duration_seconds = 0
  }

  depends_on = [terraform_data.apis]
}

resource "google_project_iam_custom_role" "checkpoints" {
  project     = var.project
  role_id     = "${replace(var.name, "-", "_")}_checkpoints"
  title       = "Elastune checkpoints"
  description = "Checkpoints of runs, granted on their bucket alone"
  permissions = yamldecode(file("${path.module}/policies/checkpoints.yaml")).includedPermissions

  depends_on = [terraform_data.apis]
}

resource "google_storage_bucket_iam_member" "controller" {
  bucket = google_storage_bucket.checkpoints.name
  role   = google_project_iam_custom_role.checkpoints.id
  member = google_service_account.controller.member
}
