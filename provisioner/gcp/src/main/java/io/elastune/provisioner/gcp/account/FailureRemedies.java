package io.elastune.provisioner.gcp.account;

import io.elastune.provisioner.CheckResult;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.RefusalReason;

/** Converts each type of failure to a check result with a remedy. */
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
        "request an increase under 'IAM & Admin > Quotas' of the project, or lower resources.max_instances",
        RefusalReason.QUOTA);
  }

  @Override
  public CheckResult permission(CloudFailure.Permission failure) {
    return bad(
        failure,
        "see docs/gcp.md for the required role and how to log in",
        RefusalReason.PERMISSION);
  }

  @Override
  public CheckResult throttled(CloudFailure.Throttled failure) {
    return bad(failure, "try again in a minute", RefusalReason.CAPACITY);
  }

  @Override
  public CheckResult invalid(CloudFailure.Invalid failure) {
    return bad(
        failure, "compare clouds.yaml with the resources of the project", RefusalReason.INVALID);
  }

  @Override
  public CheckResult unknownOutcome(CloudFailure.UnknownOutcome failure) {
    return bad(failure, "check that this machine can reach Google Cloud", RefusalReason.CAPACITY);
  }

  private CheckResult bad(CloudFailure failure, String remedy, RefusalReason kind) {
    return CheckResult.failed(check, failure.message(), remedy, kind);
  }
}
