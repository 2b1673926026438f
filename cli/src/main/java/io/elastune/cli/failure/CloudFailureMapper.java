package io.elastune.cli.failure;

import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.provisioner.CloudFailure;
import java.util.List;

/** Maps cloud failures to exit codes and hints. */
final class CloudFailureMapper implements CloudFailure.Visitor<Failure> {
  @Override
  public Failure capacity(CloudFailure.Capacity failure) {
    return noCapacity(failure, "try another instance type, zone or region, or try again later");
  }

  @Override
  public Failure quota(CloudFailure.QuotaExceeded failure) {
    return noCapacity(failure, "request a higher quota from the provider");
  }

  @Override
  public Failure permission(CloudFailure.Permission failure) {
    return of(
        ExitCode.of(RunOutcome.NO_PERMISSION),
        failure,
        "'elastune check' lists what else is missing");
  }

  @Override
  public Failure throttled(CloudFailure.Throttled failure) {
    return noCapacity(failure, "try again in a minute");
  }

  @Override
  public Failure invalid(CloudFailure.Invalid failure) {
    return of(ExitCode.USAGE, failure, "");
  }

  @Override
  public Failure unrecognized(CloudFailure.Unrecognized failure) {
    return noCapacity(
        failure, "try another instance type, zone or region; the code is the cloud's");
  }

  @Override
  public Failure notVisibleYet(CloudFailure.NotVisibleYet failure) {
    return noCapacity(failure, "try again in two minutes");
  }

  @Override
  public Failure unknownOutcome(CloudFailure.UnknownOutcome failure) {
    return noCapacity(failure, "check the network connection to the cloud");
  }

  private static Failure noCapacity(CloudFailure failure, String hint) {
    return of(ExitCode.of(RunOutcome.NO_CAPACITY), failure, hint);
  }

  private static Failure of(ExitCode exit, CloudFailure failure, String hint) {
    return new Failure(exit, List.of(ErrorDetail.of("", failure.message(), hint)));
  }
}
