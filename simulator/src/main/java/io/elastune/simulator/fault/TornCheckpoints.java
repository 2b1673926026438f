package io.elastune.simulator.fault;

import io.elastune.core.allocation.CheckpointSchedule;
import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.plan.SilenceLimit;
import io.elastune.core.random.RandomStreams;
import io.elastune.simulator.draw.DrawReader;
import io.elastune.simulator.draw.DrawTable;
import java.util.Optional;
import java.util.function.IntUnaryOperator;

/**
 * Which checkpoints of the trials of one group, or of one rung, are torn in one sample
 * (docs/model.md, "Faults"): the one after the last unit, and those with which a policy ends
 * attempts. Not thread-safe.
 */
public final class TornCheckpoints {
  private final boolean resumes;
  private final CheckpointSchedule checkpoints;
  private final IntUnaryOperator column;
  private final boolean mayBeTorn;
  private final DrawReader counts;

  /** Counts checkpoints instead of seconds. */
  private final Optional<TrialClocks> stops;

  private int sample;
  private int offset;
  private boolean hasStops;

  /**
   * The draws of the trials.
   *
   * @param probability that a checkpoint is torn
   * @param counts how often the one after the last unit is
   * @param stops uniform draws, from which it follows how many others are complete before one is
   *     torn
   * @param streams the streams of what follows these, by sample
   */
  public record Tables(
      double probability, DrawTable counts, DrawTable stops, RandomStreams streams) {}

  /**
   * @param resumes whether trials continue from checkpoints
   * @param checkpoints when they save them
   * @param column returns the index of the draw of a trial
   */
  public TornCheckpoints(
      Tables tables, boolean resumes, CheckpointSchedule checkpoints, IntUnaryOperator column) {
    this(tables.counts(), resumes, checkpoints, column, Optional.of(stops(tables, column)));
  }

  private TornCheckpoints(
      DrawTable counts,
      boolean resumes,
      CheckpointSchedule checkpoints,
      IntUnaryOperator column,
      Optional<TrialClocks> stops) {
    this.resumes = resumes;
    this.checkpoints = checkpoints;
    this.column = column;
    this.counts = new DrawReader(counts);
    this.stops = stops;
    mayBeTorn = counts.varies();
  }

  /**
   * Returns those of a group whose attempts no policy ends.
   *
   * @param counts how often the checkpoint after the last unit of a trial is torn
   */
  public static TornCheckpoints withoutStops(
      DrawTable counts, boolean resumes, CheckpointSchedule checkpoints) {
    return new TornCheckpoints(
        counts, resumes, checkpoints, IntUnaryOperator.identity(), Optional.empty());
  }

  private static TrialClocks stops(Tables tables, IntUnaryOperator column) {
    double perCheckpoint = -Math.log1p(-tables.probability());
    return TrialClocks.of(
        tables.probability() > 0,
        new FaultHazards(
            0, 0, perCheckpoint, 0, false, InstanceFaultRates.NONE, SilenceLimit.PREDICTED),
        tables.stops(),
        column,
        tables.streams());
  }

  /** Reads the draws of a sample, in which no checkpoint has been written yet. */
  public void read(int number) {
    sample = number;
    hasStops = false;
    if (mayBeTorn) {
      offset = counts.offset(number);
    }
  }

  /** Returns how often the checkpoint of a trial after its last unit is torn. */
  public double times(int trial) {
    return mayBeTorn ? counts.values()[offset + column.applyAsInt(trial)] : 0;
  }

  /**
   * Returns of how many units a trial has a checkpoint after the last of {@code units}.
   *
   * @param repeated how often it has repeated units after a torn one before
   */
  public int intact(int trial, int units, int repeated) {
    return times(trial) > repeated ? checkpoints.intact(units, resumes) : units;
  }

  /**
   * Returns of how many units of an attempt there is a checkpoint that a policy has ended. Each
   * call is another checkpoint.
   *
   * @param trained the units that it has completed, at least one
   */
  public int stopped(int trial, int trained) {
    if (!mayBeTorn || !resumes) {
      return trained;
    }
    TrialClocks clocks = stops.orElseThrow();
    if (!hasStops) {
      clocks.read(sample);
      hasStops = true;
    }
    if (clocks.untilS(trial, 1) >= 1) {
      clocks.passed(trial, 1);
      return trained;
    }
    var unused = clocks.crashes(trial);
    return checkpoints.saved(trained - 1);
  }
}
