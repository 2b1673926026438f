# Uses the private subnets of an existing network, which has its own NAT and S3 endpoint.
terraform {
  required_version = ">= 1.9"
}

provider "aws" {
  region = "us-east-1"
}

module "elastune" {
  source = "../.."

  zones              = keys(var.subnets)
  public_nodes       = false
  existing_network   = { vpc_id = var.vpc_id, subnets = var.subnets }
  monthly_budget_usd = 5000
  alarm_emails       = [var.alarm_email]
  release_zip        = var.release_zip
}

variable "vpc_id" {
  description = "The ID of the network."
  type        = string

  validation {
    condition     = can(regex("^vpc-[0-9a-f]+$", var.vpc_id))
    error_message = "vpc_id must be the ID of a network, such as vpc-0123456789abcdef0."
  }
}

variable "subnets" {
  description = "A private subnet for each zone, such as {us-east-1a = \"subnet-0a\"}."
  type        = map(string)

  validation {
    condition     = length(var.subnets) > 0
    error_message = "subnets must contain at least one subnet."
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
  description = "The instance ID of the controller."
  value       = module.elastune.controller_id
}

output "bucket" {
  description = "The bucket for checkpoints."
  value       = module.elastune.bucket
}
