package io.elastune.cli.inspect;

import io.elastune.core.IntRange;
import io.elastune.core.Spread;
import io.elastune.core.billing.HourlyCosts;
import io.elastune.core.config.JobFile;
import io.elastune.core.config.Overrides;
import io.elastune.core.estimate.CostBreakdown;
import io.elastune.core.estimate.Distribution;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.estimate.SamplingError;
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
import io.elastune.executor.decision.model.HangLimit;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunDefinitionBuilder;
import io.elastune.executor.journal.RunMeta;
import io.elastune.executor.journal.RunMetaBuilder;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * A test job: four trials for one unit on two instances, then two trials for two more units on one
 * instance, at $36 per hour and instance.
 */
public final class SmallTestJob {
  private static final String OFFER = "local/duo/on-demand";
  private static final Metric METRIC = new Metric("acc", Metric.Goal.MAXIMIZE);

  private SmallTestJob() {}

  /** Returns metadata with a deadline of 1 min, a budget of $2 and $0.05 spent on profiling. */
  public static RunMeta meta() {
    Distribution time = new Distribution(40, 38, 40, 45);
    Distribution cost = new Distribution(0.6, 0.5, 0.6, 0.7);
    Estimate estimate =
        new Estimate(
            time,
            cost,
            0.99,
            OptionalDouble.of(1),
            0,
            1000,
            new SamplingError(0.1, 0.01),
            new CostBreakdown(0.4, 0.1, 0.1, 0, 0),
            List.of());
    return RunMeta.builder()
        .kind(RunMeta.Kind.TUNE)
        .version("0.1")
        .jobFile("job.yaml")
        .job("")
        .plan("{}")
        .unit("epoch")
        .metric(METRIC)
        .budgetUsd(OptionalDouble.of(2))
        .notional(true)
        .profilingRun(Optional.of("small-20261123-p"))
        .profilingUsd(0.05)
        .predicted(Optional.of(RunMeta.Predicted.of(estimate)))
        .jobFolder("/jobs")
        .checkpoints("/checkpoints")
        .build();
  }

  /** Returns the metadata of a profiling run, without prediction and budget. */
  static RunMeta profilingMeta() {
    return RunMeta.builder()
        .kind(RunMeta.Kind.PROFILE)
        .version("0.1")
        .jobFile("job.yaml")
        .job("")
        .plan("{}")
        .unit("epoch")
        .metric(METRIC)
        .notional(true)
        .profilingUsd(0)
        .jobFolder("/jobs")
        .checkpoints("/checkpoints")
        .build();
  }

  /** Returns {@link #meta} for a job that also pays for controller and checkpoints. */
  static RunMeta metaWithRunningCosts() {
    return withJob(
        "checkpoint: {keep: 3, size_gb: 73, usd_per_gb_month: 5}",
        "resources: {controller_usd_per_hour: 12}");
  }

  /** Returns {@link #meta} for a job whose instances Fluid divides. */
  static RunMeta metaWithFluid() {
    return withJob("gpus: 1", "policy: fluid\nresources: {instances: 2}");
  }

  private static RunMeta withJob(String ofTrial, String more) {
    RunMeta meta = meta();
    String job =
        """
        name: small
        deadline: 60s
        search:
          algorithm: sha
          trials: 4
          eta: 2
          metric: {name: acc, goal: maximize}
          resource: {unit: epoch, min: 1, max: 3}
          space: {lr: {type: uniform, low: 0, high: 1}}
        trial:
          run: ./train
          %s
        %s
        """
            .formatted(ofTrial, more);
    return RunMetaBuilder.builder(meta).job(job).build();
  }

  private static HourlyCosts running(RunMeta meta, Workload workload) {
    return meta.job().isEmpty()
        ? HourlyCosts.NONE
        : JobFile.parse(meta.jobFile(), meta.job(), Overrides.NONE)
            .orThrow()
            .runningCosts(workload);
  }

  /** Returns the definition of the run {@code run} with {@code meta}. */
  public static RunDefinition definition(String run, RunMeta meta) {
    Offer offer =
        new Offer(
            "local",
            "duo",
            "cpu",
            2,
            Market.ON_DEMAND,
            36,
            PriceKind.NOTIONAL,
            BillingTerms.BY_THE_SECOND,
            Spread.NONE,
            Spread.NONE,
            0,
            0,
            1);
    Workload workload =
        new Workload(
            List.of(
                new Chain(
                    "", List.of(new TrialGroup("1", 4, 0, 1), new TrialGroup("2", 2, 1, 3)))));
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    allocations.put("1", new Allocation(OFFER, 2, 1, 1));
    allocations.put("2", new Allocation(OFFER, 1, 1, 1));
    return RunDefinitionBuilder.builder()
        .run(run)
        .workload(workload)
        .plan(new Plan(false, allocations))
        .offers(Map.of(OFFER, offer))
        .metric(METRIC)
        .maxFailures(1)
        .deadlineS(OptionalDouble.of(60))
        .deadlineMiss(Job.DeadlineMiss.FINISH)
        .forecasts(
            Map.of(
                "1",
                new RunDefinition.Forecast(16, 0.3),
                "2",
                new RunDefinition.Forecast(24, 0.25)))
        .hangLimits(Map.of("1", HangLimit.fixed(200), "2", HangLimit.fixed(200)))
        .graceS(30)
        .running(running(meta, workload))
        .build();
  }

  /** Returns {@link #meta} with another value in one row. */
  static RunMeta meta(String row, Object value) {
    Map<String, String> rows = meta().rows();
    rows.put(row, value.toString());
    return RunMeta.of(rows);
  }

  /** Returns {@code definition} with a profile, so that the run forecasts its completion. */
  static RunDefinition withForecast(RunDefinition definition) {
    Profile profile =
        Profile.builder(
                "small",
                "cpu",
                "epoch",
                new MeasurementOrigin(Instant.EPOCH, "test", 1),
                new TreeMap<>(Map.of(1, 10.0)))
            .startupS(Spread.exactly(1))
            .build();
    return RunDefinitionBuilder.builder(definition)
        .planning(
            Optional.of(
                new RunDefinition.Planning(
                    Map.of("cpu", profile),
                    new IntRange(1, 1),
                    new Limits(definition.deadlineS(), OptionalDouble.empty(), 0.95, 2, 1e9),
                    1)))
        .build();
  }
}
