package io.elastune.executor.rehearsal;

import io.elastune.core.IntRange;
import io.elastune.core.Spread;
import io.elastune.core.allocation.CheckpointSchedule;
import io.elastune.core.billing.HourlyCosts;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.faults.FaultRate;
import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.job.Job;
import io.elastune.core.job.Metric;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.profile.MeasurementOrigin;
import io.elastune.core.profile.Profile;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunDefinitionBuilder;
import io.elastune.executor.decision.model.RunDefinitionFactory;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.TreeMap;

/** A job of three groups on one instance type, on demand or as spot capacity of one zone. */
final class SpotJob {
  private SpotJob() {}

  /**
   * Returns an offer with a third of the price as spot capacity.
   *
   * @param failures failures per instance and hour
   * @param preemptions the same for preemptions, with two minutes of notice; 0 for on demand
   */
  static Offer offer(double failures, double preemptions) {
    boolean spot = preemptions > 0;
    return new Offer(
            spot ? "aws/us-east-1/us-east-1a" : "aws/us-east-1",
            "g5.12xlarge",
            "A10G",
            4,
            spot ? Market.SPOT : Market.ON_DEMAND,
            spot ? 1.9 : 5.672,
            PriceKind.LIST,
            new BillingTerms(BillingTerms.Per.INSTANCE, 1, 60, 0),
            new Spread(20, 0.5),
            new Spread(90, 0.4),
            0,
            0,
            1)
        .withFaults(
            new InstanceFaultRates(
                FaultRate.NONE,
                0,
                FaultRate.NONE,
                FaultRate.NONE,
                1,
                FaultRate.assumed(failures),
                FaultRate.assumed(preemptions),
                spot ? 120 : 0,
                spot ? 0.8 : 0));
  }

  /** Returns the spot offer in a zone of us-east-1. */
  static Offer spot(char zone, InstanceFaultRates rates) {
    Offer first = offer(0, 1);
    return new Offer(
            "aws/us-east-1/us-east-1" + zone,
            first.instanceType(),
            first.gpu(),
            first.gpus(),
            first.market(),
            first.usdPerHour(),
            first.price(),
            first.billing(),
            first.queueS(),
            first.bootS(),
            0,
            0,
            1)
        .withFaults(rates);
  }

  private static Profile profile(double checkpointS) {
    return Profile.builder(
            "train",
            "A10G",
            "epoch",
            new MeasurementOrigin(Instant.EPOCH, "test", 1),
            new TreeMap<>(Map.of(1, 40.0, 2, 21.4, 4, 11.7)))
        .startupS(new Spread(8, 0.3))
        .checkpointS(new Spread(checkpointS, 0.2))
        .trialCv(0.08)
        .unitCv(0.1)
        .build();
  }

  /** Returns the planning problem with a confidence of 0.9. */
  static Problem problem(OptionalDouble deadlineS, double checkpointS, List<Offer> offers) {
    List<TrialGroup> groups =
        List.of(
            new TrialGroup("1", 32, 0, 8),
            new TrialGroup("2", 8, 8, 32),
            new TrialGroup("3", 2, 32, 128));
    return new Problem(
        new Workload(List.of(new Chain("", groups))),
        offers,
        Map.of("A10G", profile(checkpointS)),
        new IntRange(1, 4),
        new Limits(deadlineS, OptionalDouble.empty(), 0.9, 16, 1e9),
        HourlyCosts.NONE,
        1);
  }

  /**
   * Returns the definition of a run.
   *
   * @param replans whether it may change its plan
   */
  static RunDefinition definition(Problem problem, Plan plan, Estimate estimate, boolean replans) {
    Map<String, Offer> offers = new TreeMap<>();
    problem.offers().forEach(offer -> offers.put(offer.name(), offer));
    Map<String, RunDefinition.Forecast> forecasts = new TreeMap<>();
    estimate
        .groups()
        .forEach(
            group ->
                forecasts.put(
                    group.group(),
                    new RunDefinition.Forecast(
                        group.endS().mean() - group.startS().mean(),
                        group.costUsd().mean(),
                        checkpointEvery(problem, plan, group.group()))));
    RunDefinition.Planning planning =
        new RunDefinition.Planning(
            problem.profiles(), problem.gpusPerTrial(), problem.limits(), problem.seed());
    return RunDefinitionBuilder.builder()
        .run("spot-1")
        .workload(problem.workload())
        .plan(plan)
        .offers(offers)
        .metric(new Metric("acc", Metric.Goal.MAXIMIZE))
        .maxFailures(2)
        .deadlineS(problem.limits().deadlineS())
        .deadlineMiss(Job.DeadlineMiss.FINISH)
        .forecasts(forecasts)
        .hangLimits(RunDefinitionFactory.hangLimits(problem, plan))
        .graceS(5)
        .running(HourlyCosts.NONE)
        .planning(replans ? Optional.of(planning) : Optional.empty())
        .build();
  }

  private static OptionalInt checkpointEvery(Problem problem, Plan plan, String name) {
    return problem.workload().groups().stream()
        .filter(group -> group.name().equals(name))
        .map(
            group -> {
              Offer offer = problem.offer(plan.of(group).offer()).orElseThrow();
              Profile profile = problem.profile(offer).orElseThrow();
              return CheckpointSchedule.of(group, offer, profile, plan.of(group));
            })
        .filter(CheckpointSchedule::decided)
        .mapToInt(CheckpointSchedule::every)
        .findFirst();
  }
}
