package io.elastune.executor.world;

/**
 * Describes whether and how an attempt misbehaves.
 *
 * @param kind the misbehavior, if any
 * @param after number of units that it trains normally before that
 * @param exitCode the exit code if it crashes
 */
public record Conduct(Kind kind, int after, int exitCode) {
  /** Follows the trial protocol. */
  public static final Conduct WELL = new Conduct(Kind.WELL, 0, 0);

  /** The kinds of behavior. */
  public enum Kind {
    WELL,
    /** Crashes in the middle of a unit. */
    DIES,
    /** Hangs, and ignores stop requests. */
    HANGS,
    /** Trains and saves, but stops reporting. */
    FALLS_SILENT,
    /** Sends one invalid report, one for an earlier unit, and one duplicate. */
    REPORTS_RUBBISH,
    /** Continues beyond its last unit. */
    OVERRUNS
  }

  /** Returns whether it misbehaves after {@code units} trained units. */
  boolean turns(int units) {
    return kind != Kind.WELL && units >= after;
  }
}
