package io.elastune.provisioner.gcp.desk;

import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.Finding;
import io.elastune.provisioner.Refusal;

/** What to do about each kind of failure. */
final class Remedies implements CloudFailure.Visitor<Finding> {
  private final String check;

  Remedies(String check) {
    this.check = check;
  }

  @Override
  public Finding capacity(CloudFailure.Capacity failure) {
    return bad(failure, "try another type, zone or region, or later", Refusal.CAPACITY);
  }

  @Override
  public Finding quota(CloudFailure.Quota failure) {
    return bad(
        failure,
        "ask for more at 'IAM & Admin > Quotas' of the project, or set resources.max_instances lower",
        Refusal.QUOTA);
  }

  @Override
  public Finding permission(CloudFailure.Permission failure) {
    return bad(
        failure, "docs/gcp.md has the role that is needed, and how to log in", Refusal.PERMISSION);
  }

  @Override
  public Finding throttled(CloudFailure.Throttled failure) {
    return bad(failure, "try again in a minute", Refusal.CAPACITY);
  }

  @Override
  public Finding invalid(CloudFailure.Invalid failure) {
    return bad(failure, "compare clouds.yaml with what is in the project", Refusal.INVALID);
  }

  @Override
  public Finding unknownOutcome(CloudFailure.UnknownOutcome failure) {
    return bad(failure, "see whether this machine reaches Google Cloud", Refusal.CAPACITY);
  }

  private Finding bad(CloudFailure failure, String remedy, Refusal kind) {
    return Finding.bad(check, failure.message(), remedy, kind);
  }
}
