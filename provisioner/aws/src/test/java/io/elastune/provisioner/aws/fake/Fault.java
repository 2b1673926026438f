package io.elastune.provisioner.aws.fake;

/** A fault of a call. */
public enum Fault {
  NONE,
  /** The call is throttled and has no effect. */
  THROTTLED,
  /** An internal error; the call has no effect. */
  ERROR_BEFORE,
  /** An internal error; the call takes effect. */
  ERROR_AFTER,
  /** The connection closes; the call has no effect. */
  LOST_BEFORE,
  /** The connection closes; the call takes effect. */
  LOST_AFTER,
  /** The call takes effect, but the response is truncated. */
  TORN,
  /** The list is empty. */
  EMPTY,
  /** The list is outdated. */
  STALE,
  /** A launch is refused with a code that is not documented; it has no effect. */
  UNKNOWN_CODE,
  /** A launch succeeds, and EC2 interrupts the instance before it runs. */
  PREEMPTED,
  /** A launch and its repetitions fail for seconds, then an instance of it appears. */
  LATE_TWIN
}
