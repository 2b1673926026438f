# Nodes need no permissions: the controller gives them signed addresses for their checkpoints.
resource "aws_iam_role" "node" {
  name               = "${var.name}-node"
  description        = "Elastune nodes"
  assume_role_policy = templatefile("${path.module}/policies/trust.json", { service = "ec2.amazonaws.com" })
  tags               = local.tags
}

resource "aws_iam_role_policy_attachment" "node" {
  for_each = var.node_policy_arns

  role       = aws_iam_role.node.name
  policy_arn = each.value
}

resource "aws_iam_instance_profile" "node" {
  name = aws_iam_role.node.name
  role = aws_iam_role.node.name
  tags = local.tags
}

resource "aws_iam_role" "controller" {
  name               = "${var.name}-controller"
  description        = "The Elastune controller"
  assume_role_policy = templatefile("${path.module}/policies/trust.json", { service = "ec2.amazonaws.com" })
  tags               = local.tags
}

# The policy of docs/aws.md. A test compares both.
resource "aws_iam_role_policy" "run" {
  name = "run"
  role = aws_iam_role.controller.id
  policy = replace(
    file("${path.module}/policies/run.json"),
    "arn:aws:iam::ACCOUNT:role/elastune-node",
    aws_iam_role.node.arn,
  )
}

resource "aws_iam_role_policy" "checkpoints" {
  name = "checkpoints"
  role = aws_iam_role.controller.id
  policy = templatefile("${path.module}/policies/checkpoints.json", {
    bucket = aws_s3_bucket.checkpoints.arn
  })
}

# Sessions without an inbound port.
resource "aws_iam_role_policy_attachment" "session" {
  role       = aws_iam_role.controller.name
  policy_arn = "arn:${local.partition}:iam::aws:policy/AmazonSSMManagedInstanceCore"
}

resource "aws_iam_instance_profile" "controller" {
  name = aws_iam_role.controller.name
  role = aws_iam_role.controller.name
  tags = local.tags
}

# For the people of the account, who may open sessions on the controller.
resource "aws_iam_role" "user" {
  name        = "${var.name}-user"
  description = "Users of the Elastune controller"
  assume_role_policy = templatefile("${path.module}/policies/user-trust.json", {
    partition = local.partition
    account   = local.account
  })
  tags = local.tags
}

resource "aws_iam_role_policy" "user" {
  name = "sessions"
  role = aws_iam_role.user.id
  policy = templatefile("${path.module}/policies/user.json", {
    controller = aws_instance.controller.arn
    partition  = local.partition
    region     = local.region
    account    = local.account
  })
}
