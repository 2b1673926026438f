package io.elastune.provisioner.aws.account;

import io.elastune.provisioner.CheckResult;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.RefusalReason;

/** Maps each failure of a check to a result with a remedy. */
final class FailureRemedies implements CloudFailure.Visitor<CheckResult> {
  private final String check;

  FailureRemedies(String check) {
    this.check = check;
  }

  @Override
  public CheckResult capacity(CloudFailure.Capacity failure) {
    return bad(
        failure,
        "try another instance type, zone or region, or try again later",
        RefusalReason.CAPACITY);
  }

  @Override
  public CheckResult quota(CloudFailure.QuotaExceeded failure) {
    return bad(
        failure,
        "request an increase in Service Quotas, or lower resources.max_instances",
        RefusalReason.QUOTA);
  }

  @Override
  public CheckResult permission(CloudFailure.Permission failure) {
    return bad(
        failure,
        "see docs/aws.md for the required policy and how to log in",
        RefusalReason.PERMISSION);
  }

  @Override
  public CheckResult throttled(CloudFailure.Throttled failure) {
    return bad(failure, "try again in a minute", RefusalReason.CAPACITY);
  }

  @Override
  public CheckResult invalid(CloudFailure.Invalid failure) {
    String remedy =
        MissingResources.remedy(failure.message())
            .orElse("compare clouds.yaml with the resources of the account");
    return bad(failure, remedy, RefusalReason.INVALID);
  }

  @Override
  public CheckResult unknownOutcome(CloudFailure.UnknownOutcome failure) {
    return bad(failure, "check that this machine can reach AWS", RefusalReason.CAPACITY);
  }

  private CheckResult bad(CloudFailure failure, String remedy, RefusalReason kind) {
    return CheckResult.failed(check, failure.message(), remedy, kind);
  }
}
