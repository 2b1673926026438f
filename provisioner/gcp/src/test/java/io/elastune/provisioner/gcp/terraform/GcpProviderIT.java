package io.elastune.provisioner.gcp.terraform;

import io.elastune.provisioner.terraform.TerraformProviderContract;

/** Validates the module with the real provider of Google Cloud. It is not applied: no emulator. */
class GcpProviderIT extends TerraformProviderContract {
  GcpProviderIT() {
    super("gcp", "gcloud", "hashicorp/google");
  }
}
