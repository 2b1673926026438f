data "aws_ssm_parameter" "controller_image" {
  name = "/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-default-x86_64"
}

resource "aws_s3_object" "release" {
  count = var.release_zip == null ? 0 : 1

  bucket = aws_s3_bucket.checkpoints.id
  key    = "elastune/release.zip"
  source = var.release_zip
  etag   = filemd5(var.release_zip)
}

resource "aws_instance" "controller" {
  ami                         = nonsensitive(data.aws_ssm_parameter.controller_image.value)
  instance_type               = var.controller_type
  subnet_id                   = local.subnets[var.zones[0]]
  vpc_security_group_ids      = [aws_security_group.nodes.id]
  associate_public_ip_address = var.public_nodes
  iam_instance_profile        = aws_iam_instance_profile.controller.name
  user_data = templatefile("${path.module}/files/controller.sh", {
    clouds_yaml = local.clouds_yaml
    job_yaml    = local.job_yaml
    release     = var.release_zip == null ? "" : "s3://${aws_s3_bucket.checkpoints.id}/elastune/release.zip"
    checksum    = var.release_zip == null ? "" : filesha256(var.release_zip)
    region      = local.region
  })
  tags = merge(local.tags, { Name = "${var.name}-controller" })

  root_block_device {
    volume_size = var.controller_disk_gb
    volume_type = "gp3"
    encrypted   = true
    tags        = merge(local.tags, { Name = "${var.name}-controller", elastune-snapshot = var.name })
  }

  metadata_options {
    http_endpoint = "enabled"
    http_tokens   = "required"
  }

  maintenance_options {
    auto_recovery = "default"
  }

  # A newer image or release must not replace a controller with runs on its disk.
  lifecycle {
    ignore_changes = [ami, user_data]
  }

  depends_on = [
    aws_iam_role_policy.checkpoints,
    aws_iam_role_policy.run,
    aws_iam_role_policy_attachment.session,
    aws_route_table_association.nodes,
    aws_s3_object.release,
  ]
}

# EC2 itself recovers the instance from a failed host. This restarts a hanging system.
resource "aws_cloudwatch_metric_alarm" "controller" {
  alarm_name          = "${var.name}-controller"
  alarm_description   = "Restarts the Elastune controller if its system does not respond for three minutes"
  namespace           = "AWS/EC2"
  metric_name         = "StatusCheckFailed_Instance"
  statistic           = "Maximum"
  period              = 60
  evaluation_periods  = 3
  threshold           = 1
  comparison_operator = "GreaterThanOrEqualToThreshold"
  dimensions          = { InstanceId = aws_instance.controller.id }
  alarm_actions       = ["arn:${local.partition}:automate:${local.region}:ec2:reboot"]
  tags                = local.tags
}

resource "aws_iam_role" "snapshots" {
  name               = "${var.name}-snapshots"
  description        = "Snapshots of the Elastune controller's disk"
  assume_role_policy = templatefile("${path.module}/policies/trust.json", { service = "dlm.amazonaws.com" })
  tags               = local.tags
}

resource "aws_iam_role_policy" "snapshots" {
  name   = "snapshots"
  role   = aws_iam_role.snapshots.id
  policy = templatefile("${path.module}/policies/snapshots.json", { name = var.name })
}

resource "aws_dlm_lifecycle_policy" "controller" {
  description        = "Daily snapshots of the Elastune controller"
  execution_role_arn = aws_iam_role.snapshots.arn
  state              = "ENABLED"
  tags               = local.tags

  policy_details {
    resource_types = ["VOLUME"]
    target_tags    = { elastune-snapshot = var.name }

    schedule {
      name        = "daily"
      tags_to_add = { elastune-snapshot = var.name }

      create_rule {
        interval      = 24
        interval_unit = "HOURS"
        times         = ["03:00"]
      }

      retain_rule {
        count = var.snapshots_kept
      }
    }
  }
}
