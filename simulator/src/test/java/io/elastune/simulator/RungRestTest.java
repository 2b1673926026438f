package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.faults.FaultRate;
import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.faults.TrialFaultRates;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RentedInstance;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.RungRule.Variant;
import io.elastune.core.plan.RungRuleBuilder;
import io.elastune.core.plan.Workload;
import io.elastune.core.search.RungProgress;
import io.elastune.core.search.RungProgress.IssuedTask;
import io.elastune.core.search.RungSearch;
import io.elastune.core.search.RungState;
import io.elastune.core.search.SearchDecision.Train;
import io.elastune.core.search.SearchEvent;
import io.elastune.simulator.sample.JointSamples;
import io.elastune.simulator.timeline.RungRest;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import org.assertj.core.data.Offset;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/** Checks samples of the rest of an asynchronous search. */
class RungRestTest {
  private static final int SAMPLES = 640;
  private static final int NO_PROMOTION = 1_000;
  private static final int FEW_SAMPLES = 10;
  private static final int MANY_SAMPLES = 20_000;
  private static final int JOBS = RandomProblems.some(100);
  private static final Offset<Double> DIGITS = within(1e-9);
  private static final Offset<Double> ROUNDING = within(1e-6);

  // Worked example: docs/model.md.
  private static final double QUEUE_S = 15;
  private static final double BOOT_S = 60;
  private static final double STARTUP_S = 10;
  private static final double UNIT_S = 30;
  private static final double RUNNING_S = 20;
  private static final double NOW_S = 500;
  private static final double MEAN_S = 200;
  private static final FaultRate PER_HOUR = FaultRate.assumed(3600 / MEAN_S);

  private static final Percentage CLOSE = Percentage.withPercentage(2);

  private final Problem problem = RungPredictionTest.problem(List.of(1, 2, 4, 8), 16, 2);
  private final RungSearch search = new RungSearch(problem.workload().rungs().orElseThrow());

  /** Before anything has happened, the rest is the search. */
  @Test
  void equalsThePredictionAtTheStart() {
    for (String sizes : List.of("2×1 2×1", "2×1 2×2", "4×1 3×4")) {
      Plan plan = RungPredictionTest.plan(sizes, false);
      JointSamples whole = new Simulator(problem, SAMPLES).sample(plan);
      JointSamples rest = rest(0, new RungProgress(search.initial(), List.of()), List.of(), plan);

      assertThat(mean(rest.completionS())).isCloseTo(mean(whole.completionS()), CLOSE);
      assertThat(mean(rest.costUsd())).isCloseTo(mean(whole.costUsd()), CLOSE);
    }
  }

  /**
   * The same with faults, in each sample: there is one program. No trial is promoted, because
   * results are drawn from those so far, and not as in a prediction.
   */
  @Test
  void equalsEachSampleOfThePredictionWithFaultsAtTheStart() {
    int struck = 0;
    for (int seed = 0; seed < JOBS; seed++) {
      RandomProblems jobs = new RandomProblems(seed, true);
      Problem problemOfSeed = RungFaultsTest.problem(jobs.problem(), seed);
      RungRule rule =
          RungRuleBuilder.builder(problemOfSeed.workload().rungs().orElseThrow())
              .eta(NO_PROMOTION)
              .variant(Variant.PROMOTION)
              .finishBest(false)
              .build();
      Problem faulty = jobs.withFaults(problemOfSeed.withWorkload(Workload.of(rule)));
      RungSearch its = new RungSearch(rule);
      Plan plan = RungFaultsTest.plan(faulty, seed);
      JointSamples whole = new Simulator(faulty, FEW_SAMPLES).sample(plan);
      JointSamples rest =
          new RungRest(
                  faulty,
                  new RungRest.Start(0, 0, new RungProgress(its.initial(), List.of()), List.of()),
                  FEW_SAMPLES)
              .sample(plan, FEW_SAMPLES, Integer.MAX_VALUE, false);

      assertThat(rest.completionS())
          .as("seed %d", seed)
          .containsExactly(whole.completionS(), ROUNDING);
      assertThat(rest.costUsd()).as("seed %d", seed).containsExactly(whole.costUsd(), ROUNDING);
      struck += faulty.hasFaults() ? 1 : 0;
    }
    assertThat(struck).isPositive();
  }

  /**
   * One task of three units runs, one of which has a checkpoint, and it is half way through the
   * second. A crash costs a start-up and the unit that it interrupts; the clock begins now.
   */
  @Test
  void anAttemptInProgressCrashes() {
    JointSamples samples = lastTask(none(), PER_HOUR);
    double againS = Math.expm1((STARTUP_S + UNIT_S) / MEAN_S) * MEAN_S;
    double expectedS = unit(UNIT_S / 2, againS) + unit(UNIT_S, againS);

    assertThat(mean(samples.completionS()))
        .isCloseTo(NOW_S + expectedS, standardErrors(samples.completionS()));
    double heldS = NOW_S + expectedS - RUNNING_S;
    double usdPerS = problem.offers().get(0).usdPerHour() / 3600;
    // It is billed by the second, half a second too much on average.
    assertThat(mean(samples.costUsd()))
        .isCloseTo((heldS + 0.5) * usdPerS, standardErrors(samples.costUsd()));
  }

  /** The same where the instance is lost: a replacement queues and boots, and may be lost, too. */
  @Test
  void aHeldInstanceIsLostAndReplaced() {
    JointSamples samples = lastTask(PER_HOUR, none());
    double survives = Math.exp(-(BOOT_S + STARTUP_S + UNIT_S) / MEAN_S);
    double againS = (QUEUE_S + (1 - survives) * MEAN_S) / survives;
    double expectedS = unit(UNIT_S / 2, againS) + unit(UNIT_S, againS);

    assertThat(mean(samples.completionS()))
        .isCloseTo(NOW_S + expectedS, standardErrors(samples.completionS()));
  }

  /** The mean seconds of a unit of which so many are left: a fault repeats all of it. */
  private static double unit(double leftS, double againS) {
    return -Math.expm1(-leftS / MEAN_S) * (MEAN_S + againS);
  }

  private static FaultRate none() {
    return FaultRate.assumed(0);
  }

  private static JointSamples lastTask(FaultRate failures, FaultRate crashes) {
    Problem two =
        RungPredictionTest.problem(List.of(1, 4), 2, 2)
            .withFaults(
                offer ->
                    new InstanceFaultRates(none(), 0, none(), none(), 1, failures, none(), 0, 0),
                profile -> new TrialFaultRates(crashes, none(), none()));
    RungSearch its = new RungSearch(two.workload().rungs().orElseThrow());
    RungState state = its.initial();
    for (int trial = 1; trial <= 2; trial++) {
      state = its.step(state, new SearchEvent.Fits()).state();
    }
    for (int trial = 1; trial <= 2; trial++) {
      state = its.step(state, new SearchEvent.Reached(trial, trial, false)).state();
    }
    state = its.step(state, new SearchEvent.Fits()).state();
    IssuedTask last = new IssuedTask(new Train(1, 1, 1, 4), 2, 0, 0, 1, 1.5 * UNIT_S);
    RentedInstance held =
        new RentedInstance(two.offers().get(0).name(), RUNNING_S, RUNNING_S + BOOT_S, 0);
    return new RungRest(
            two,
            new RungRest.Start(NOW_S, 0, new RungProgress(state, List.of(last)), List.of(held)),
            MANY_SAMPLES)
        .sample(RungPredictionTest.plan("1×1 1×1", false), MANY_SAMPLES, 1, false);
  }

  private static Offset<Double> standardErrors(double[] values) {
    double mean = mean(values);
    double variance =
        DoubleStream.of(values).map(it -> (it - mean) * (it - mean)).average().orElseThrow();
    return within(4 * Math.sqrt(variance / values.length));
  }

  /** Instances that are not available are not predicted. */
  @Test
  void requestsNoMoreInstancesThanAllowed() {
    RungProgress progress = new RungProgress(search.initial(), List.of());
    RungRest rest =
        new RungRest(problem, new RungRest.Start(0, 0, progress, List.of(held())), SAMPLES);

    JointSamples one = rest.sample(RungPredictionTest.plan("1×1 1×1", false), SAMPLES, 1, false);
    JointSamples four = rest.sample(RungPredictionTest.plan("4×1 4×1", false), SAMPLES, 1, false);

    assertThat(four.completionS()).isEqualTo(one.completionS());
    assertThat(four.costUsd()).isEqualTo(one.costUsd());
  }

  /** Fewer instances than are held: the last ones end their tasks, and start no more. */
  @Test
  void endsTasksOnInstancesThatAPlanHasNoUseFor() {
    RungState state = search.initial();
    List<IssuedTask> tasks = new ArrayList<>();
    for (int trial = 1; trial <= 12; trial++) {
      state = search.step(state, new SearchEvent.Fits()).state();
      int place = trial - 1;
      tasks.add(new IssuedTask(new Train(trial, 0, 0, 1), 0, place / 4, place % 4, 1, 20));
    }
    RungProgress progress = new RungProgress(state, tasks);
    List<RentedInstance> held = List.of(held(), held(), held());

    JointSamples all = rest(100, progress, held, RungPredictionTest.plan("3×1 3×1", false));
    JointSamples one = rest(100, progress, held, RungPredictionTest.plan("1×1 1×1", false));

    assertThat(mean(one.completionS())).isGreaterThan(mean(all.completionS()) + 60);
    assertThat(mean(one.costUsd())).isLessThan(mean(all.costUsd()));
    // As the program before it had faults.
    assertThat(mean(all.completionS())).isCloseTo(389.5, DIGITS);
    assertThat(mean(all.costUsd())).isCloseTo(2.624321875, DIGITS);
    assertThat(mean(one.completionS())).isCloseTo(513.46875, DIGITS);
    assertThat(mean(one.costUsd())).isCloseTo(2.45979375, DIGITS);
  }

  /** One task is left on each of two instances: after the move of one, the other has both. */
  @Test
  void movesTasksToFewerInstances() {
    RungState state = search.initial();
    while (state.phase() == RungState.Phase.OPEN) {
      state = search.step(state, new SearchEvent.Fits()).state();
    }
    for (int trial = 1; trial <= 16; trial++) {
      state = search.step(state, new SearchEvent.Reached(trial, trial, false)).state();
    }
    for (int task = 1; task <= 8; task++) {
      state = search.step(state, new SearchEvent.Fits()).state();
    }
    for (int trial = 1; trial <= 6; trial++) {
      state = search.step(state, new SearchEvent.Dropped(trial)).state();
    }
    List<IssuedTask> tasks =
        List.of(
            new IssuedTask(new Train(7, 1, 1, 2), 1, 0, 0, 1, 500),
            new IssuedTask(new Train(8, 1, 1, 2), 1, 1, 0, 1, 500));
    RungProgress progress = new RungProgress(state, tasks);
    Plan plan = RungPredictionTest.plan("2×1 1×1", false);
    RungRest rest =
        new RungRest(
            problem, new RungRest.Start(100, 0, progress, List.of(held(), held())), SAMPLES);

    assertThat(rest.canMove(plan)).isTrue();
    assertThat(rest.canMove(RungPredictionTest.plan("2×1 1×4", false))).as("no room").isFalse();
    JointSamples moved = rest.sample(plan, SAMPLES, Integer.MAX_VALUE, true);
    JointSamples stayed = rest.sample(plan, SAMPLES, Integer.MAX_VALUE, false);

    assertThat(mean(moved.costUsd())).isLessThan(mean(stayed.costUsd()));
    // As the program before it had faults.
    assertThat(mean(moved.completionS())).isCloseTo(800, DIGITS);
    assertThat(mean(moved.costUsd())).isCloseTo(2.992, DIGITS);
    assertThat(mean(stayed.costUsd())).isCloseTo(4.692, DIGITS);
  }

  private RentedInstance held() {
    return new RentedInstance(problem.offers().get(0).name(), 10, 75, 25);
  }

  private JointSamples rest(
      double atS, RungProgress progress, List<RentedInstance> held, Plan plan) {
    return new RungRest(problem, new RungRest.Start(atS, 0, progress, held), SAMPLES)
        .sample(plan, SAMPLES, Integer.MAX_VALUE, false);
  }

  private static double mean(double[] values) {
    return DoubleStream.of(values).average().orElseThrow();
  }
}
