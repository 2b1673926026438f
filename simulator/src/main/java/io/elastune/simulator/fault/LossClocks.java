package io.elastune.simulator.fault;

import io.elastune.core.random.RandomStreams;
import io.elastune.simulator.draw.HazardDraws;
import io.elastune.simulator.instance.LeaseDraws;
import io.elastune.simulator.instance.LeasePlan;
import java.util.Arrays;
import java.util.PrimitiveIterator;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;

/**
 * What decides when the instances of one chain are lost in one sample (docs/model.md, "Faults").
 * Each instance has a clock, which runs from running to release, also without use: a fault strikes
 * it when its hazard reaches a draw. The draws belong to the instance by its number in order of
 * request, so that they do not depend on the other instances. The hazard until the first fault of a
 * planned instance is in {@link LeaseDraws#hazards}, that of others in {@link
 * LeasePlan.Replacement}.
 */
public final class LossClocks {
  private final RandomStreams streams;

  /**
   * @param streams those of what follows faults of the chain in the sample
   */
  public LossClocks(RandomStreams streams) {
    this.streams = streams;
  }

  /**
   * What a fault of an instance does.
   *
   * @param lost the instances that are lost, by number, the struck one first; empty if the fault
   *     does not count
   * @param isPreemption whether they are preempted; otherwise, one has failed
   * @param nextHazard the hazard until the next fault of the struck instance, if it is not lost
   */
  // An array, because it is read in a loop; equality of these records is not used.
  @SuppressWarnings("ArrayRecordComponent")
  public record Losses(int[] lost, boolean isPreemption, double nextHazard) {
    /** Nothing is lost, and no further fault strikes the instance. */
    public static final Losses NONE = new Losses(new int[0], false, Double.POSITIVE_INFINITY);
  }

  /**
   * Returns what the next fault of an instance does. A preemption of several instances strikes each
   * of them, so it counts only for one of them.
   *
   * @param number its number
   * @param before the faults that have struck it before, none of which counted
   * @param running the instances that are running, by number, in ascending order
   * @param hazards the rates of an instance, by number
   */
  public Losses losses(
      int number, int before, PrimitiveIterator.OfInt running, IntFunction<FaultHazards> hazards) {
    RandomGenerator random = streams.at("loss").at(number).at(before).open();
    FaultHazards own = hazards.apply(number);
    if (HazardDraws.fraction(random) * own.instancePerS() < own.failurePerS()) {
      return new Losses(new int[] {number}, false, Double.POSITIVE_INFINITY);
    }
    double nextHazard = HazardDraws.hazard(random);
    // Drawn first: of many instances, the first few that are included show that it does not count.
    double share = HazardDraws.fraction(random);
    int[] lost = {number};
    int count = 1;
    while (share * count < 1 && running.hasNext()) {
      int other = running.nextInt();
      if (other != number
          && hazards.apply(other).preemptionPerS() > 0
          && HazardDraws.fraction(random) < own.instances().preemptedTogether()) {
        lost = count < lost.length ? lost : Arrays.copyOf(lost, 2 * count);
        lost[count++] = other;
      }
    }
    return share * count < 1
        ? new Losses(Arrays.copyOf(lost, count), true, Double.POSITIVE_INFINITY)
        : new Losses(new int[0], true, nextHazard);
  }
}
