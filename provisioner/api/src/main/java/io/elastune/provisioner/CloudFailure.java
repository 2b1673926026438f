package io.elastune.provisioner;

import io.elastune.core.Check;

/** Why a cloud did not do what it was asked for, in terms that fit every cloud. */
public sealed interface CloudFailure {
  /** One sentence for people, with the cloud's own code for it. */
  String message();

  /** Calls the method for the kind that this is. */
  <R> R match(Visitor<R> visitor);

  /** One method per kind, so that a new kind is a compile error at every use. */
  interface Visitor<R> {
    R capacity(Capacity failure);

    R quota(Quota failure);

    R permission(Permission failure);

    R throttled(Throttled failure);

    R invalid(Invalid failure);

    R unknownOutcome(UnknownOutcome failure);
  }

  /** None of that kind is free there at present; nothing was done. */
  record Capacity(String message) implements CloudFailure {
    public Capacity {
      Check.text("message", message);
    }

    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.capacity(this);
    }
  }

  /** The account may not have that many; nothing was done. The message names the quota. */
  record Quota(String message) implements CloudFailure {
    public Quota {
      Check.text("message", message);
    }

    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.quota(this);
    }
  }

  /** There are no credentials, or they may not do that. The message names the permission. */
  record Permission(String message) implements CloudFailure {
    public Permission {
      Check.text("message", message);
    }

    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.permission(this);
    }
  }

  /** Too many calls in too short a time; nothing was done, and asking later may succeed. */
  record Throttled(String message) implements CloudFailure {
    public Throttled {
      Check.text("message", message);
    }

    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.throttled(this);
    }
  }

  /** The request itself is wrong: asking again will not help; nothing was done. */
  record Invalid(String message) implements CloudFailure {
    public Invalid {
      Check.text("message", message);
    }

    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.invalid(this);
    }
  }

  /** No answer, or none that tells: it may have been done, or not, or may be done yet. */
  record UnknownOutcome(String message) implements CloudFailure {
    public UnknownOutcome {
      Check.text("message", message);
    }

    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.unknownOutcome(this);
    }
  }
}
