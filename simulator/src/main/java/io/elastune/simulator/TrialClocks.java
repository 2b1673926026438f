package io.elastune.simulator;

import io.elastune.core.random.RandomStreams;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import java.util.random.RandomGenerator;

/**
 * When the trials of one group, or of one rung, crash or hang in one sample (docs/model.md,
 * "Faults"). Each trial has a clock, which runs while an attempt of it runs and does not hang: a
 * fault occurs when the hazard reaches a draw, and the next draw follows. Draws belong to a trial,
 * so that they do not depend on the plan or on other trials. Not thread-safe.
 */
final class TrialClocks {
  private final FaultHazards hazards;
  private final Optional<DrawReader> firsts;
  private final IntUnaryOperator column;
  private final RandomStreams streams;
  private int sample;
  private int offset;

  /** The clocks that have run, by trial. */
  private final Map<Integer, Clock> changed = new HashMap<>();

  private static final class Clock {
    double leftS;
    int faults;

    Clock(double leftS) {
      this.leftS = leftS;
    }
  }

  /**
   * @param firsts uniform draws, from which the hazards until the first faults follow, by trial;
   *     empty if there are no such faults
   * @param column returns the index of the draw of a trial
   * @param streams the streams of what follows these faults, by sample
   */
  TrialClocks(
      FaultHazards hazards,
      Optional<DrawReader> firsts,
      IntUnaryOperator column,
      RandomStreams streams) {
    this.hazards = hazards;
    this.firsts = firsts;
    this.column = column;
    this.streams = streams;
  }

  /** Reads the draws of a sample, in which no clock has run yet. */
  void read(int number) {
    sample = number;
    offset = firsts.map(reader -> reader.offset(number)).orElse(0);
    changed.clear();
  }

  /** Returns the seconds of attempts until a trial has its next fault; infinite if it has none. */
  double leftS(int trial) {
    if (firsts.isEmpty()) {
      return Double.POSITIVE_INFINITY;
    }
    Clock clock = changed.isEmpty() ? null : changed.get(trial);
    return clock == null ? firstS(firsts.get(), trial) : clock.leftS;
  }

  /**
   * Returns the seconds of training until a trial has its next fault; infinite if it ends before.
   *
   * @param lastsS seconds until it ends
   */
  double untilS(int trial, double lastsS) {
    if (firsts.isEmpty()) {
      return Double.POSITIVE_INFINITY;
    }
    if (changed.isEmpty() || !changed.containsKey(trial)) {
      // Most trials have no fault: a uniform draw is at most its hazard.
      double uniform = firsts.get().values()[offset + column.applyAsInt(trial)];
      if (lastsS * hazards.attemptPerS() <= uniform) {
        return Double.POSITIVE_INFINITY;
      }
    }
    return leftS(trial);
  }

  private double firstS(DrawReader reader, int trial) {
    return HazardDraws.hazard(reader.values()[offset + column.applyAsInt(trial)])
        / hazards.attemptPerS();
  }

  private Clock clock(int trial) {
    return changed.computeIfAbsent(trial, of -> new Clock(leftS(of)));
  }

  /** Records that an attempt of a trial ended after some seconds without a crash or a hang. */
  void passed(int trial, double seconds) {
    Clock clock = clock(trial);
    clock.leftS = Math.max(0, clock.leftS - seconds);
  }

  /** Stops the clock of a trial, which has no further faults. */
  void stop(int trial) {
    clock(trial).leftS = Double.POSITIVE_INFINITY;
  }

  /** Begins the clock of a trial again after a fault; returns whether this was a crash. */
  boolean crashes(int trial) {
    Clock clock = clock(trial);
    RandomGenerator random = streams.at(sample).at(trial).at(clock.faults++).open();
    boolean crashes = HazardDraws.fraction(random) * hazards.attemptPerS() < hazards.crashPerS();
    clock.leftS = HazardDraws.hazard(random) / hazards.attemptPerS();
    return crashes;
  }
}
