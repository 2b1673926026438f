package io.elastune.core.allocation;

import io.elastune.core.IntRange;
import io.elastune.core.billing.Billing;
import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.faults.TrialFaultRates;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * When the trials of a group save checkpoints before its end (docs/model.md, "Checkpoints"). Of the
 * intervals that the trials support, it has the one with the least expected time for writing
 * checkpoints and for repeating lost training.
 *
 * @param every units between two checkpoints of an attempt; 0 if it saves only after its last unit
 * @param overheadS mean seconds that a trial needs for the checkpoints before its last unit
 * @param decided whether Elastune has decided this; otherwise a checkpoint after each unit is
 *     assumed, which takes no time
 */
public record CheckpointSchedule(int every, double overheadS, boolean decided) {
  /** The schedule of trials that save as they like. */
  public static final CheckpointSchedule ASSUMED = new CheckpointSchedule(1, 0, false);

  /** Intervals up to this number are all compared. */
  private static final int FEW = 64;

  /** Other intervals are compared that are this close to the one by Young's rule. */
  private static final int NEAR = 8;

  /** Returns the schedule of {@code group} with an allocation of {@code offer}. */
  public static CheckpointSchedule of(
      TrialGroup group, Offer offer, Profile profile, Allocation allocation) {
    if (group.saves().isEmpty() || group.fromScratch()) {
      return ASSUMED;
    }
    double unitS =
        TrialsAtOnce.of(profile, group, offer, allocation)
            .secondsPerUnit(allocation.gpusPerTrial(), allocation.trialsPerGpu())
            .orElseThrow();
    Costs costs =
        new Costs(
            group.units(),
            unitS,
            profile.checkpointS().mean(),
            lossesPerS(offer, profile, SlotCounts.teamSize(offer, allocation)),
            profile.faults().tornCheckpoint().value());
    int every =
        candidates(group.saves().get(), costs)
            .boxed()
            .min(Comparator.<Integer>comparingDouble(costs::expectedS).thenComparing(costs::count))
            .orElse(0);
    return new CheckpointSchedule(every, costs.count(every) * costs.checkpointS, true);
  }

  /**
   * Returns whether trials have the time to save a checkpoint between the notice of a preemption
   * and the preemption.
   */
  public static boolean savesAtNotice(InstanceFaultRates rates, Profile profile) {
    return rates.noticeS() > 0 && rates.noticeS() >= profile.checkpointS().mean();
  }

  /** The faults of an attempt, per second, after which it repeats what it has not saved. */
  private static double lossesPerS(Offer offer, Profile profile, int team) {
    InstanceFaultRates rates = offer.faults();
    TrialFaultRates trials = profile.faults();
    double preemptions = savesAtNotice(rates, profile) ? 0 : rates.preemptions().value();
    double perHour =
        team * (rates.failures().value() + preemptions)
            + trials.crashes().value()
            + trials.hangs().value();
    return perHour / Billing.SECONDS_PER_HOUR;
  }

  private static IntStream candidates(IntRange supported, Costs costs) {
    int low = supported.low();
    int high = Math.min(supported.high(), costs.units - 1);
    IntStream none = supported.high() >= costs.units ? IntStream.of(0) : IntStream.empty();
    if (high - low < FEW) {
      return IntStream.concat(none, IntStream.rangeClosed(low, high));
    }
    double young = Math.sqrt(2 * costs.checkpointS / costs.lossesPerS) / costs.unitS;
    int middle = (int) Math.max(low, Math.min(high, Double.isNaN(young) ? low : young));
    // Equal intervals are usually best: the group in one part more or less.
    int parts = Math.max(1, costs.units / Math.max(1, middle));
    IntStream equal =
        IntStream.rangeClosed(Math.max(1, parts - NEAR), parts + NEAR)
            .map(part -> (costs.units + part - 1) / part)
            .filter(every -> every >= low && every <= high);
    IntStream near =
        IntStream.rangeClosed(Math.max(low, middle - NEAR), Math.min(high, middle + NEAR));
    return IntStream.concat(
        none, IntStream.concat(IntStream.of(low, high), IntStream.concat(equal, near)));
  }

  /**
   * What an interval costs a trial.
   *
   * @param units units of the group
   * @param checkpointS mean seconds of one checkpoint
   * @param lossesPerS faults per second after which it repeats what it has not saved
   * @param torn probability that its last checkpoint is incomplete
   */
  private record Costs(
      int units, double unitS, double checkpointS, double lossesPerS, double torn) {
    /** Checkpoints before the last unit. */
    int count(int every) {
      return every == 0 ? 0 : (units - 1) / every;
    }

    /** Expected seconds for checkpoints and for what is repeated. */
    double expectedS(int every) {
      int count = count(every);
      double partS = every * unitS + checkpointS;
      double lastS = (units - count * (double) every) * unitS;
      double repeatedS = lossesPerS * (count * partS * partS + lastS * lastS) / 2 + torn * lastS;
      return count * checkpointS + repeatedS;
    }
  }

  /** Returns the units that an attempt has saved once it has completed {@code units} of them. */
  public int saved(int units) {
    return every == 0 ? 0 : units / every * every;
  }

  /** Returns the units of a trial after its last checkpoint before the end of {@code units}. */
  public int lastUnits(int units) {
    return units - saved(units - 1);
  }

  /**
   * Returns of how many units a trial has a checkpoint if the one after the last of {@code units}
   * is torn.
   *
   * @param resumes whether it continues from checkpoints; otherwise it repeats all units
   */
  public int intact(int units, boolean resumes) {
    return resumes ? saved(units - 1) : 0;
  }

  /**
   * Returns the mean seconds of training that an attempt repeats after a fault at a random time.
   *
   * @param workS seconds of all units, with the checkpoints between them
   * @param units the number of units
   */
  public double meanLostS(double workS, int units) {
    double unitS = workS / units;
    int count = every == 0 ? 0 : (units - 1) / every;
    double partS = every * unitS;
    double lastS = workS - count * partS;
    return (count * partS * partS + lastS * lastS) / (2 * workS);
  }
}
