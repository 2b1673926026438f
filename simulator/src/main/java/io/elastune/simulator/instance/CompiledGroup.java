package io.elastune.simulator.instance;

import io.elastune.core.allocation.CheckpointSchedule;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.random.RandomStreams;
import io.elastune.simulator.draw.DrawTable;
import io.elastune.simulator.fault.FaultHazards;
import io.elastune.simulator.fault.TrialClocks;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Optional;
import java.util.function.IntUnaryOperator;

/**
 * One trial group of a plan, compiled for sampling.
 *
 * @param group the group's index in the workload
 * @param chain the index of its chain
 * @param after indices of the groups that must end before this group starts
 * @param trials number of trials
 * @param workS units × seconds per unit of one trial and its checkpoints before the last unit,
 *     without random variation
 * @param teamSize instances per trial; 1 unless a trial is larger than an instance
 * @param teams number of teams (or single instances) that run trials
 * @param perTeam concurrent trials per team
 * @param share fraction of the GPUs of each of its instances that a trial uses
 * @param requested number of instances requested at the start of the group
 * @param kept number of instances that the next group keeps
 * @param spare number of idle instances that are kept until the group ends
 * @param last whether the group is the last of its chain
 * @param x factor {@code X} of each trial, including what it repeats after torn checkpoints
 * @param startups start-up seconds of each trial, including those after torn checkpoints
 * @param tornCounts how often the last checkpoint of each trial is torn
 * @param units units that each trial is trained
 * @param resumes whether trials resume from their checkpoints
 * @param checkpoints when trials save checkpoints
 * @param checkpointS mean seconds to write a checkpoint
 * @param hazards rates of faults
 * @param faults uniform draws of each trial, from which its first crash or hang follows
 * @param faultStreams the streams of what follows these faults, by sample
 * @param promotion the trials that continue; empty if it does not matter where they ran
 * @param targets by trial: after how many units it reports the metric that ends the search, or 0;
 *     empty if no trial of the plan does
 */
// An array, because the sampling loop reads it; equality of these records is not used.
@SuppressWarnings("ArrayRecordComponent")
@RecordBuilder
public record CompiledGroup(
    int group,
    int chain,
    int[] after,
    int trials,
    double workS,
    int teamSize,
    int teams,
    int perTeam,
    double share,
    int requested,
    int kept,
    int spare,
    boolean last,
    DrawTable x,
    DrawTable startups,
    DrawTable tornCounts,
    int units,
    boolean resumes,
    CheckpointSchedule checkpoints,
    double checkpointS,
    FaultHazards hazards,
    DrawTable faults,
    RandomStreams faultStreams,
    Optional<Promotion> promotion,
    int[] targets) {
  /**
   * Returns what a trial of {@code group} trains again after a torn checkpoint, as a fraction: its
   * units since the checkpoint before, or all of them if it cannot resume.
   */
  public static double tornFraction(TrialGroup group, CheckpointSchedule checkpoints) {
    return tornFraction(group.units(), !group.fromScratch(), checkpoints);
  }

  /**
   * Returns the clocks of the faults of its trials.
   *
   * @param hasFaults whether there are any
   */
  public TrialClocks clocks(boolean hasFaults) {
    return TrialClocks.of(hasFaults, hazards, faults, IntUnaryOperator.identity(), faultStreams);
  }

  /** Returns roughly how many faults strike the group in a sample: for trials of average speed. */
  public double expectedFaults() {
    double waves = Math.ceil((double) trials / (teams * perTeam));
    double instancesS = waves * workS * teams * teamSize;
    return trials * workS * hazards.attemptPerS() + instancesS * hazards.instancePerS();
  }

  /** Returns after how many units a trial reports the metric that ends the search; 0 if never. */
  public int target(int trial) {
    return targets.length == 0 ? 0 : targets[trial];
  }

  /**
   * Returns the seconds from the start of a trial to the report that ends the search; infinite if
   * there is none. The trial has not been interrupted before.
   *
   * @param lastsS seconds of the trial, with what it repeats after torn checkpoints
   * @param startingS seconds of its start-ups, with those after torn checkpoints
   * @param torn how often its last checkpoint is torn, always after the report
   */
  public double targetS(int trial, double lastsS, double startingS, double torn) {
    int target = target(trial);
    if (target == 0) {
      return Double.POSITIVE_INFINITY;
    }
    if (target == units && torn == 0) {
      return lastsS;
    }
    double trainedS = (lastsS - startingS) / (1 + tornFraction() * torn);
    return startingS / (1 + torn) + trainedS * target / units;
  }

  /** Returns the same for a trial of this group. */
  public double tornFraction() {
    return tornFraction(units, resumes, checkpoints);
  }

  private static double tornFraction(int units, boolean resumes, CheckpointSchedule checkpoints) {
    return (double) (units - checkpoints.intact(units, resumes)) / units;
  }
}
