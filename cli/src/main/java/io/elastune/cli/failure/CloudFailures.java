package io.elastune.cli.failure;

import io.elastune.provisioner.CloudFailure;
import java.util.List;

/** With which code a command ends that a cloud has failed. */
final class CloudFailures implements CloudFailure.Visitor<Failure> {
  @Override
  public Failure capacity(CloudFailure.Capacity failure) {
    return of(ExitCode.NO_CAPACITY, failure, "try another type, zone or region, or later");
  }

  @Override
  public Failure quota(CloudFailure.Quota failure) {
    return of(ExitCode.NO_CAPACITY, failure, "ask the cloud for a higher quota");
  }

  @Override
  public Failure permission(CloudFailure.Permission failure) {
    return of(ExitCode.NO_PERMISSION, failure, "'elastune check' tells what else is missing");
  }

  @Override
  public Failure throttled(CloudFailure.Throttled failure) {
    return of(ExitCode.NO_CAPACITY, failure, "try again in a minute");
  }

  @Override
  public Failure invalid(CloudFailure.Invalid failure) {
    return of(ExitCode.USAGE, failure, "");
  }

  @Override
  public Failure unknownOutcome(CloudFailure.UnknownOutcome failure) {
    return of(ExitCode.NO_CAPACITY, failure, "see whether this machine reaches the cloud");
  }

  private static Failure of(ExitCode exit, CloudFailure failure, String hint) {
    return new Failure(exit, List.of(Problem.of("", failure.message(), hint)));
  }
}
