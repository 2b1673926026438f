# Deletes instances whose expiry has passed, in case neither their controller nor their own
# dead-man timer did.
data "archive_file" "reaper" {
  type        = "zip"
  source_file = "${path.module}/reaper/main.py"
  output_path = "${path.root}/.terraform/elastune-reaper.zip"
}

resource "google_storage_bucket" "reaper" {
  project                     = var.project
  name                        = "${var.name}-${var.project}-reaper"
  location                    = local.region
  uniform_bucket_level_access = true
  public_access_prevention    = "enforced"
  force_destroy               = true
  labels                      = local.labels
}

resource "google_storage_bucket_object" "reaper" {
  bucket = google_storage_bucket.reaper.name
  name   = "reaper-${data.archive_file.reaper.output_md5}.zip"
  source = data.archive_file.reaper.output_path
}

resource "google_service_account" "reaper" {
  project      = var.project
  account_id   = "${var.name}-reaper"
  display_name = "Deletes expired Elastune instances"

  depends_on = [google_project_service.apis]
}

locals {
  reaper_permissions = yamldecode(file("${path.module}/policies/reaper.yaml")).includedPermissions
  delete             = "compute.instances.delete"
}

resource "google_project_iam_custom_role" "reaper" {
  project     = var.project
  role_id     = "${replace(var.name, "-", "_")}_reaper"
  title       = "Elastune reaper"
  description = "Lists instances"
  permissions = setsubtract(local.reaper_permissions, [local.delete])
}

resource "google_project_iam_custom_role" "reaper_delete" {
  project     = var.project
  role_id     = "${replace(var.name, "-", "_")}_reaper_delete"
  title       = "Elastune reaper: deletion"
  description = "Deletes expired instances"
  permissions = [local.delete]
}

resource "google_project_iam_member" "reaper" {
  project = var.project
  role    = google_project_iam_custom_role.reaper.id
  member  = google_service_account.reaper.member
}

resource "google_project_iam_member" "reaper_delete" {
  project = var.project
  role    = google_project_iam_custom_role.reaper_delete.id
  member  = google_service_account.reaper.member

  condition {
    title      = "elastune"
    expression = local.only_nodes
  }
}

resource "google_cloudfunctions2_function" "reaper" {
  project     = var.project
  name        = "${var.name}-reaper"
  location    = local.region
  description = "Deletes expired Elastune instances"
  labels      = local.labels

  build_config {
    runtime     = "python312"
    entry_point = "handler"

    source {
      storage_source {
        bucket = google_storage_bucket.reaper.name
        object = google_storage_bucket_object.reaper.name
      }
    }
  }

  service_config {
    available_memory      = "256M"
    timeout_seconds       = 60
    max_instance_count    = 1
    ingress_settings      = "ALLOW_ALL"
    service_account_email = google_service_account.reaper.email

    environment_variables = {
      MARGIN_MINUTES = tostring(var.reaper_margin_minutes)
      PROJECT        = var.project
    }
  }

  depends_on = [google_project_service.apis]
}

# Only the schedule may call the function.
resource "google_cloud_run_service_iam_member" "reaper" {
  project  = var.project
  location = local.region
  service  = google_cloudfunctions2_function.reaper.name
  role     = "roles/run.invoker"
  member   = google_service_account.reaper.member
}

resource "google_cloud_scheduler_job" "reaper" {
  project          = var.project
  name             = "${var.name}-reaper"
  region           = local.region
  description      = "Starts the Elastune reaper"
  schedule         = "*/5 * * * *"
  attempt_deadline = "120s"

  http_target {
    http_method = "POST"
    uri         = google_cloudfunctions2_function.reaper.service_config[0].uri

    oidc_token {
      service_account_email = google_service_account.reaper.email
    }
  }
}
