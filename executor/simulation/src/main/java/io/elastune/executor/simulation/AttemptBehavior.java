package io.elastune.executor.simulation;

/**
 * Describes whether and how an attempt misbehaves.
 *
 * @param kind the misbehavior, if any
 * @param normalUnits number of units that it trains normally before that
 * @param exitCode the exit code if it crashes
 */
public record AttemptBehavior(Kind kind, int normalUnits, int exitCode) {
  /** Follows the trial protocol. */
  public static final AttemptBehavior NORMAL = new AttemptBehavior(Kind.NORMAL, 0, 0);

  /** The kinds of behavior. */
  public enum Kind {
    NORMAL,
    /** Crashes in the middle of a unit. */
    CRASHES,
    /** Hangs, and ignores stop requests. */
    HANGS,
    /** Trains and saves, but stops reporting. */
    STOPS_REPORTING,
    /** Sends one invalid report, one for an earlier unit, and one duplicate. */
    SENDS_INVALID_REPORTS,
    /** Continues beyond its last unit. */
    OVERRUNS
  }

  /** Returns whether it misbehaves after {@code units} trained units. */
  boolean misbehavesAfter(int units) {
    return kind != Kind.NORMAL && units >= normalUnits;
  }
}
