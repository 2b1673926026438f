package io.elastune.provisioner.gcp.fake;

/** What can go wrong with a call. */
public enum Fault {
  NONE,
  /** "Too many calls"; nothing is done. */
  THROTTLED,
  /** An internal error; nothing is done. */
  ERROR_BEFORE,
  /** An internal error; all is done. */
  ERROR_AFTER,
  /** The connection breaks; nothing is done. */
  LOST_BEFORE,
  /** The connection breaks; all is done. */
  LOST_AFTER,
  /** All is done, but the answer breaks off in its middle. */
  TORN,
  /** The call goes well, and the operation that it begins fails. */
  OPERATION_FAILS,
  /** A list without anything on it. */
  EMPTY,
  /** A list as it was a moment ago. */
  STALE,
  /** A list on which one zone does not answer. */
  UNREACHABLE
}
