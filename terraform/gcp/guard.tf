# Is destroyed first, because it depends on every other resource. Its script fails while Elastune
# instances exist, which ends the destroy before anything is deleted. A test checks the list.
resource "terraform_data" "guard" {
  input = {
    project = var.project
    name    = var.name
    script  = abspath("${path.module}/files/guard.sh")
  }

  depends_on = [
    google_billing_budget.monthly,
    google_cloud_run_v2_service.reaper,
    google_cloud_run_v2_service_iam_member.reaper,
    google_cloud_scheduler_job.reaper,
    google_compute_disk_resource_policy_attachment.snapshots,
    google_compute_firewall.iap,
    google_compute_firewall.self,
    google_compute_instance.controller,
    google_compute_instance_iam_member.users,
    google_compute_network.this,
    google_compute_resource_policy.snapshots,
    google_compute_router.nat,
    google_compute_router_nat.nat,
    google_compute_subnetwork.nodes,
    google_iap_tunnel_instance_iam_member.users,
    google_monitoring_notification_channel.email,
    google_project_iam_custom_role.checkpoints,
    google_project_iam_custom_role.instances,
    google_project_iam_custom_role.reaper,
    google_project_iam_custom_role.reaper_delete,
    google_project_iam_custom_role.run,
    google_project_iam_member.instances,
    google_project_iam_member.reaper,
    google_project_iam_member.reaper_delete,
    google_project_iam_member.run,
    google_project_service.apis,
    google_service_account.controller,
    google_service_account.node,
    google_service_account.reaper,
    google_service_account_iam_member.node,
    google_service_account_iam_member.sign,
    google_service_account_iam_member.users,
    google_storage_bucket.checkpoints,
    google_storage_bucket_iam_member.controller,
    google_storage_bucket_object.release,
    terraform_data.accounts,
    terraform_data.apis,
  ]

  provisioner "local-exec" {
    when    = destroy
    command = "sh '${self.input.script}' '${self.input.project}' '${self.input.name}'"
  }
}
