resource "aws_s3_bucket" "checkpoints" {
  bucket        = "${var.name}-${local.account}-${local.region}"
  force_destroy = var.delete_checkpoints
  tags          = local.tags
}

resource "aws_s3_bucket_public_access_block" "checkpoints" {
  bucket                  = aws_s3_bucket.checkpoints.id
  block_public_acls       = true
  block_public_policy     = true
  ignore_public_acls      = true
  restrict_public_buckets = true
}

resource "aws_s3_bucket_server_side_encryption_configuration" "checkpoints" {
  bucket = aws_s3_bucket.checkpoints.id

  rule {
    apply_server_side_encryption_by_default {
      sse_algorithm = "AES256"
    }
  }
}

resource "aws_s3_bucket_ownership_controls" "checkpoints" {
  bucket = aws_s3_bucket.checkpoints.id

  rule {
    object_ownership = "BucketOwnerEnforced"
  }
}

resource "aws_s3_bucket_policy" "checkpoints" {
  bucket = aws_s3_bucket.checkpoints.id
  policy = templatefile("${path.module}/policies/bucket.json", {
    bucket = aws_s3_bucket.checkpoints.arn
  })

  depends_on = [aws_s3_bucket_public_access_block.checkpoints]
}

resource "aws_s3_bucket_lifecycle_configuration" "checkpoints" {
  bucket = aws_s3_bucket.checkpoints.id

  rule {
    id     = "checkpoints"
    status = "Enabled"

    filter {}

    expiration {
      days = var.checkpoint_days
    }

    abort_incomplete_multipart_upload {
      days_after_initiation = 1
    }
  }
}
