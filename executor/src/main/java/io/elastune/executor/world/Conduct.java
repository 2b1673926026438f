package io.elastune.executor.world;

/**
 * How an attempt behaves.
 *
 * @param kind what it does wrong, if anything
 * @param after units that go well before that
 * @param exitCode with which it dies, where it does
 */
public record Conduct(Kind kind, int after, int exitCode) {
  /** Reports and saves as it should. */
  public static final Conduct WELL = new Conduct(Kind.WELL, 0, 0);

  /** What may go wrong. */
  public enum Kind {
    WELL,
    /** Exits in the middle of a unit. */
    DIES,
    /** Stands still, and ignores a request to stop. */
    HANGS,
    /** Trains and saves, but reports no more. */
    FALLS_SILENT,
    /** Reports one unit twice, in the wrong order, and then without the metric. */
    REPORTS_RUBBISH,
    /** Goes on beyond its last unit. */
    OVERRUNS
  }

  /** Whether it misbehaves once {@code units} have gone well. */
  boolean turns(int units) {
    return kind != Kind.WELL && units >= after;
  }
}
