data "aws_caller_identity" "current" {}

data "aws_partition" "current" {}

locals {
  region    = replace(var.zones[0], "/[a-z]$/", "")
  account   = data.aws_caller_identity.current.account_id
  partition = data.aws_partition.current.partition
  tags      = merge(var.tags, { elastune-module = var.name })
}
