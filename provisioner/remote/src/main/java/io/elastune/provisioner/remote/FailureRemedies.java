package io.elastune.provisioner.remote;

import io.elastune.provisioner.CheckResult;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.RefusalReason;
import java.util.function.UnaryOperator;

/**
 * Converts each type of failure of a check to a result with a remedy.
 *
 * @param quota the remedy if a quota is too low
 * @param permission the remedy if a permission is missing
 * @param invalid returns the remedy for the message about invalid settings
 * @param unknownOutcome the remedy if the outcome of a call is unknown
 */
public record FailureRemedies(
    String quota, String permission, UnaryOperator<String> invalid, String unknownOutcome) {
  /**
   * Returns the result of a check that failed.
   *
   * @param check its name
   */
  public CheckResult result(String check, CloudFailure failure) {
    return failure.match(new Remedy(check));
  }

  private final class Remedy implements CloudFailure.Visitor<CheckResult> {
    private final String check;

    Remedy(String check) {
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
      return bad(failure, quota, RefusalReason.QUOTA);
    }

    @Override
    public CheckResult permission(CloudFailure.Permission failure) {
      return bad(failure, permission, RefusalReason.PERMISSION);
    }

    @Override
    public CheckResult throttled(CloudFailure.Throttled failure) {
      return bad(failure, "try again in a minute", RefusalReason.CAPACITY);
    }

    @Override
    public CheckResult invalid(CloudFailure.Invalid failure) {
      return bad(failure, invalid.apply(failure.message()), RefusalReason.INVALID);
    }

    @Override
    public CheckResult unrecognized(CloudFailure.Unrecognized failure) {
      return bad(
          failure,
          "a run tries other zones and offers; look the code up in the cloud's documentation",
          RefusalReason.CAPACITY);
    }

    @Override
    public CheckResult notVisibleYet(CloudFailure.NotVisibleYet failure) {
      return bad(failure, "try again in two minutes", RefusalReason.INVALID);
    }

    @Override
    public CheckResult unknownOutcome(CloudFailure.UnknownOutcome failure) {
      return bad(failure, unknownOutcome, RefusalReason.CAPACITY);
    }

    private CheckResult bad(CloudFailure failure, String remedy, RefusalReason kind) {
      return CheckResult.failed(check, failure.message(), remedy, kind);
    }
  }
}
