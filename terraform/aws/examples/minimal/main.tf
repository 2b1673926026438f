# A network with two zones, the roles, the bucket, the controller, the reaper and the budget alarm.
terraform {
  required_version = ">= 1.9"
}

provider "aws" {
  region = "us-east-1"
}

module "elastune" {
  source = "../.."

  zones        = ["us-east-1a", "us-east-1b"]
  alarm_emails = [var.alarm_email]
  release_zip  = var.release_zip
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
  description = "The instance ID of the controller."
  value       = module.elastune.controller_id
}

output "bucket" {
  description = "The bucket for checkpoints."
  value       = module.elastune.bucket
}
