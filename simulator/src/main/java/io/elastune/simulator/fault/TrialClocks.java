package io.elastune.simulator.fault;

import io.elastune.core.plan.SilenceLimit;
import io.elastune.core.random.RandomStreams;
import io.elastune.simulator.draw.DrawReader;
import io.elastune.simulator.draw.DrawTable;
import io.elastune.simulator.draw.HazardDraws;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import java.util.random.RandomGenerator;

/**
 * When the trials of one group, or of one rung, crash or hang in one sample (docs/model.md,
 * "Faults"). Each trial has a clock, which runs while an attempt of it runs and does not hang: a
 * fault occurs when the hazard reaches a draw, and the next draw follows. Draws belong to a trial,
 * so that they do not depend on the plan or on other trials. Not thread-safe.
 */
public final class TrialClocks {
  private static final double[] NONE = {};

  private final FaultHazards hazards;
  private final double perS;
  private final Optional<DrawReader> firsts;
  private final IntUnaryOperator column;
  private final RandomStreams streams;
  private int sample;
  private double[] first = NONE;
  private int offset;

  /** The trials whose clock has run. */
  private final BitSet hasRun = new BitSet();

  // By trial whose clock has run: the seconds until its next fault, and its faults.
  private double[] leftS = NONE;
  private int[] faults = {};

  /**
   * @param firsts uniform draws, from which the hazards until the first faults follow, by trial;
   *     empty if there are no such faults
   * @param column returns the index of the draw of a trial
   * @param streams the streams of what follows these faults, by sample
   */
  public TrialClocks(
      FaultHazards hazards,
      Optional<DrawReader> firsts,
      IntUnaryOperator column,
      RandomStreams streams) {
    this.hazards = hazards;
    this.firsts = firsts;
    this.column = column;
    this.streams = streams;
    perS = hazards.attemptPerS();
  }

  /**
   * Returns the clocks of the trials of a group.
   *
   * @param hasFaults whether there are faults
   * @param table the draws of the first faults
   * @param column returns the index of the draw of a trial
   * @param streams the streams of what follows these faults, by sample
   */
  public static TrialClocks of(
      boolean hasFaults,
      FaultHazards hazards,
      DrawTable table,
      IntUnaryOperator column,
      RandomStreams streams) {
    Optional<DrawReader> firsts =
        hasFaults && hazards.attemptPerS() > 0
            ? Optional.of(new DrawReader(table))
            : Optional.empty();
    return new TrialClocks(hazards, firsts, column, streams);
  }

  /** Reads the draws of a sample, in which no clock has run yet. */
  public void read(int number) {
    sample = number;
    hasRun.clear();
    if (firsts.isPresent()) {
      offset = firsts.get().offset(number);
      first = firsts.get().values();
    }
  }

  /**
   * Returns the uniform draws of the sample, from which the hazards until the first faults follow;
   * empty if there are no such faults. Those of the trials begin at {@link #offset}.
   */
  public double[] firsts() {
    return first;
  }

  /** Returns the index in {@link #firsts} of the first draw of the sample. */
  public int offset() {
    return offset;
  }

  /**
   * Returns whether a trial may have a fault within some seconds of attempts. This is much faster
   * than {@link #leftS}: a uniform draw is less than the hazard that follows from it.
   */
  public boolean mayFail(int trial, double seconds) {
    return first.length > 0
        && (seconds * perS > first[offset + column.applyAsInt(trial)] || hasRun.get(trial));
  }

  /** Returns the seconds of attempts until a trial has its next fault; infinite if it has none. */
  public double leftS(int trial) {
    if (first.length == 0) {
      return Double.POSITIVE_INFINITY;
    }
    return hasRun.get(trial)
        ? leftS[trial]
        : HazardDraws.hazard(first[offset + column.applyAsInt(trial)]) / perS;
  }

  /**
   * Returns the seconds of attempts until a trial has its next fault; infinite if this is later
   * than after so many seconds.
   */
  public double untilS(int trial, double lastsS) {
    return mayFail(trial, lastsS) ? leftS(trial) : Double.POSITIVE_INFINITY;
  }

  /** Records that an attempt of a trial ended after some seconds without a crash or a hang. */
  public void passed(int trial, double seconds) {
    set(trial, Math.max(0, leftS(trial) - seconds));
  }

  /** Stops the clock of a trial, which has no further faults. */
  public void stop(int trial) {
    set(trial, Double.POSITIVE_INFINITY);
  }

  /** Returns after how long an attempt is taken to hang; see {@link SilenceLimit#afterS}. */
  public double silenceS(double neededS) {
    return hazards.silence().afterS(neededS, 0);
  }

  /** Begins the clock of a trial again after a fault; returns whether this was a crash. */
  public boolean crashes(int trial) {
    set(trial, 0);
    RandomGenerator random = streams.at(sample).at(trial).at(faults[trial]++).open();
    boolean crashes = HazardDraws.fraction(random) * perS < hazards.crashPerS();
    leftS[trial] = HazardDraws.hazard(random) / perS;
    return crashes;
  }

  private void set(int trial, double seconds) {
    if (trial >= leftS.length) {
      int room = Math.max(trial + 1, 2 * leftS.length);
      leftS = Arrays.copyOf(leftS, room);
      faults = Arrays.copyOf(faults, room);
    }
    if (!hasRun.get(trial)) {
      hasRun.set(trial);
      faults[trial] = 0;
    }
    leftS[trial] = seconds;
  }
}
