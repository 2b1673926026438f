data "aws_ssm_parameter" "node_image" {
  count = var.node_image == null ? 1 : 0

  name = var.node_image_parameter
}

# Each launch adds the network, the tags and the role.
resource "aws_launch_template" "node" {
  name                                 = "${var.name}-node"
  description                          = "Elastune nodes"
  image_id                             = var.node_image == null ? nonsensitive(data.aws_ssm_parameter.node_image[0].value) : var.node_image
  instance_initiated_shutdown_behavior = "terminate"
  update_default_version               = true
  tags                                 = local.tags

  block_device_mappings {
    device_name = var.node_root_device

    ebs {
      volume_size           = var.node_disk_gb
      volume_type           = "gp3"
      encrypted             = true
      delete_on_termination = true
    }
  }

  metadata_options {
    http_endpoint          = "enabled"
    http_tokens            = "required"
    instance_metadata_tags = "enabled"
  }
}
