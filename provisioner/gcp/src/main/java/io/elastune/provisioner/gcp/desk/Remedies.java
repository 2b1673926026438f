package io.elastune.provisioner.gcp.desk;

import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.Finding;
import io.elastune.provisioner.Refusal;

/** Converts each type of failure to a check result with a remedy. */
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
        "request an increase under 'IAM & Admin > Quotas' of the project, or lower resources.max_instances",
        Refusal.QUOTA);
  }

  @Override
  public Finding permission(CloudFailure.Permission failure) {
    return bad(
        failure, "see docs/gcp.md for the required role and how to log in", Refusal.PERMISSION);
  }

  @Override
  public Finding throttled(CloudFailure.Throttled failure) {
    return bad(failure, "try again in a minute", Refusal.CAPACITY);
  }

  @Override
  public Finding invalid(CloudFailure.Invalid failure) {
    return bad(failure, "compare clouds.yaml with the resources of the project", Refusal.INVALID);
  }

  @Override
  public Finding unknownOutcome(CloudFailure.UnknownOutcome failure) {
    return bad(failure, "check that this machine can reach Google Cloud", Refusal.CAPACITY);
  }

  private Finding bad(CloudFailure failure, String remedy, Refusal kind) {
    return Finding.bad(check, failure.message(), remedy, kind);
  }
}
