# Is destroyed first, because it depends on every other resource. Its script fails while Elastune
# instances exist, which ends the destroy before anything is deleted. A test checks the list.
resource "terraform_data" "guard" {
  input = {
    region  = local.region
    name    = var.name
    profile = aws_iam_instance_profile.node.arn
    script  = abspath("${path.module}/files/guard.sh")
  }

  depends_on = [
    aws_budgets_budget.monthly,
    aws_cloudwatch_event_rule.reaper,
    aws_cloudwatch_event_target.reaper,
    aws_cloudwatch_log_group.reaper,
    aws_cloudwatch_metric_alarm.controller,
    aws_default_security_group.unused,
    aws_dlm_lifecycle_policy.controller,
    aws_eip.nat,
    aws_iam_instance_profile.controller,
    aws_iam_instance_profile.node,
    aws_iam_role.controller,
    aws_iam_role.node,
    aws_iam_role.reaper,
    aws_iam_role.snapshots,
    aws_iam_role.user,
    aws_iam_role_policy.checkpoints,
    aws_iam_role_policy.reaper,
    aws_iam_role_policy.run,
    aws_iam_role_policy.snapshots,
    aws_iam_role_policy.user,
    aws_iam_role_policy_attachment.node,
    aws_iam_role_policy_attachment.session,
    aws_instance.controller,
    aws_internet_gateway.this,
    aws_lambda_function.reaper,
    aws_lambda_permission.reaper,
    aws_launch_template.node,
    aws_nat_gateway.this,
    aws_route.nat,
    aws_route.nodes,
    aws_route_table.nat,
    aws_route_table.nodes,
    aws_route_table_association.nat,
    aws_route_table_association.nodes,
    aws_s3_bucket.checkpoints,
    aws_s3_bucket_lifecycle_configuration.checkpoints,
    aws_s3_bucket_ownership_controls.checkpoints,
    aws_s3_bucket_policy.checkpoints,
    aws_s3_bucket_public_access_block.checkpoints,
    aws_s3_bucket_server_side_encryption_configuration.checkpoints,
    aws_s3_object.release,
    aws_security_group.nodes,
    aws_subnet.nat,
    aws_subnet.nodes,
    aws_vpc.this,
    aws_vpc_endpoint.s3,
    aws_vpc_security_group_egress_rule.internet,
    aws_vpc_security_group_ingress_rule.self,
  ]

  provisioner "local-exec" {
    when    = destroy
    command = "sh '${self.input.script}' '${self.input.region}' '${self.input.name}' '${self.input.profile}'"
  }
}
