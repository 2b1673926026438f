variable "name" {
  description = "Prefix of the names of all resources. Roles are account-wide: use another prefix for each copy of the module."
  type        = string
  default     = "elastune"

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{1,20}$", var.name))
    error_message = "name must have 2 to 21 lowercase letters, digits and hyphens, and begin with a letter."
  }
}

variable "zones" {
  description = "Availability zones, in the order in which a run tries them. The controller is in the first one."
  type        = list(string)

  validation {
    condition = (
      length(var.zones) > 0
      && length(distinct(var.zones)) == length(var.zones)
      && length(distinct([for zone in var.zones : replace(zone, "/[a-z]$/", "")])) == 1
      && alltrue([for zone in var.zones : can(regex("^[a-z]{2}(-[a-z]+)+-[0-9][a-z]$", zone))])
    )
    error_message = "zones must be different zones of one region, such as [\"us-east-1a\", \"us-east-1b\"]."
  }
}

variable "network_cidr" {
  description = "Address range of the network. It is divided into 16 subnets. Not used with existing_network."
  type        = string
  default     = "10.60.0.0/16"

  validation {
    condition     = can(cidrsubnet(var.network_cidr, 4, 15)) && try(tonumber(split("/", var.network_cidr)[1]), 32) <= 24
    error_message = "network_cidr must be an IPv4 range of at least 256 addresses, such as 10.60.0.0/16."
  }
}

variable "public_nodes" {
  description = "true: nodes and controller have public addresses, and no rule permits inbound connections. false: they are in private subnets, and reach the internet through a NAT gateway (about $33 per month, and $0.045 per GB)."
  type        = bool
  default     = true

  validation {
    condition     = var.public_nodes != null
    error_message = "public_nodes must be true or false."
  }
}

variable "existing_network" {
  description = "An existing network: its ID, a subnet for each of the zones, and the route tables for the S3 gateway endpoint (empty if there is one). null: the module creates a network."
  type = object({
    vpc_id          = string
    subnets         = map(string)
    route_table_ids = optional(list(string), [])
  })
  default = null

  validation {
    condition = var.existing_network == null || try(
      can(regex("^vpc-[0-9a-f]+$", var.existing_network.vpc_id))
      && alltrue([for id in values(var.existing_network.subnets) : can(regex("^subnet-[0-9a-f]+$", id))])
      && toset(keys(var.existing_network.subnets)) == toset(var.zones),
      false,
    )
    error_message = "existing_network needs a vpc_id, and in subnets one subnet for each of the zones."
  }
}

variable "node_image" {
  description = "AMI of the nodes: Linux with systemd, cloud-init, curl and the GPU driver. null: the AWS Deep Learning AMI that is current when Terraform runs."
  type        = string
  default     = null

  validation {
    condition     = var.node_image == null || can(regex("^ami-[0-9a-f]+$", var.node_image))
    error_message = "node_image must be the ID of an AMI, such as ami-0123456789abcdef0."
  }
}

variable "node_image_parameter" {
  description = "SSM parameter with the default AMI of the nodes. Not used with node_image."
  type        = string
  default     = "/aws/service/deeplearning/ami/x86_64/base-oss-nvidia-driver-gpu-ubuntu-22.04/latest/ami-id"

  validation {
    condition     = startswith(var.node_image_parameter, "/")
    error_message = "node_image_parameter must be the path of an SSM parameter."
  }
}

variable "node_disk_gb" {
  description = "Size of the encrypted root disk of a node in GB."
  type        = number
  default     = 100

  validation {
    condition     = var.node_disk_gb >= 1 && var.node_disk_gb <= 16384 && floor(var.node_disk_gb) == var.node_disk_gb
    error_message = "node_disk_gb must be a whole number from 1 to 16384."
  }
}

variable "node_root_device" {
  description = "Root device of the AMI of the nodes: /dev/sda1 for Ubuntu, /dev/xvda for Amazon Linux."
  type        = string
  default     = "/dev/sda1"

  validation {
    condition     = can(regex("^/dev/[a-z0-9/]+$", var.node_root_device))
    error_message = "node_root_device must be a device, such as /dev/sda1."
  }
}

variable "node_policy_arns" {
  description = "Policies for the role of the nodes, such as read access to a data set. Elastune itself needs none."
  type        = set(string)
  default     = []

  validation {
    condition     = alltrue([for arn in var.node_policy_arns : can(regex("^arn:aws[a-z-]*:iam::[0-9a-z]*:policy/", arn))])
    error_message = "node_policy_arns must contain ARNs of IAM policies."
  }
}

variable "max_lifetime" {
  description = "A node shuts down after this time in any case, such as 24h."
  type        = string
  default     = "24h"

  validation {
    condition     = can(regex("^[1-9][0-9]*[hd]$", var.max_lifetime))
    error_message = "max_lifetime must be a number of hours or days, such as 24h."
  }
}

variable "controller_type" {
  description = "Instance type of the controller: 2 vCPUs and 4 GB are sufficient. x86_64 only."
  type        = string
  default     = "t3.medium"

  validation {
    condition     = can(regex("^(t3a?|m[5-7][ai]?|c[5-7][ai]?)\\.[a-z0-9]+$", var.controller_type))
    error_message = "controller_type must be a t3, t3a, m5 to m7i or c5 to c7i instance type."
  }
}

variable "controller_disk_gb" {
  description = "Size of the encrypted disk of the controller in GB. It contains journals and, without a bucket, checkpoints."
  type        = number
  default     = 50

  validation {
    condition     = var.controller_disk_gb >= 20 && var.controller_disk_gb <= 16384 && floor(var.controller_disk_gb) == var.controller_disk_gb
    error_message = "controller_disk_gb must be a whole number from 20 to 16384."
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

variable "checkpoint_days" {
  description = "Objects in the bucket are deleted this number of days after they were written."
  type        = number
  default     = 30

  validation {
    condition     = var.checkpoint_days >= 1 && floor(var.checkpoint_days) == var.checkpoint_days
    error_message = "checkpoint_days must be a whole number of at least 1."
  }
}

variable "delete_checkpoints" {
  description = "Whether destroy deletes the bucket even if it contains checkpoints. false: destroy fails instead."
  type        = bool
  default     = true

  validation {
    condition     = var.delete_checkpoints != null
    error_message = "delete_checkpoints must be true or false."
  }
}

variable "snapshots_kept" {
  description = "Number of daily snapshots of the controller's disk that are kept."
  type        = number
  default     = 3

  validation {
    condition     = var.snapshots_kept >= 1 && var.snapshots_kept <= 100 && floor(var.snapshots_kept) == var.snapshots_kept
    error_message = "snapshots_kept must be a whole number from 1 to 100."
  }
}

variable "reaper_margin_minutes" {
  description = "The reaper terminates an instance this number of minutes after its expiry. Before, the dead-man timer of the node acts."
  type        = number
  default     = 10

  validation {
    condition     = var.reaper_margin_minutes >= 5 && var.reaper_margin_minutes <= 1440 && floor(var.reaper_margin_minutes) == var.reaper_margin_minutes
    error_message = "reaper_margin_minutes must be a whole number from 5 to 1440."
  }
}

variable "monthly_budget_usd" {
  description = "Monthly cost of the account in USD at which AWS sends an email: at 80 % of it, and if the forecast exceeds it. It stops nothing."
  type        = number
  default     = 1000

  validation {
    condition     = var.monthly_budget_usd > 0
    error_message = "monthly_budget_usd must be above 0."
  }
}

variable "alarm_emails" {
  description = "Addresses that receive the budget alarm, at most ten."
  type        = list(string)

  validation {
    condition = (
      length(var.alarm_emails) >= 1 && length(var.alarm_emails) <= 10
      && alltrue([for email in var.alarm_emails : can(regex("^[^@\\s]+@[^@\\s]+$", email))])
    )
    error_message = "alarm_emails must contain one to ten email addresses."
  }
}

variable "tags" {
  description = "Further tags of all resources."
  type        = map(string)
  default     = {}

  validation {
    condition     = alltrue([for key in keys(var.tags) : !startswith(key, "elastune-") && !startswith(key, "aws:")])
    error_message = "tags must not begin with elastune- or aws:, which are reserved."
  }
}
