package io.elastune.executor.decision;

import io.elastune.core.IntRange;
import io.elastune.core.Spread;
import io.elastune.core.billing.HourlyCosts;
import io.elastune.core.job.Budget;
import io.elastune.core.job.Job;
import io.elastune.core.job.Metric;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.profile.MeasurementOrigin;
import io.elastune.core.profile.Profile;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.HangLimit;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunDefinitionBuilder;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * The worked example of docs/model.md: SHA(16 trials, 1..8 units, eta 2) on instances with four
 * GPUs.
 */
public final class WorkedExampleRun {
  public static final Offer OFFER =
      new Offer(
          "aws/us-east-1",
          "p3.8xlarge",
          "V100",
          4,
          Market.ON_DEMAND,
          12.24,
          PriceKind.LIST,
          new BillingTerms(BillingTerms.Per.INSTANCE, 1, 60, 0),
          Spread.exactly(15),
          Spread.exactly(60),
          0,
          0,
          1);

  public static final Workload WORKLOAD =
      new Workload(
          List.of(
              new Chain(
                  "",
                  List.of(
                      new TrialGroup("1", 16, 0, 1),
                      new TrialGroup("2", 8, 1, 2),
                      new TrialGroup("3", 4, 2, 4),
                      new TrialGroup("4", 2, 4, 8)))));

  public static final Profile PROFILE =
      Profile.builder(
              "resnet50",
              "V100",
              "epoch",
              new MeasurementOrigin(Instant.EPOCH, "a paper", 1),
              new TreeMap<>(Map.of(1, 30.0, 2, 30 / 1.870, 4, 30 / 3.421, 8, 30 / 5.598)))
          .startupS(Spread.exactly(10))
          .build();

  private WorkedExampleRun() {}

  /** A plan by group: instances, GPUs per trial. */
  public static Plan plan(int[]... byGroup) {
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    for (int i = 0; i < byGroup.length; i++) {
      allocations.put(
          Integer.toString(i + 1), new Allocation(OFFER.name(), byGroup[i][0], byGroup[i][1], 1));
    }
    return new Plan(false, allocations);
  }

  public static RunDefinition definition(Plan plan) {
    return definition(plan, Optional.empty(), OptionalDouble.empty());
  }

  public static RunDefinition definition(
      Plan plan, Optional<Budget> budget, OptionalDouble deadlineS) {
    return definition(plan, budget, deadlineS, HourlyCosts.NONE);
  }

  public static RunDefinition definition(
      Plan plan, Optional<Budget> budget, OptionalDouble deadlineS, HourlyCosts running) {
    return RunDefinitionBuilder.builder()
        .run("test-1")
        .workload(WORKLOAD)
        .plan(plan)
        .offers(Map.of(OFFER.name(), OFFER))
        .metric(new Metric("acc", Metric.Goal.MAXIMIZE))
        .maxFailures(2)
        .budget(budget)
        .budgetLeftUsd(budget.map(b -> OptionalDouble.of(b.usd())).orElse(OptionalDouble.empty()))
        .deadlineS(deadlineS)
        .deadlineMiss(Job.DeadlineMiss.FINISH)
        .forecasts(Map.of())
        .hangLimits(
            Map.of(
                "1", HangLimit.fixed(200),
                "2", HangLimit.fixed(200),
                "3", HangLimit.fixed(200),
                "4", HangLimit.fixed(400)))
        .graceS(30)
        .running(running)
        .build();
  }

  /** A run of another workload on one instance, with one GPU per trial. */
  static RunDefinition definition(Workload workload) {
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    workload
        .groups()
        .forEach(g -> allocations.put(g.name(), new Allocation(OFFER.name(), 1, 1, 1)));
    return definition(workload, new Plan(false, allocations), Map.of(), Optional.empty());
  }

  /** A run of another workload and plan, which forecasts the rest by the profile. */
  public static RunDefinition forecasting(
      Workload workload, Plan plan, Map<String, HangLimit> hangLimits) {
    return forecasting(workload, plan, hangLimits, PROFILE);
  }

  /** The same with another profile. */
  public static RunDefinition forecasting(
      Workload workload, Plan plan, Map<String, HangLimit> hangLimits, Profile profile) {
    RunDefinition.Planning planning =
        new RunDefinition.Planning(
            Map.of("V100", profile),
            new IntRange(1, 8),
            new Limits(OptionalDouble.empty(), OptionalDouble.empty(), 0.95, 64, 1e9),
            1);
    return definition(workload, plan, hangLimits, Optional.of(planning));
  }

  private static RunDefinition definition(
      Workload workload,
      Plan plan,
      Map<String, HangLimit> hangLimits,
      Optional<RunDefinition.Planning> planning) {
    RunDefinition example = definition(plan(new int[][] {{1, 1}, {1, 1}, {1, 1}, {1, 1}}));
    return RunDefinitionBuilder.builder(example)
        .workload(workload)
        .plan(plan)
        .forecasts(Map.of())
        .hangLimits(hangLimits)
        .planning(planning)
        .build();
  }

  /** Returns {@code some} with other limits for hung trials. */
  static RunDefinition withHangLimits(RunDefinition some, Map<String, HangLimit> limits) {
    return RunDefinitionBuilder.builder(some).hangLimits(limits).build();
  }

  /** A smaller instance type: half the GPUs at slightly more than half the price. */
  static final Offer SMALLER =
      new Offer(
          "aws/us-east-1",
          "p3.4xlarge",
          "V100",
          2,
          Market.ON_DEMAND,
          6.5,
          PriceKind.LIST,
          new BillingTerms(BillingTerms.Per.INSTANCE, 1, 60, 0),
          Spread.exactly(15),
          Spread.exactly(60),
          0,
          0,
          1);

  /** A run that may change its plan, with at most 8 instances of the two types. */
  public static RunDefinition replanned(
      Plan plan, Optional<Budget> budget, OptionalDouble deadlineS) {
    RunDefinition fixed = definition(plan, budget, deadlineS);
    Limits limits = new Limits(deadlineS, fixed.budgetLeftUsd(), 0.95, 8, 1e9);
    return RunDefinitionBuilder.builder(fixed)
        .offers(Map.of(OFFER.name(), OFFER, SMALLER.name(), SMALLER))
        .planning(
            Optional.of(
                new RunDefinition.Planning(Map.of("V100", PROFILE), new IntRange(1, 8), limits, 1)))
        .build();
  }

  /** As {@link #punctual}, but every unit takes {@code times} as long. */
  static VirtualEnvironment.AttemptResponder slowed(double times) {
    return (attempt, script) -> {
      double unit = times * PROFILE.secondsPerUnit(attempt.places().size()).orElseThrow();
      for (int done = attempt.from() + 1; done <= attempt.to(); done++) {
        double seconds = PROFILE.startupS().mean() + (done - attempt.from()) * unit;
        script.report(seconds, done, attempt.trial() / 100.0);
      }
      double seconds = PROFILE.startupS().mean() + (attempt.to() - attempt.from()) * unit;
      script.end(seconds, 0, attempt.to(), false);
    };
  }

  /** Trains as the profile predicts; trials with higher numbers have better metrics. */
  public static void punctual(Command.StartAttempt attempt, VirtualEnvironment.Script script) {
    double unit = PROFILE.secondsPerUnit(attempt.places().size()).orElseThrow();
    double seconds = PROFILE.startupS().mean() + (attempt.to() - attempt.from()) * unit;
    script
        .report(seconds, attempt.to(), attempt.trial() / 100.0)
        .end(seconds, 0, attempt.to(), false);
  }
}
