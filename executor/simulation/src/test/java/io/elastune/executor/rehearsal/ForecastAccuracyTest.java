package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.estimate.Estimate;
import io.elastune.core.estimate.GroupEstimate;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.properties.Tier;
import io.elastune.executor.decision.model.ReplanResponse;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunDefinitionBuilder;
import io.elastune.executor.rehearsal.RandomRehearsals.PlannedRandomJob;
import io.elastune.executor.simulation.FaultRates;
import io.elastune.executor.simulation.RandomStream;
import io.elastune.executor.simulation.SimulatedEnvironment;
import io.elastune.simulator.Simulator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.LongFunction;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

/**
 * Compares the end and the cost that forecasts expect after each report with those of the run, in
 * random jobs with spread (docs/reliability.md). {@code -Delastune.forecast.jobs=200} compares 200
 * jobs of each kind.
 */
class ForecastAccuracyTest {
  private static final int JOBS = Tier.runs("elastune.forecast.jobs", 6, 100);
  private static final int RUNS = Tier.runs("elastune.forecast.runs", 1, 5);

  @Test
  void ofGroupsOnInstancesOfTheirOwn() {
    check("groups", RandomRehearsals::of, 0.01, 0.06);
  }

  @Test
  void ofGroupsThatShareInstances() {
    check("shared instances", RandomPools::of, 0.01, 0.08);
  }

  @Test
  void ofRungs() {
    check("rungs", seed -> RungFidelityTest.job(seed, RungRule.Variant.PROMOTION), 0.02, 0.1);
  }

  @Test
  void ofGroupsUnderFluid() {
    check("groups under Fluid", RandomFluidJobs::of, 0.03, 0.08);
  }

  @Test
  void ofRungsUnderFluid() {
    check("rungs under Fluid", RandomFluidJobs::ofRungs, 0.03, 0.12);
  }

  @Test
  void ofGroupsUnderHermes() {
    check("groups under Hermes", RandomHermesJobs::of, 0.01, 0.06);
  }

  @Test
  void ofProgramsThatWait() {
    check("groups that wait", seed -> waiting(RandomRehearsals.of(seed)), 0.01, 0.08);
    check("shared instances that wait", seed -> waiting(RandomPools.of(seed)), 0.01, 0.08);
    check("groups under Fluid that wait", seed -> waiting(RandomFluidJobs.of(seed)), 0.03, 0.08);
    check(
        "rungs under Fluid that wait", seed -> waiting(RandomFluidJobs.ofRungs(seed)), 0.03, 0.12);
    check(
        "rungs that wait",
        seed -> waiting(RungFidelityTest.job(seed, RungRule.Variant.PROMOTION)),
        0.02,
        0.1);
  }

  /** Which trials continue is known, and nothing varies. */
  @Test
  void ofProgramsThatAllContinue() {
    check("groups that continue", seed -> continuing(RandomRehearsals.of(seed)), 1e-6, 1e-6);
    // Of tasks that end at once, a run may handle another one first than its prediction.
    check("shared instances that continue", seed -> continuing(RandomPools.of(seed)), 1e-3, 1e-3);
    // A unit that should have ended by now takes another hundredth of it.
    check(
        "groups under Fluid that continue",
        seed -> continuing(RandomFluidJobs.of(seed)),
        1e-3,
        1e-3);
  }

  /** Returns the job without spread, with the same trials and places in each group. */
  private static PlannedRandomJob continuing(PlannedRandomJob job) {
    PlannedRandomJob exact = exactly(waiting(job));
    List<Chain> chains =
        exact.problem().workload().chains().stream().map(ForecastAccuracyTest::continuing).toList();
    Plan plan = exact.plan();
    for (Chain chain : chains) {
      Allocation first = plan.of(chain.groups().get(0));
      for (TrialGroup group : chain.groups()) {
        plan = plan.with(group.name(), first);
      }
    }
    Problem problem = exact.problem().withWorkload(new Workload(chains));
    return new PlannedRandomJob(problem, plan);
  }

  private static Chain continuing(Chain chain) {
    int trials = Math.min(12, chain.groups().get(0).trials());
    return new Chain(
        chain.name(),
        chain.groups().stream()
            .map(group -> group.with(trials, group.fromUnit(), group.toUnit()))
            .toList());
  }

  private static PlannedRandomJob waiting(PlannedRandomJob job) {
    return KeepAliveRehearsalTest.waiting(job);
  }

  /** Nothing varies: what is left to err are results and paces that are not known yet. */
  @Test
  void withoutSpread() {
    check("groups without spread", seed -> exactly(RandomRehearsals.of(seed)), 0.01, 0.01);
    check("shared instances without spread", seed -> exactly(RandomPools.of(seed)), 0.01, 0.01);
    check(
        "groups under Fluid without spread", seed -> exactly(RandomFluidJobs.of(seed)), 0.01, 0.02);
    check(
        "groups under Hermes without spread",
        seed -> exactly(RandomHermesJobs.of(seed)),
        0.01,
        0.02);
  }

  private static PlannedRandomJob exactly(PlannedRandomJob job) {
    return RungFidelityTest.exactly(job);
  }

  /**
   * @param mean the largest mean error of the time, relative to that of the run, besides chance
   * @param meanAbsolute the largest mean absolute error
   */
  private static void check(
      String kind, LongFunction<PlannedRandomJob> jobs, double mean, double meanAbsolute) {
    List<ForecastRecorder.Errors> all = new ArrayList<>();
    for (long seed = 1; seed <= JOBS; seed++) {
      PlannedRandomJob job = jobs.apply(seed);
      RehearsedJob rehearsed = forecasting(job);
      for (long run = 1; run <= RUNS; run++) {
        ForecastRecorder.Errors errors = errors(job, rehearsed, seed, run);
        if (!errors.time().isEmpty()) {
          all.add(errors);
        }
      }
    }
    System.out.printf(
        "Forecasts of %s: %d, mean error %.2f %%, mean absolute error %.2f %%, of the cost %.2f"
            + " %%%n",
        kind,
        all.stream().mapToInt(run -> run.time().size()).sum(),
        100 * mean(all, ForecastRecorder.Errors::mean),
        100 * mean(all, ForecastRecorder.Errors::meanAbsolute),
        100 * mean(all, ForecastRecorder.Errors::meanOfCost));

    double chance = 3 * standardError(all);
    assertThat(Math.abs(mean(all, ForecastRecorder.Errors::mean))).isLessThan(mean + chance);
    assertThat(mean(all, ForecastRecorder.Errors::meanAbsolute)).isLessThan(meanAbsolute);
  }

  private static double mean(
      List<ForecastRecorder.Errors> all, ToDoubleFunction<ForecastRecorder.Errors> error) {
    return all.stream().mapToDouble(error).average().orElseThrow();
  }

  /** Returns the standard error of the mean error. */
  private static double standardError(List<ForecastRecorder.Errors> all) {
    double mean = mean(all, ForecastRecorder.Errors::mean);
    double variance = mean(all, run -> (run.mean() - mean) * (run.mean() - mean));
    return Math.sqrt(variance / all.size());
  }

  private static ForecastRecorder.Errors errors(
      PlannedRandomJob job, RehearsedJob rehearsed, long seed, long number) {
    ForecastRecorder recorder = new ForecastRecorder(rehearsed.definition());
    RehearsedRun run =
        new Rehearsal(
                rehearsed,
                definition -> recorder::step,
                (draws, state) -> environment(job, draws),
                definition -> request -> ReplanResponse.NONE)
            .run(1000 * seed + number);
    assertThat(run.violations()).as("job %d, run %d", seed, number).isEmpty();
    return recorder.errors(run);
  }

  private static SimulatedEnvironment environment(PlannedRandomJob job, long draws) {
    return new SimulatedEnvironment(
        draws,
        FaultRates.NONE,
        new ProfileBasedTraining(
                job.problem(),
                "acc",
                RandomStream.of(draws).substream("training"),
                FaultRates.NONE.trials(),
                Optional.empty())
            .of(job.plan()));
  }

  /** Returns the job with the predictions and the profiles that forecasts use. */
  private static RehearsedJob forecasting(PlannedRandomJob job) {
    Problem problem = job.problem();
    RehearsedJob plain = job.rehearsed(OptionalDouble.empty(), FaultRates.NONE);
    Estimate estimate = new Simulator(problem, 200).simulate(job.plan());
    Map<String, RunDefinition.Forecast> forecasts = new LinkedHashMap<>();
    for (GroupEstimate group : estimate.groups()) {
      forecasts.put(
          group.group(),
          new RunDefinition.Forecast(
              group.endS().mean() - group.startS().mean(),
              group.costUsd().mean(),
              OptionalInt.empty()));
    }
    Optional<RunDefinition.Planning> planning =
        problem.cluster().isPresent()
            ? Optional.empty()
            : Optional.of(
                new RunDefinition.Planning(
                    problem.profiles(), problem.gpusPerTrial(), problem.limits(), problem.seed()));
    RunDefinition definition =
        RunDefinitionBuilder.builder(plain.definition())
            .forecasts(forecasts)
            .planning(planning)
            .build();
    return new RehearsedJob(definition, plain.problem(), plain.keep(), plain.faults());
  }
}
