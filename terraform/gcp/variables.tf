variable "name" {
  description = "Prefix of the names of all resources."
  type        = string
  default     = "elastune"

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{1,18}[a-z0-9]$", var.name))
    error_message = "name must have 3 to 20 lowercase letters, digits and hyphens, and begin with a letter."
  }
}

variable "project" {
  description = "ID of the project."
  type        = string

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{4,28}[a-z0-9]$", var.project))
    error_message = "project must be the ID of a project, such as my-project."
  }
}

variable "zones" {
  description = "Zones of one region, in the order in which a run tries them. The controller is in the first one."
  type        = list(string)

  validation {
    condition = (
      length(var.zones) > 0
      && length(distinct(var.zones)) == length(var.zones)
      && length(distinct([for zone in var.zones : replace(zone, "/-[a-z]$/", "")])) == 1
      && alltrue([for zone in var.zones : can(regex("^[a-z]+(-[a-z]+)+[0-9]+-[a-z]$", zone))])
    )
    error_message = "zones must be different zones of one region, such as [\"us-central1-a\", \"us-central1-b\"]."
  }
}

variable "network_cidr" {
  description = "Address range of the subnetwork. Not used with existing_network."
  type        = string
  default     = "10.60.0.0/20"

  validation {
    condition     = can(cidrhost(var.network_cidr, 0)) && try(tonumber(split("/", var.network_cidr)[1]), 32) <= 28
    error_message = "network_cidr must be an IPv4 range of at least 16 addresses, such as 10.60.0.0/20."
  }
}

variable "public_nodes" {
  description = "true: nodes and controller have public addresses, and no rule permits connections from the internet. false: they reach the internet through Cloud NAT (about $32 per month, and $0.045 per GB). The policy compute.vmExternalIpAccess of an organization needs false."
  type        = bool
  default     = true

  validation {
    condition     = var.public_nodes != null
    error_message = "public_nodes must be true or false."
  }
}

variable "existing_network" {
  description = "An existing network: the names of the network and of its subnetwork in the region. It needs its own NAT and Private Google Access. null: the module creates a network."
  type = object({
    network    = string
    subnetwork = string
  })
  default = null

  validation {
    condition = var.existing_network == null || try(
      can(regex("^[a-z][a-z0-9-]*$", var.existing_network.network))
      && can(regex("^[a-z][a-z0-9-]*$", var.existing_network.subnetwork))
      && var.existing_network.network != "default",
      false,
    )
    error_message = "existing_network needs the names of a network and a subnetwork. The network \"default\" opens port 22 to the internet."
  }
}

variable "node_image" {
  description = "Boot image of the nodes: Linux with systemd, curl and the GPU driver. Deep Learning VM images install the driver at the first boot."
  type        = string
  default     = "projects/deeplearning-platform-release/global/images/family/common-cu128-ubuntu-2204-nvidia-570"

  validation {
    condition     = can(regex("^[a-z0-9.:_-]+(/[A-Za-z0-9.:_-]+)*$", var.node_image))
    error_message = "node_image must be an image, such as projects/PROJECT/global/images/family/FAMILY."
  }
}

variable "secure_boot" {
  description = "Whether nodes boot only signed software, as the policy compute.requireShieldedVm of an organization needs. The GPU driver of node_image must then be signed."
  type        = bool
  default     = false

  validation {
    condition     = var.secure_boot != null
    error_message = "secure_boot must be true or false."
  }
}

variable "node_disk_gb" {
  description = "Size of the boot disk of a node in GB."
  type        = number
  default     = 100

  validation {
    condition     = var.node_disk_gb >= 10 && var.node_disk_gb <= 65536 && floor(var.node_disk_gb) == var.node_disk_gb
    error_message = "node_disk_gb must be a whole number from 10 to 65536."
  }
}

variable "max_lifetime" {
  description = "Google deletes a node that has run for this time, such as 24h."
  type        = string
  default     = "24h"

  validation {
    condition     = can(regex("^[1-9][0-9]*[hd]$", var.max_lifetime))
    error_message = "max_lifetime must be a number of hours or days, such as 24h."
  }
}

variable "controller_type" {
  description = "Machine type of the controller: 2 vCPUs and 4 GB are sufficient. x86_64 only."
  type        = string
  default     = "e2-medium"

  validation {
    condition     = can(regex("^(e2|n2|n2d|n4|c3|c3d)-[a-z0-9-]+$", var.controller_type))
    error_message = "controller_type must be a machine type of e2, n2, n2d, n4, c3 or c3d."
  }
}

variable "controller_disk_gb" {
  description = "Size of the disk of the controller in GB. It contains journals and, without a bucket, checkpoints."
  type        = number
  default     = 50

  validation {
    condition     = var.controller_disk_gb >= 20 && var.controller_disk_gb <= 65536 && floor(var.controller_disk_gb) == var.controller_disk_gb
    error_message = "controller_disk_gb must be a whole number from 20 to 65536."
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

variable "users" {
  description = "Members who may open sessions on the controller, such as user:ana@example.com."
  type        = set(string)
  default     = []

  validation {
    condition     = alltrue([for member in var.users : can(regex("^(user|group|serviceAccount):[^@\\s]+@[^@\\s]+$", member))])
    error_message = "users must contain members, such as user:ana@example.com or group:ml@example.com."
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
  description = "Number of days for which the daily snapshots of the controller's disk are kept."
  type        = number
  default     = 3

  validation {
    condition     = var.snapshots_kept >= 1 && var.snapshots_kept <= 100 && floor(var.snapshots_kept) == var.snapshots_kept
    error_message = "snapshots_kept must be a whole number from 1 to 100."
  }
}

variable "reaper_image" {
  description = "Public container image with Python 3.9 or newer that runs the reaper. Cloud Run copies it once, so it must be in Docker Hub or an Artifact Registry."
  type        = string
  default     = "docker.io/library/python:3.12-slim"

  validation {
    condition     = can(regex("^[a-z0-9.-]+/[a-z0-9./_-]+(:[A-Za-z0-9._-]+)?(@sha256:[0-9a-f]{64})?$", var.reaper_image))
    error_message = "reaper_image must be an image with its registry, such as docker.io/library/python:3.12-slim."
  }
}

variable "reaper_margin_minutes" {
  description = "The reaper deletes an instance this number of minutes after its expiry. Before, the dead-man timer of the node acts."
  type        = number
  default     = 10

  validation {
    condition     = var.reaper_margin_minutes >= 5 && var.reaper_margin_minutes <= 1440 && floor(var.reaper_margin_minutes) == var.reaper_margin_minutes
    error_message = "reaper_margin_minutes must be a whole number from 5 to 1440."
  }
}

variable "billing_account" {
  description = "Billing account for the budget alarm, such as 012345-6789AB-CDEF01. null: no alarm, for callers without access to it."
  type        = string
  default     = null

  validation {
    condition     = var.billing_account == null || can(regex("^[0-9A-F]{6}-[0-9A-F]{6}-[0-9A-F]{6}$", var.billing_account))
    error_message = "billing_account must be an ID, such as 012345-6789AB-CDEF01."
  }
}

variable "monthly_budget" {
  description = "Monthly cost of the project, in the currency of the billing account, at which Google sends an email: at 80 % of it, and if the forecast exceeds it. It stops nothing."
  type        = number
  default     = 1000

  validation {
    condition     = var.monthly_budget >= 1 && floor(var.monthly_budget) == var.monthly_budget
    error_message = "monthly_budget must be a whole number of at least 1."
  }
}

variable "alarm_emails" {
  description = "Addresses that receive the budget alarm, at most five."
  type        = list(string)

  validation {
    condition = (
      length(var.alarm_emails) >= 1 && length(var.alarm_emails) <= 5
      && alltrue([for email in var.alarm_emails : can(regex("^[^@\\s]+@[^@\\s]+$", email))])
    )
    error_message = "alarm_emails must contain one to five email addresses."
  }
}

variable "labels" {
  description = "Further labels of all resources."
  type        = map(string)
  default     = {}

  validation {
    condition     = alltrue([for key in keys(var.labels) : !startswith(key, "elastune-")])
    error_message = "labels must not begin with elastune-, which is reserved."
  }
}
