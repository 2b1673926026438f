# A network, the service accounts, the bucket, the controller, the reaper and the budget alarm.
terraform {
  required_version = ">= 1.9"
}

# The API of budgets needs the last two for the credentials of a person.
provider "google" {
  project               = var.project
  billing_project       = var.project
  user_project_override = true
}

module "elastune" {
  source = "../.."

  project         = var.project
  zones           = ["us-central1-a", "us-central1-b"]
  billing_account = var.billing_account
  alarm_emails    = [var.alarm_email]
  users           = length(var.users) > 0 ? var.users : ["user:${var.alarm_email}"]
  release_zip     = var.release_zip
}

variable "project" {
  description = "ID of the project."
  type        = string

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{4,28}[a-z0-9]$", var.project))
    error_message = "project must be the ID of a project, such as my-project."
  }
}

variable "billing_account" {
  description = "Billing account for the budget alarm. null: no alarm."
  type        = string
  default     = null

  validation {
    condition     = var.billing_account == null || can(regex("^[0-9A-F]{6}-[0-9A-F]{6}-[0-9A-F]{6}$", var.billing_account))
    error_message = "billing_account must be an ID, such as 012345-6789AB-CDEF01."
  }
}

variable "alarm_email" {
  description = "Receives the budget alarm."
  type        = string

  validation {
    condition     = can(regex("^[^@\\s]+@[^@\\s]+$", var.alarm_email))
    error_message = "alarm_email must be an email address."
  }
}

variable "users" {
  description = "Members who may open sessions on the controller. None: the address of the alarm."
  type        = set(string)
  default     = []

  validation {
    condition     = alltrue([for member in var.users : can(regex(":", member))])
    error_message = "users must contain members, such as user:ana@example.com."
  }
}

variable "release_zip" {
  description = "Path of the release zip of Elastune, which the controller installs at its first boot. null: installs nothing."
  type        = string
  default     = null

  validation {
    condition     = var.release_zip == null || try(fileexists(var.release_zip), false)
    error_message = "release_zip must be an existing file: the release zip of docs/install.md"
  }
}

output "clouds_yaml" {
  description = "The settings for Elastune: terraform output -raw clouds_yaml > ~/.elastune/clouds.yaml"
  value       = module.elastune.clouds_yaml
}

output "controller_session" {
  description = "The command that opens a session on the controller."
  value       = module.elastune.controller_session
}

output "controller_id" {
  description = "The name of the controller instance."
  value       = module.elastune.controller_id
}

output "bucket" {
  description = "The bucket for checkpoints."
  value       = module.elastune.bucket
}
