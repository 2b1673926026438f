package io.elastune.provisioner.aws.desk;

import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.Finding;
import io.elastune.provisioner.Refusal;

/** Maps each failure of a check to a result with a remedy. */
final class Remedies implements CloudFailure.Visitor<Finding> {
  private final String check;

  Remedies(String check) {
    this.check = check;
  }

  @Override
  public Finding capacity(CloudFailure.Capacity failure) {
    return bad(
        failure, "try another instance type, zone or region, or try again later", Refusal.CAPACITY);
  }

  @Override
  public Finding quota(CloudFailure.Quota failure) {
    return bad(
        failure,
        "request an increase in Service Quotas, or lower resources.max_instances",
        Refusal.QUOTA);
  }

  @Override
  public Finding permission(CloudFailure.Permission failure) {
    return bad(
        failure, "see docs/aws.md for the required policy and how to log in", Refusal.PERMISSION);
  }

  @Override
  public Finding throttled(CloudFailure.Throttled failure) {
    return bad(failure, "try again in a minute", Refusal.CAPACITY);
  }

  @Override
  public Finding invalid(CloudFailure.Invalid failure) {
    String remedy =
        MissingParts.remedy(failure.message())
            .orElse("compare clouds.yaml with the resources of the account");
    return bad(failure, remedy, Refusal.INVALID);
  }

  @Override
  public Finding unknownOutcome(CloudFailure.UnknownOutcome failure) {
    return bad(failure, "check that this machine can reach AWS", Refusal.CAPACITY);
  }

  private Finding bad(CloudFailure failure, String remedy, Refusal kind) {
    return Finding.bad(check, failure.message(), remedy, kind);
  }
}
