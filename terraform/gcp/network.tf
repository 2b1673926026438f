resource "google_compute_network" "this" {
  count = local.create ? 1 : 0

  project                 = var.project
  name                    = var.name
  auto_create_subnetworks = false

  depends_on = [terraform_data.apis]
}

# A subnetwork of Google Cloud spans all zones of its region.
resource "google_compute_subnetwork" "nodes" {
  count = local.create ? 1 : 0

  project                  = var.project
  name                     = var.name
  region                   = local.region
  network                  = google_compute_network.this[0].id
  ip_cidr_range            = var.network_cidr
  private_ip_google_access = true
}

resource "google_compute_router" "nat" {
  count = local.create && !var.public_nodes ? 1 : 0

  project = var.project
  name    = "${var.name}-nat"
  region  = local.region
  network = google_compute_network.this[0].id
}

resource "google_compute_router_nat" "nat" {
  count = local.create && !var.public_nodes ? 1 : 0

  project                            = var.project
  name                               = "${var.name}-nat"
  region                             = local.region
  router                             = google_compute_router.nat[0].name
  nat_ip_allocate_option             = "AUTO_ONLY"
  source_subnetwork_ip_ranges_to_nat = "ALL_SUBNETWORKS_ALL_IP_RANGES"
}

# Nodes and controller reach each other.
resource "google_compute_firewall" "self" {
  project     = var.project
  name        = "${var.name}-self"
  description = "Between Elastune nodes and controller"
  network     = local.network
  direction   = "INGRESS"
  source_tags = [local.node_tag, local.controller_tag]
  target_tags = [local.node_tag, local.controller_tag]

  allow {
    protocol = "all"
  }

  depends_on = [terraform_data.apis]
}

# Google's Identity-Aware Proxy checks who opens a session, and connects from this range only.
resource "google_compute_firewall" "iap" {
  project       = var.project
  name          = "${var.name}-iap"
  description   = "Sessions on the Elastune controller through IAP"
  network       = local.network
  direction     = "INGRESS"
  source_ranges = ["35.235.240.0/20"]
  target_tags   = [local.controller_tag]

  allow {
    protocol = "tcp"
    ports    = ["22"]
  }

  depends_on = [terraform_data.apis]
}
