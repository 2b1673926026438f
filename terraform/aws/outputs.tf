locals {
  # Lists the subnets in the order of the zones: keys of a map would be sorted.
  clouds_yaml = templatefile("${path.module}/files/clouds.yaml", {
    region           = local.region
    launch_template  = aws_launch_template.node.id
    subnets          = [for zone in var.zones : "${zone}: ${local.subnets[zone]}"]
    security_groups  = [aws_security_group.nodes.id]
    public_address   = var.public_nodes
    instance_profile = aws_iam_instance_profile.node.name
    bucket           = aws_s3_bucket.checkpoints.id
    max_lifetime     = var.max_lifetime
  })

  checkpoint_store = "s3://${aws_s3_bucket.checkpoints.id}/checkpoints"

  # The example of the quick start.
  job_yaml = templatefile("${path.module}/files/job.yaml", {
    region = local.region
    store  = local.checkpoint_store
  })
}

output "checkpoint_store" {
  description = "The field trial.checkpoint.store of jobs whose checkpoints are stored in the bucket."
  value       = local.checkpoint_store
}

output "clouds_yaml" {
  description = "The settings for Elastune: terraform output -raw clouds_yaml > ~/.elastune/clouds.yaml"
  value       = local.clouds_yaml
}

output "region" {
  description = "The region of all resources."
  value       = local.region
}

output "bucket" {
  description = "The bucket for checkpoints."
  value       = aws_s3_bucket.checkpoints.id
}

output "controller_id" {
  description = "The instance ID of the controller."
  value       = aws_instance.controller.id
}

output "controller_session" {
  description = "The command that opens a session on the controller."
  value       = "aws ssm start-session --region ${local.region} --target ${aws_instance.controller.id}"
}

output "controller_role_arn" {
  description = "The role with which a run may use the account."
  value       = aws_iam_role.controller.arn
}

output "node_role_arn" {
  description = "The role of the nodes."
  value       = aws_iam_role.node.arn
}

output "user_role_arn" {
  description = "The role with which people open sessions on the controller."
  value       = aws_iam_role.user.arn
}

output "subnets" {
  description = "The subnet of each zone."
  value       = local.subnets
}

output "security_group_id" {
  description = "The security group of nodes and controller."
  value       = aws_security_group.nodes.id
}

output "reaper_function" {
  description = "The function that terminates expired instances."
  value       = aws_lambda_function.reaper.function_name
}
