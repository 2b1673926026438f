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
import io.elastune.core.search.PresentGroup;
import io.elastune.core.search.PresentGroup.RunningTrial;
import io.elastune.simulator.sample.JointSamples;
import io.elastune.simulator.timeline.ChainsRest;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Checks samples of the rest of a run whose chains share instances. */
class ChainsRestTest {
  private static final int JOBS = RandomProblems.some(200);
  private static final int FEW_SAMPLES = 5;
  private static final int MANY_SAMPLES = 20_000;
  private static final Offset<Double> ROUNDING = within(1e-6);

  // Worked example: docs/model.md.
  private static final double QUEUE_S = 15;
  private static final double BOOT_S = 60;
  private static final double STARTUP_S = 10;
  private static final double UNIT_S = 30;
  private static final double RUNNING_S = 20;
  private static final double NOW_S = 500;
  private static final double MEAN_S = 200;
  private static final FaultRate NONE = FaultRate.assumed(0);
  private static final FaultRate OFTEN = FaultRate.assumed(3600 / MEAN_S);
  private static final Offer OFFER = WorkedExample.offer(0);
  private static final double USD_PER_S = OFFER.usdPerHour() / 3600;

  /** Before anything has happened, the rest is the search, also with faults: one program. */
  @Test
  void equalsEachSampleOfThePredictionAtTheStart() {
    int compared = 0;
    for (int seed = 0; seed < JOBS; seed++) {
      RandomProblems jobs = new RandomProblems(seed, seed % 2 == 0);
      Problem random = jobs.withFaults(jobs.problem());
      Problem problem = random.with(List.of(random.offers().get(0)), random.profiles());
      List<Chain> chains = problem.workload().chains();
      if (chains.size() == 1) {
        continue;
      }
      Plan plan = ReferencePoolFaultsTest.plan(problem, new Random(seed));
      JointSamples whole = new Simulator(problem, FEW_SAMPLES).sample(plan);
      List<PresentGroup> present =
          chains.stream().map(chain -> PresentGroup.waiting(chain.groups().get(0))).toList();
      JointSamples rest =
          new ChainsRest(problem, new ChainsRest.Start(0, 0, List.of(), present), FEW_SAMPLES)
              .sample(plan, FEW_SAMPLES);

      assertThat(rest.completionS())
          .as("seed %d", seed)
          .containsExactly(whole.completionS(), ROUNDING);
      assertThat(rest.costUsd()).as("seed %d", seed).containsExactly(whole.costUsd(), ROUNDING);
      compared++;
    }
    assertThat(compared).isGreaterThan(JOBS / 4);
  }

  /**
   * Two trials of three units on an instance with one slot: one is half way through its second
   * unit, the other waits with a checkpoint of two. Then a group with one trial of one unit.
   */
  @Test
  void playsTheRestFromThePresentState() {
    TrialGroup group = new TrialGroup("1", 2, 0, 3);
    Problem problem = problem(List.of(group, new TrialGroup("2", 1, 3, 4)));
    PresentGroup present =
        new PresentGroup(group, List.of(new RunningTrial(1, 0, 0, 4, 1.5 * UNIT_S)), List.of(2));
    RentedInstance held = new RentedInstance(OFFER.name(), RUNNING_S, RUNNING_S + BOOT_S, 100);
    JointSamples samples =
        new ChainsRest(problem, new ChainsRest.Start(NOW_S, 7, List.of(held), List.of(present)), 1)
            .sample(plan(problem, 4), 1);
    double fasterUnitS = problem.profiles().get("V100").secondsPerUnit(4).orElseThrow();

    double endS = NOW_S + 1.5 * UNIT_S + 2 * (STARTUP_S + fasterUnitS);
    assertThat(samples.completionS()).containsExactly(new double[] {endS}, ROUNDING);
    double heldUsd = Math.ceil(endS - RUNNING_S) * USD_PER_S;
    assertThat(samples.costUsd()).containsExactly(new double[] {7 + heldUsd}, within(1e-4));
  }

  /** A crash costs a start-up and the unit that it interrupts; the clock begins now. */
  @Test
  void anAttemptInProgressCrashes() {
    double[] completionS = lastTrial(NONE, OFTEN).completionS();
    double againS = Math.expm1((STARTUP_S + UNIT_S) / MEAN_S) * MEAN_S;

    assertThat(mean(completionS))
        .isCloseTo(
            NOW_S + unit(UNIT_S / 2, againS) + unit(UNIT_S, againS), standardErrors(completionS));
  }

  /** A lost instance is replaced by one that queues and boots, and may be lost, too. */
  @Test
  void aHeldInstanceIsLostAndReplaced() {
    double[] completionS = lastTrial(OFTEN, NONE).completionS();
    double survives = Math.exp(-(BOOT_S + STARTUP_S + UNIT_S) / MEAN_S);
    double againS = (QUEUE_S + (1 - survives) * MEAN_S) / survives;

    assertThat(mean(completionS))
        .isCloseTo(
            NOW_S + unit(UNIT_S / 2, againS) + unit(UNIT_S, againS), standardErrors(completionS));
  }

  /** The mean seconds of a unit of which so many are left: a fault repeats all of it. */
  private static double unit(double leftS, double againS) {
    return -Math.expm1(-leftS / MEAN_S) * (MEAN_S + againS);
  }

  /** One trial of three units runs, one of which has a checkpoint, half way through the second. */
  private static JointSamples lastTrial(FaultRate failures, FaultRate crashes) {
    TrialGroup group = new TrialGroup("1", 1, 0, 3);
    Problem problem =
        problem(List.of(group))
            .withFaults(
                it -> new InstanceFaultRates(NONE, 0, NONE, NONE, 1, failures, NONE, 0, 0),
                it -> new TrialFaultRates(crashes, NONE, NONE));
    PresentGroup present =
        new PresentGroup(group, List.of(new RunningTrial(1, 0, 0, 1, 1.5 * UNIT_S)), List.of());
    RentedInstance held = new RentedInstance(OFFER.name(), RUNNING_S, RUNNING_S + BOOT_S, 0);
    return new ChainsRest(
            problem, new ChainsRest.Start(NOW_S, 0, List.of(held), List.of(present)), MANY_SAMPLES)
        .sample(plan(problem, 1), MANY_SAMPLES);
  }

  private static Problem problem(List<TrialGroup> groups) {
    return new Problem(
        new Workload(List.of(new Chain("", groups))),
        List.of(OFFER),
        Map.of("V100", WorkedExample.profile(0, 0)),
        new IntRange(1, 8),
        WorkedExample.NO_LIMITS,
        HourlyCosts.NONE,
        1);
  }

  /** Each trial uses so many GPUs of the only instance. */
  private static Plan plan(Problem problem, int gpus) {
    Map<String, Allocation> allocations = new TreeMap<>();
    for (TrialGroup group : problem.workload().groups()) {
      allocations.put(group.name(), new Allocation(OFFER.name(), 1, gpus, 1));
    }
    return new Plan(false, allocations);
  }

  private static Offset<Double> standardErrors(double[] values) {
    double mean = mean(values);
    double variance =
        DoubleStream.of(values).map(it -> (it - mean) * (it - mean)).average().orElseThrow();
    return within(4 * Math.sqrt(variance / values.length));
  }

  private static double mean(double[] values) {
    return DoubleStream.of(values).average().orElseThrow();
  }
}
