package io.elastune.simulator;

import io.elastune.core.random.RandomStreams;
import java.util.random.RandomGenerator;

/**
 * What decides when the instances of one chain are lost in one sample (docs/model.md, "Faults").
 * Each instance has a clock, which runs from running to release, also without use: a fault strikes
 * it when its hazard reaches a draw. The draws belong to the instance by its number in order of
 * request, so that they do not depend on the other instances. The hazard until the first fault of a
 * planned instance is in {@link LeaseDraws#hazards}.
 */
final class LossClocks {
  private final RandomStreams streams;

  /**
   * @param streams those of what follows faults of the chain in the sample
   */
  LossClocks(RandomStreams streams) {
    this.streams = streams;
  }

  /** Returns the hazard until the first fault of an instance that replaces another one. */
  double hazardOfReplacement(int number) {
    return HazardDraws.hazard(streams.at("replacement").at(number).at("loss").open());
  }

  /**
   * Returns the fault that strikes an instance next.
   *
   * @param number its number
   * @param hazards the rates of its offer
   * @param before the faults that have struck it before, none of which counted
   */
  Fault fault(int number, FaultHazards hazards, int before) {
    return new Fault(streams.at("loss").at(number).at(before).open(), hazards);
  }

  /** One fault of an instance. Its methods draw, so they are called in this order, each once. */
  static final class Fault {
    private final RandomGenerator random;
    private final FaultHazards hazards;

    private Fault(RandomGenerator random, FaultHazards hazards) {
      this.random = random;
      this.hazards = hazards;
    }

    /**
     * Whether it is a preemption; otherwise, the instance alone fails, and nothing else is drawn.
     */
    boolean isPreemption() {
      return HazardDraws.fraction(random) * hazards.instancePerS() >= hazards.failurePerS();
    }

    /**
     * Whether the preemption includes another running instance. Called for each of them, by number.
     */
    boolean includes(FaultHazards other) {
      return other.preemptionPerS() > 0
          && HazardDraws.fraction(random) < hazards.instances().preemptedTogether();
    }

    /**
     * Whether a preemption counts. One of several instances strikes each of them, so it counts only
     * for one of them.
     *
     * @param lost the number of instances that it includes
     */
    boolean counts(int lost) {
      return HazardDraws.fraction(random) * lost < 1;
    }

    /** Returns the hazard until the next fault of the instance, if this one does not count. */
    double nextHazard() {
      return HazardDraws.hazard(random);
    }
  }
}
