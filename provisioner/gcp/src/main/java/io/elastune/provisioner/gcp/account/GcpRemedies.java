package io.elastune.provisioner.gcp.account;

import io.elastune.provisioner.remote.FailureRemedies;

/** The remedies for failed checks of a Google Cloud project. */
final class GcpRemedies {
  static final FailureRemedies REMEDIES =
      new FailureRemedies(
          "request an increase under 'IAM & Admin > Quotas' of the project, or lower"
              + " resources.max_instances",
          "see docs/gcp.md for the required role and how to log in",
          message -> "compare clouds.yaml with the resources of the project",
          "check that this machine can reach Google Cloud");

  private GcpRemedies() {}
}
