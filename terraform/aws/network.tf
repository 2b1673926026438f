locals {
  create_network  = var.existing_network == null
  create_private  = local.create_network && !var.public_nodes
  vpc_id          = local.create_network ? aws_vpc.this[0].id : var.existing_network.vpc_id
  subnets         = local.create_network ? { for zone in var.zones : zone => aws_subnet.nodes[zone].id } : var.existing_network.subnets
  route_table_ids = local.create_network ? [aws_route_table.nodes[0].id] : var.existing_network.route_table_ids
}

resource "aws_vpc" "this" {
  count = local.create_network ? 1 : 0

  cidr_block           = var.network_cidr
  enable_dns_hostnames = true
  tags                 = merge(local.tags, { Name = var.name })
}

# The default security group of a network has rules. This removes them.
resource "aws_default_security_group" "unused" {
  count = local.create_network ? 1 : 0

  vpc_id = aws_vpc.this[0].id
  tags   = merge(local.tags, { Name = "${var.name}-unused" })
}

resource "aws_internet_gateway" "this" {
  count = local.create_network ? 1 : 0

  vpc_id = aws_vpc.this[0].id
  tags   = merge(local.tags, { Name = var.name })
}

resource "aws_subnet" "nodes" {
  for_each = local.create_network ? { for index, zone in var.zones : zone => index } : {}

  vpc_id            = aws_vpc.this[0].id
  availability_zone = each.key
  cidr_block        = cidrsubnet(var.network_cidr, 4, each.value)
  tags              = merge(local.tags, { Name = "${var.name}-${each.key}" })
}

resource "aws_route_table" "nodes" {
  count = local.create_network ? 1 : 0

  vpc_id = aws_vpc.this[0].id
  tags   = merge(local.tags, { Name = "${var.name}-nodes" })
}

resource "aws_route" "nodes" {
  count = local.create_network ? 1 : 0

  route_table_id         = aws_route_table.nodes[0].id
  destination_cidr_block = "0.0.0.0/0"
  gateway_id             = var.public_nodes ? aws_internet_gateway.this[0].id : null
  nat_gateway_id         = var.public_nodes ? null : aws_nat_gateway.this[0].id
}

resource "aws_route_table_association" "nodes" {
  for_each = aws_subnet.nodes

  subnet_id      = each.value.id
  route_table_id = aws_route_table.nodes[0].id
}

# The NAT gateway of private nodes, in a public subnet of the first zone.
resource "aws_subnet" "nat" {
  count = local.create_private ? 1 : 0

  vpc_id            = aws_vpc.this[0].id
  availability_zone = var.zones[0]
  cidr_block        = cidrsubnet(var.network_cidr, 4, 15)
  tags              = merge(local.tags, { Name = "${var.name}-nat" })
}

resource "aws_route_table" "nat" {
  count = local.create_private ? 1 : 0

  vpc_id = aws_vpc.this[0].id
  tags   = merge(local.tags, { Name = "${var.name}-nat" })
}

resource "aws_route" "nat" {
  count = local.create_private ? 1 : 0

  route_table_id         = aws_route_table.nat[0].id
  destination_cidr_block = "0.0.0.0/0"
  gateway_id             = aws_internet_gateway.this[0].id
}

resource "aws_route_table_association" "nat" {
  count = local.create_private ? 1 : 0

  subnet_id      = aws_subnet.nat[0].id
  route_table_id = aws_route_table.nat[0].id
}

resource "aws_eip" "nat" {
  count = local.create_private ? 1 : 0

  domain     = "vpc"
  tags       = merge(local.tags, { Name = "${var.name}-nat" })
  depends_on = [aws_internet_gateway.this]
}

resource "aws_nat_gateway" "this" {
  count = local.create_private ? 1 : 0

  allocation_id = aws_eip.nat[0].id
  subnet_id     = aws_subnet.nat[0].id
  tags          = merge(local.tags, { Name = var.name })
}

# Checkpoints reach S3 without NAT, at no cost.
resource "aws_vpc_endpoint" "s3" {
  count = length(local.route_table_ids) > 0 ? 1 : 0

  vpc_id            = local.vpc_id
  service_name      = "com.amazonaws.${local.region}.s3"
  vpc_endpoint_type = "Gateway"
  route_table_ids   = local.route_table_ids
  tags              = merge(local.tags, { Name = "${var.name}-s3" })
}

# Nodes and controller reach each other, and nothing else reaches them.
resource "aws_security_group" "nodes" {
  name        = "${var.name}-nodes"
  description = "Elastune nodes and controller: inbound only from each other"
  vpc_id      = local.vpc_id
  tags        = merge(local.tags, { Name = "${var.name}-nodes" })
}

resource "aws_vpc_security_group_ingress_rule" "self" {
  security_group_id            = aws_security_group.nodes.id
  description                  = "From nodes and controller"
  ip_protocol                  = "-1"
  referenced_security_group_id = aws_security_group.nodes.id
  tags                         = local.tags
}

resource "aws_vpc_security_group_egress_rule" "internet" {
  security_group_id = aws_security_group.nodes.id
  description       = "To packages, images and cloud APIs"
  ip_protocol       = "-1"
  cidr_ipv4         = "0.0.0.0/0"
  tags              = local.tags
}
