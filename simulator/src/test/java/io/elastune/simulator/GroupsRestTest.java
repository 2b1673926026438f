package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.IntRange;
import io.elastune.core.billing.HourlyCosts;
import io.elastune.core.faults.FaultRate;
import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.faults.TrialFaultRates;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RentedInstance;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.simulator.instance.PresentInstances;
import io.elastune.simulator.sample.JointSamples;
import io.elastune.simulator.timeline.GroupsRest;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Checks samples of the rest of a run whose chains have instances of their own. */
class GroupsRestTest {
  private static final int JOBS = RandomProblems.some(200);
  private static final int FEW_SAMPLES = 4;
  private static final int MANY_SAMPLES = 16_384;
  private static final Offset<Double> ROUNDING = within(1e-6);

  // Worked example: docs/model.md.
  private static final double QUEUE_S = 15;
  private static final double BOOT_S = 60;
  private static final double STARTUP_S = 10;
  private static final double RUNNING_S = 20;
  private static final double FROM_S = 500;
  private static final double MEAN_S = 200;
  private static final double SETTLED_USD = 7;
  private static final double DEVIATION_S = 50;
  private static final FaultRate OFTEN = FaultRate.assumed(3600 / MEAN_S);
  private static final FaultRate RARELY = FaultRate.assumed(1e-9);
  private static final Offer OFFER = WorkedExample.offer(0);
  private static final Offer OTHER =
      WorkedExample.offer("other", "V100", 4, WorkedExample.EC2, OFFER.queueS(), OFFER.bootS());
  private static final double USD_PER_S = OFFER.usdPerHour() / 3600;
  private static final double UNIT_S = WorkedExample.profile(0, 0).secondsPerUnit(4).orElseThrow();

  /** Before anything has happened, the rest is the search, also with faults. */
  @Test
  void equalsEachSampleOfThePredictionAtTheStart() {
    for (long seed = 0; seed < JOBS; seed++) {
      RandomProblems jobs = new RandomProblems(seed, true);
      Problem problem =
          GroupsPolicyTest.varied(jobs.withFaults(jobs.problem()), true)
              .withKeepAlive(seed % 2 == 0);
      Plan plan = jobs.plan(problem);
      JointSamples whole = new Simulator(problem, FEW_SAMPLES).sample(plan);
      List<GroupsRest.ChainStart> chains =
          Collections.nCopies(
              problem.workload().chains().size(),
              new GroupsRest.ChainStart(PresentInstances.NONE, 0, Optional.empty()));
      JointSamples rest =
          new GroupsRest(problem, new GroupsRest.Start(0, chains), FEW_SAMPLES).sample(plan);

      assertThat(rest.completionS())
          .as("seed %d", seed)
          .containsExactly(whole.completionS(), ROUNDING);
      assertThat(rest.costUsd()).as("seed %d", seed).containsExactly(whole.costUsd(), ROUNDING);
    }
  }

  /** The first group needs two of three instances: the last one to be ready is released. */
  @Test
  void keepsTheInstancesThatAreReadyFirst() {
    JointSamples samples = sample(problem(2), 2, OFFER, 0);

    double endS = FROM_S + STARTUP_S + UNIT_S;
    assertThat(samples.completionS()).containsExactly(new double[] {endS}, ROUNDING);
    assertThat(samples.costUsd())
        .containsExactly(
            new double[] {
              SETTLED_USD
                  + usd(endS - RUNNING_S)
                  + usd(endS - 4 * RUNNING_S)
                  + usd(FROM_S - 9 * RUNNING_S)
            },
            ROUNDING);
  }

  /** The fourth instance is requested at the barrier, and its trial starts when it is ready. */
  @Test
  void requestsWhatIsLacking() {
    JointSamples samples = sample(problem(4), 4, OFFER, 0);

    double endS = FROM_S + STARTUP_S + UNIT_S;
    // The trial that waits finds a free instance before the new one is ready.
    assertThat(samples.completionS())
        .containsExactly(new double[] {Math.min(endS, newEndS()) + STARTUP_S + UNIT_S}, ROUNDING);
  }

  /** All instances that are held are released at the barrier. */
  @Test
  void anotherOfferKeepsNone() {
    JointSamples samples = sample(problem(1), 1, OTHER, 0);

    assertThat(samples.completionS()).containsExactly(new double[] {newEndS()}, ROUNDING);
    assertThat(samples.costUsd())
        .containsExactly(
            new double[] {
              SETTLED_USD
                  + usd(FROM_S - RUNNING_S)
                  + usd(FROM_S - 4 * RUNNING_S)
                  + usd(FROM_S - 9 * RUNNING_S)
                  + usd(newEndS() - FROM_S - QUEUE_S)
            },
            ROUNDING);
  }

  /** A lost instance is replaced by one that queues and boots, and may be lost, too. */
  @Test
  void heldInstancesAreLostAndReplaced() {
    double[] completionS = lossy(OFTEN, 0).completionS();
    double survives = Math.exp(-(BOOT_S + STARTUP_S + UNIT_S) / MEAN_S);
    double againS = (QUEUE_S + (1 - survives) * MEAN_S) / survives;
    double meanS = -Math.expm1(-(STARTUP_S + UNIT_S) / MEAN_S) * (MEAN_S + againS);

    assertThat(mean(completionS)).isCloseTo(FROM_S + meanS, standardErrors(completionS));
  }

  /** Three instances are billed until the barrier, and one until the end. */
  @Test
  void costsVaryWithTheBarrier() {
    JointSamples samples = lossy(RARELY, DEVIATION_S);
    double afterS = STARTUP_S + UNIT_S;

    for (int sample = 0; sample < samples.costUsd().length; sample++) {
      double atS = samples.completionS()[sample] - afterS;
      assertThat(samples.costUsd()[sample])
          .isCloseTo(
              SETTLED_USD
                  + usd(atS + afterS - RUNNING_S)
                  + usd(atS - 4 * RUNNING_S)
                  + usd(atS - 9 * RUNNING_S),
              within(1e-3));
    }
    assertThat(variance(samples.completionS())).isGreaterThan(DEVIATION_S);
  }

  /** The time of the barrier varies, and its mean does not. */
  @Test
  void barriersAreNotCertain() {
    double[] certainS = lossy(OFTEN, 0).completionS();
    double[] completionS = lossy(OFTEN, DEVIATION_S).completionS();

    assertThat(mean(completionS)).isCloseTo(mean(certainS), within(0.1));
    assertThat(variance(completionS))
        .isCloseTo(variance(certainS) + DEVIATION_S * DEVIATION_S, within(400.0));
  }

  private static double newEndS() {
    return FROM_S + QUEUE_S + BOOT_S + STARTUP_S + UNIT_S;
  }

  private static JointSamples lossy(FaultRate failures, double deviationS) {
    FaultRate none = FaultRate.assumed(0);
    Problem problem =
        problem(1)
            .withFaults(
                it -> new InstanceFaultRates(none, 0, none, none, 1, failures, none, 0, 0),
                it -> TrialFaultRates.NONE);
    return sample(problem, 1, OFFER, deviationS);
  }

  /** Three instances are held. Each of those that the plan has runs one trial at a time. */
  private static JointSamples sample(
      Problem problem, int instances, Offer offer, double deviationS) {
    List<RentedInstance> held = List.of(held(9), held(1), held(4));
    GroupsRest.ChainStart chain =
        new GroupsRest.ChainStart(new PresentInstances(held, FROM_S), deviationS, Optional.empty());
    Plan plan = new Plan(false, Map.of("1", new Allocation(offer.name(), instances, 4, 1)));
    return new GroupsRest(problem, new GroupsRest.Start(SETTLED_USD, List.of(chain)), MANY_SAMPLES)
        .sample(plan);
  }

  private static RentedInstance held(int times) {
    return new RentedInstance(OFFER.name(), times * RUNNING_S, times * RUNNING_S + BOOT_S, 0);
  }

  private static Problem problem(int trials) {
    return new Problem(
        new Workload(List.of(new Chain("", List.of(new TrialGroup("1", trials, 0, 1))))),
        List.of(OFFER, OTHER),
        Map.of("V100", WorkedExample.profile(0, 0)),
        new IntRange(1, 8),
        WorkedExample.NO_LIMITS,
        HourlyCosts.NONE,
        1);
  }

  private static double usd(double seconds) {
    return Math.ceil(seconds - 1e-6) * USD_PER_S;
  }

  private static Offset<Double> standardErrors(double[] values) {
    return within(4 * Math.sqrt(variance(values) / values.length));
  }

  private static double mean(double[] values) {
    return DoubleStream.of(values).average().orElseThrow();
  }

  private static double variance(double[] values) {
    double mean = mean(values);
    return DoubleStream.of(values).map(it -> (it - mean) * (it - mean)).average().orElseThrow();
  }
}
