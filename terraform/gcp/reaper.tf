# Deletes instances whose expiry has passed, in case neither their controller nor their own
# dead-man timer did.
resource "google_service_account" "reaper" {
  project      = var.project
  account_id   = "${var.name}-reaper"
  display_name = "Deletes expired Elastune instances"

  depends_on = [terraform_data.apis]
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

  depends_on = [terraform_data.apis]
}

resource "google_project_iam_custom_role" "reaper_delete" {
  project     = var.project
  role_id     = "${replace(var.name, "-", "_")}_reaper_delete"
  title       = "Elastune reaper: deletion"
  description = "Deletes expired instances"
  permissions = [local.delete]

  depends_on = [terraform_data.apis]
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

# The code is an argument of a public image, so nothing is built.
resource "google_cloud_run_v2_service" "reaper" {
  project             = var.project
  name                = "${var.name}-reaper"
  location            = local.region
  description         = "Deletes expired Elastune instances"
  ingress             = "INGRESS_TRAFFIC_INTERNAL_ONLY" # includes Cloud Scheduler of this project
  deletion_protection = false
  labels              = local.labels

  template {
    service_account                  = google_service_account.reaper.email
    timeout                          = "60s"
    max_instance_request_concurrency = 1

    scaling {
      max_instance_count = 1
    }

    containers {
      image   = var.reaper_image
      command = ["python3"]
      args    = ["-c", file("${path.module}/reaper/main.py")]

      env {
        name  = "MARGIN_MINUTES"
        value = tostring(var.reaper_margin_minutes)
      }

      env {
        name  = "PROJECT"
        value = var.project
      }
    }
  }

  depends_on = [terraform_data.accounts]
}

# Only the schedule may call the service.
resource "google_cloud_run_v2_service_iam_member" "reaper" {
  project  = var.project
  location = local.region
  name     = google_cloud_run_v2_service.reaper.name
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
    uri         = google_cloud_run_v2_service.reaper.uri

    oidc_token {
      service_account_email = google_service_account.reaper.email
      audience              = google_cloud_run_v2_service.reaper.uri
    }
  }

  depends_on = [google_cloud_run_v2_service_iam_member.reaper]
}
