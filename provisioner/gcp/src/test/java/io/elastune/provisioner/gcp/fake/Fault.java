package io.elastune.provisioner.gcp.fake;

/** A fault that the fake injects into a call. */
public enum Fault {
  NONE,
  /** A throttling error without an effect. */
  THROTTLED,
  /** An internal error without an effect. */
  ERROR_BEFORE,
  /** An internal error after the effect. */
  ERROR_AFTER,
  /** A broken connection without an effect. */
  LOST_BEFORE,
  /** A broken connection after the effect. */
  LOST_AFTER,
  /** A truncated response after the effect. */
  TORN,
  /** A successful call whose operation fails. */
  OPERATION_FAILS,
  /** An empty list. */
  EMPTY,
  /** An outdated list. */
  STALE,
  /** A list in which one zone is unreachable. */
  UNREACHABLE,
  /** An insert that is rejected with a reason that is not documented, without an effect. */
  UNKNOWN_CODE,
  /** A successful insert of an instance that is preempted while it is created. */
  PREEMPTED,
  /** An insert that fails for seconds, with its repetitions; then its instance appears. */
  LATE_TWIN
}
