# Terminates instances whose expiry has passed, in case neither their controller nor their own
# dead-man timer did.
# scripts/reaper-zip writes the archive, without compression, from the file beside it.
locals {
  reaper_zip = "${path.module}/reaper/reaper.zip"
}

resource "aws_iam_role" "reaper" {
  name               = "${var.name}-reaper"
  description        = "Terminates expired Elastune instances"
  assume_role_policy = templatefile("${path.module}/policies/trust.json", { service = "lambda.amazonaws.com" })
  tags               = local.tags
}

resource "aws_iam_role_policy" "reaper" {
  name = "reaper"
  role = aws_iam_role.reaper.id
  policy = templatefile("${path.module}/policies/reaper.json", {
    log_group = aws_cloudwatch_log_group.reaper.arn
  })
}

resource "aws_cloudwatch_log_group" "reaper" {
  name              = "/aws/lambda/${var.name}-reaper"
  retention_in_days = 30
  tags              = local.tags
}

resource "aws_lambda_function" "reaper" {
  function_name    = "${var.name}-reaper"
  description      = "Terminates expired Elastune instances"
  role             = aws_iam_role.reaper.arn
  runtime          = "python3.12"
  handler          = "reaper.handler"
  filename         = local.reaper_zip
  source_code_hash = filebase64sha256(local.reaper_zip)
  timeout          = 60
  tags             = local.tags

  environment {
    variables = { MARGIN_MINUTES = tostring(var.reaper_margin_minutes) }
  }

  depends_on = [aws_cloudwatch_log_group.reaper, aws_iam_role_policy.reaper]
}

resource "aws_cloudwatch_event_rule" "reaper" {
  name                = "${var.name}-reaper"
  description         = "Starts the Elastune reaper"
  schedule_expression = "rate(5 minutes)"
  tags                = local.tags
}

resource "aws_cloudwatch_event_target" "reaper" {
  rule = aws_cloudwatch_event_rule.reaper.name
  arn  = aws_lambda_function.reaper.arn
}

resource "aws_lambda_permission" "reaper" {
  statement_id  = "schedule"
  action        = "lambda:InvokeFunction"
  function_name = aws_lambda_function.reaper.function_name
  principal     = "events.amazonaws.com"
  source_arn    = aws_cloudwatch_event_rule.reaper.arn
}
