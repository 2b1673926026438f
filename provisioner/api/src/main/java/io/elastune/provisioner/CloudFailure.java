package io.elastune.provisioner;

import io.elastune.core.Preconditions;

/** The cause of a failed cloud call, in terms that apply to every provider. */
public sealed interface CloudFailure {
  /** Returns one sentence for users, with the cloud's error code. */
  String message();

  /** Calls the visitor method for this failure type. */
  <R> R match(Visitor<R> visitor);

  /** One method per failure type, so that a new type is a compile error at every use. */
  interface Visitor<R> {
    R capacity(Capacity failure);

    R quota(QuotaExceeded failure);

    R permission(Permission failure);

    R throttled(Throttled failure);

    R invalid(Invalid failure);

    R unrecognized(Unrecognized failure);

    R notVisibleYet(NotVisibleYet failure);

    R unknownOutcome(UnknownOutcome failure);
  }

  /** No capacity of this instance type is available there at present; nothing was done. */
  record Capacity(String message) implements CloudFailure {
    public Capacity {
      Preconditions.text("message", message);
    }

    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.capacity(this);
    }
  }

  /** The request exceeds a quota of the account; nothing was done. The message names the quota. */
  record QuotaExceeded(String message) implements CloudFailure {
    public QuotaExceeded {
      Preconditions.text("message", message);
    }

    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.quota(this);
    }
  }

  /**
   * Credentials are missing or lack a permission; nothing was done. The message names the
   * permission.
   *
   * @param isLogin whether the cloud does not accept the credentials at all, because they are
   *     missing, expired or unknown: the same call may succeed after a new login
   */
  record Permission(String message, boolean isLogin) implements CloudFailure {
    public Permission {
      Preconditions.text("message", message);
    }

    /** Creates the failure of a call for which these credentials lack a permission. */
    public Permission(String message) {
      this(message, false);
    }

    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.permission(this);
    }
  }

  /** The call was rate-limited; nothing was done, and a later call may succeed. */
  record Throttled(String message) implements CloudFailure {
    public Throttled {
      Preconditions.text("message", message);
    }

    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.throttled(this);
    }
  }

  /** The request is invalid: repeating it does not help; nothing was done. */
  record Invalid(String message) implements CloudFailure {
    public Invalid {
      Preconditions.text("message", message);
    }

    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.invalid(this);
    }
  }

  /**
   * A launch was rejected with a code that Elastune does not know; nothing was created. Another
   * zone or offer may succeed.
   */
  record Unrecognized(String message) implements CloudFailure {
    public Unrecognized {
      Preconditions.text("message", message);
    }

    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.unrecognized(this);
    }
  }

  /**
   * A launch names something that was made just before, such as a role, and that the cloud does not
   * see everywhere yet; nothing was created. The same call may succeed within minutes.
   */
  record NotVisibleYet(String message) implements CloudFailure {
    public NotVisibleYet {
      Preconditions.text("message", message);
    }

    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.notVisibleYet(this);
    }
  }

  /** No conclusive response: the call may have taken effect, may do so later, or may not at all. */
  record UnknownOutcome(String message) implements CloudFailure {
    public UnknownOutcome {
      Preconditions.text("message", message);
    }

    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.unknownOutcome(this);
    }
  }
}
