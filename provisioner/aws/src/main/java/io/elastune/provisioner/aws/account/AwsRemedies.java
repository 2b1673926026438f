package io.elastune.provisioner.aws.account;

import io.elastune.provisioner.remote.FailureRemedies;

/** The remedies for failed checks of an AWS account. */
final class AwsRemedies {
  static final FailureRemedies REMEDIES =
      new FailureRemedies(
          "request an increase in Service Quotas, or lower resources.max_instances",
          "see docs/aws.md for the required policy and how to log in",
          message ->
              MissingResources.remedy(message)
                  .orElse("compare clouds.yaml with the resources of the account"),
          "check that this machine can reach AWS");

  private AwsRemedies() {}
}
