resource "google_monitoring_notification_channel" "email" {
  for_each = toset(var.billing_account == null ? [] : var.alarm_emails)

  project      = var.project
  display_name = "Elastune budget: ${each.value}"
  type         = "email"
  labels       = { email_address = each.value }

  depends_on = [terraform_data.apis]
}

# The API of budgets accepts the credentials of a person only with user_project_override and
# billing_project in the configuration of the provider, as in the examples.
resource "google_billing_budget" "monthly" {
  count = var.billing_account == null ? 0 : 1

  billing_account = var.billing_account
  display_name    = "${var.name}-monthly"

  budget_filter {
    projects = ["projects/${data.google_project.this[0].number}"]
  }

  amount {
    specified_amount {
      units = tostring(var.monthly_budget)
    }
  }

  threshold_rules {
    threshold_percent = 0.8
  }

  threshold_rules {
    threshold_percent = 1.0
    spend_basis       = "FORECASTED_SPEND"
  }

  all_updates_rule {
    monitoring_notification_channels = [for channel in google_monitoring_notification_channel.email : channel.id]
    disable_default_iam_recipients   = true
  }

  depends_on = [terraform_data.apis]
}

# A budget names its project by the number.
data "google_project" "this" {
  count = var.billing_account == null ? 0 : 1

  project_id = var.project

  depends_on = [terraform_data.apis]
}
