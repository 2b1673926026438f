package io.elastune.simulator;

/** An attempt of a trial in a sample with faults. */
final class FaultyAttempt {
  /** A hung attempt is stopped after this multiple of the time that it still needs. */
  private static final double HANG_FACTOR = 3;

  /** … but not before this many seconds without a report. */
  private static final double LEAST_HANG_S = 20;

  final int trial;
  final FaultySlot slot;
  final double startS;
  double endS;
  boolean hangs;
  private final double startupS;
  private final double unitS;
  private final int remaining;
  private int completedBeforeHang;

  /**
   * Creates an attempt.
   *
   * @param remaining units that the trial still has to train
   * @param lastsS seconds until its end without faults
   */
  FaultyAttempt(
      int trial,
      FaultySlot slot,
      double startS,
      double startupS,
      double unitS,
      int remaining,
      double lastsS) {
    this.trial = trial;
    this.slot = slot;
    this.startS = startS;
    this.startupS = startupS;
    this.unitS = unitS;
    this.remaining = remaining;
    this.endS = startS + lastsS;
  }

  /** Returns the units of which it has a checkpoint at {@code nowS}; the last one ends with it. */
  int completed(double nowS) {
    double trained = Math.floor((nowS - startS - startupS) / unitS);
    return (int) Math.max(0, Math.min(trained, remaining - 1.0));
  }

  /** Lets it hang at {@code nowS} until it is stopped; its last checkpoint stays the same. */
  void hang(double nowS, double stopS) {
    int completed = completed(nowS);
    double lastS = completed > 0 ? startS + startupS + completed * unitS : startS;
    double neededS = (remaining - completed) * unitS + (completed > 0 ? 0 : startupS);
    hangs = true;
    completedBeforeHang = completed;
    endS = Math.max(nowS, lastS + Math.max(LEAST_HANG_S, HANG_FACTOR * neededS)) + stopS;
  }

  /** Returns the units of which it has a checkpoint when it ends at {@code nowS} by a fault. */
  int kept(double nowS) {
    return hangs ? completedBeforeHang : completed(nowS);
  }
}
