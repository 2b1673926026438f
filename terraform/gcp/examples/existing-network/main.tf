# Uses a subnetwork of an existing network, which has its own Cloud NAT.
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

  project          = var.project
  zones            = ["europe-west4-a", "europe-west4-b"]
  public_nodes     = false
  existing_network = { network = var.network, subnetwork = var.subnetwork }
  monthly_budget   = 5000
  alarm_emails     = [var.alarm_email]
  release_zip      = var.release_zip
}

variable "project" {
  description = "ID of the project."
  type        = string

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{4,28}[a-z0-9]$", var.project))
    error_message = "project must be the ID of a project, such as my-project."
  }
}

variable "network" {
  description = "The name of the network."
  type        = string

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]*$", var.network))
    error_message = "network must be the name of a network."
  }
}

variable "subnetwork" {
  description = "The name of its subnetwork in the region."
  type        = string

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]*$", var.subnetwork))
    error_message = "subnetwork must be the name of a subnetwork."
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
