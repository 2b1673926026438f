package io.elastune.planner;

import io.elastune.core.IntRange;
import io.elastune.core.Spread;
import io.elastune.core.billing.HourlyCosts;
import io.elastune.core.faults.FaultRate;
import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.faults.TrialFaultRates;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.profile.MeasurementOrigin;
import io.elastune.core.profile.Profile;
import io.elastune.planner.api.Baseline;
import io.elastune.planner.api.PlanProgress;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.planner.combine.JobSearch;
import io.elastune.planner.evaluate.PlannerInputs;
import io.elastune.planner.model.ChoiceSet;
import io.elastune.planner.model.SearchParameters;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** Builds jobs for tests. */
public final class TestJobs {
  static final BillingTerms EC2 = new BillingTerms(BillingTerms.Per.INSTANCE, 1, 60, 0);

  /** ResNet-50 on V100 as measured by HyperSched; 30 s on one GPU. */
  static final Map<Integer, Double> RESNET50 =
      Map.of(1, 30.0, 2, 30.0 / 1.870, 4, 30.0 / 3.421, 8, 30.0 / 5.598);

  private TestJobs() {}

  /** Returns a search for plans of a job that has not started, without a time limit. */
  public static JobSearch search(Problem problem) {
    return new JobSearch(
        problem, ChoiceSet.of(problem), true, Map.of(), SearchParameters.DEFAULT, () -> false);
  }

  /** Returns the offer of the worked examples in docs/model.md. */
  static Offer p3(double bootCv) {
    return offer("p3.8xlarge", "V100", 4, 12.24, EC2, Spread.exactly(15), new Spread(60, bootCv));
  }

  static Offer offer(
      String type,
      String gpu,
      int gpus,
      double usdPerHour,
      BillingTerms terms,
      Spread queueS,
      Spread bootS) {
    return new Offer(
        "aws/us-east-1",
        type,
        gpu,
        gpus,
        Market.ON_DEMAND,
        usdPerHour,
        PriceKind.LIST,
        terms,
        queueS,
        bootS,
        0,
        0,
        1);
  }

  static Profile profile(String gpu, Map<Integer, Double> seconds, double trialCv, double unitCv) {
    return profile(gpu, seconds, Map.of(), 10, trialCv, unitCv);
  }

  static Profile profile(
      String gpu,
      Map<Integer, Double> seconds,
      Map<Integer, Double> sharing,
      double startupS,
      double trialCv,
      double unitCv) {
    return Profile.builder(
            "train",
            gpu,
            "epoch",
            new MeasurementOrigin(Instant.EPOCH, "by hand", 1),
            new TreeMap<>(seconds))
        .secondsBySharing(new TreeMap<>(sharing))
        .startupS(Spread.exactly(startupS))
        .trialCv(trialCv)
        .unitCv(unitCv)
        .build();
  }

  /** Returns one chain; the numbers are trials and units of each group in turn. */
  static Workload chain(int... trialsAndUnits) {
    return new Workload(List.of(chain("", trialsAndUnits)));
  }

  static Chain chain(String name, int... trialsAndUnits) {
    List<TrialGroup> groups = new ArrayList<>();
    int behind = 0;
    for (int i = 0; i < trialsAndUnits.length; i += 2) {
      String number = Integer.toString(groups.size() + 1);
      int to = behind + trialsAndUnits[i + 1];
      groups.add(
          new TrialGroup(
              name.isEmpty() ? number : name + "." + number, trialsAndUnits[i], behind, to));
      behind = to;
    }
    return new Chain(name, groups);
  }

  public static Limits deadline(double seconds, int maxInstances) {
    return limits(OptionalDouble.of(seconds), OptionalDouble.empty(), maxInstances);
  }

  /** Returns the same job with another deadline. */
  public static Problem withDeadline(Problem problem, double deadlineS) {
    Limits limits = problem.limits();
    return problem.withLimits(
        new Limits(
            OptionalDouble.of(deadlineS),
            limits.budgetUsd(),
            limits.confidence(),
            limits.maxInstances(),
            limits.maxUsdPerHour()));
  }

  static Limits budget(double usd, int maxInstances) {
    return limits(OptionalDouble.empty(), OptionalDouble.of(usd), maxInstances);
  }

  static Limits limits(OptionalDouble deadlineS, OptionalDouble budgetUsd, int maxInstances) {
    return new Limits(deadlineS, budgetUsd, 0.95, maxInstances, Double.POSITIVE_INFINITY);
  }

  static Problem problem(Workload workload, Offer offer, Profile profile, Limits limits) {
    return problem(workload, List.of(offer), List.of(profile), limits);
  }

  static Problem problem(
      Workload workload, List<Offer> offers, List<Profile> profiles, Limits limits) {
    Map<String, Profile> byGpu = new LinkedHashMap<>();
    profiles.forEach(profile -> byGpu.put(profile.gpu(), profile));
    return new Problem(workload, offers, byGpu, new IntRange(1, 8), limits, HourlyCosts.NONE, 1);
  }

  /** Returns the job of the worked examples in docs/model.md, without spread. */
  static Problem workedExample(Limits limits) {
    return problem(chain(16, 1, 8, 1, 4, 2, 2, 4), p3(0), profile("V100", RESNET50, 0, 0), limits);
  }

  /** Returns the same with the spreads of docs/model.md. */
  public static Problem workedExampleWithSpread(Limits limits) {
    return problem(
        chain(16, 1, 8, 1, 4, 2, 2, 4), p3(0.4), profile("V100", RESNET50, 0.05, 0.10), limits);
  }

  /**
   * Returns a job of one GPU per trial, so that no plan is faster than one wave of each group,
   * where instances boot slowly and are often lost.
   */
  public static Problem slowlyBooting(double deadlineS) {
    InstanceFaultRates losses =
        new InstanceFaultRates(
            FaultRate.NONE,
            0,
            FaultRate.NONE,
            FaultRate.NONE,
            1,
            FaultRate.assumed(0.4),
            FaultRate.NONE,
            0,
            0);
    Offer offer = p3(0).withProvisioning(new Spread(60, 0.2), new Spread(360, 0.2));
    Problem problem =
        new Problem(
            chain(16, 20, 8, 20),
            List.of(offer),
            Map.of("V100", profile("V100", RESNET50, 0.02, 0.02)),
            new IntRange(1, 1),
            deadline(deadlineS, 12),
            HourlyCosts.NONE,
            1);
    return problem.withFaults(any -> losses, any -> TrialFaultRates.NONE);
  }

  /** Returns {@link #slowlyBooting} with another type, faster by a third at twice the price. */
  static Problem withFasterType(Problem problem) {
    Offer slower = problem.offers().get(0);
    Offer faster =
        offer("p4", "A100", 4, 2 * slower.usdPerHour(), EC2, slower.queueS(), slower.bootS())
            .withFaults(slower.faults());
    Map<Integer, Double> seconds = new TreeMap<>(RESNET50);
    seconds.replaceAll((gpus, unitS) -> unitS / 1.5);
    Map<String, Profile> profiles = new TreeMap<>(problem.profiles());
    profiles.put("A100", profile("A100", seconds, 0.02, 0.02).withFaults(TrialFaultRates.NONE));
    return new Problem(
        problem.workload(),
        List.of(slower, faster),
        profiles,
        problem.gpusPerTrial(),
        problem.limits(),
        problem.running(),
        problem.seed());
  }

  /** Returns a plan in the notation of docs/model.md: {@code 4×1 2×1}. */
  public static String text(Plan plan) {
    StringBuilder text = new StringBuilder();
    for (Allocation allocation : plan.allocations().values()) {
      text.append(text.isEmpty() ? "" : " ")
          .append(allocation.instances())
          .append('×')
          .append(allocation.gpusPerTrial());
      if (allocation.trialsPerGpu() > 1) {
        text.append('/').append(allocation.trialsPerGpu());
      }
    }
    return text + (plan.hold() ? ", hold" : "");
  }

  public static PlanResult.Found found(Problem problem, PlannerOptions.Kind kind) {
    PlanResult result = new Planner(problem, PlannerOptions.DEFAULT.withKind(kind)).plan();
    if (result instanceof PlanResult.Found found) {
      return found;
    }
    throw new AssertionError("no plan: " + result);
  }

  static Baseline baseline(List<Baseline> baselines, String name) {
    return baselines.stream().filter(b -> b.name().equals(name)).findFirst().orElseThrow();
  }

  /** Inputs of a planner whose time limit is reached, or never. */
  public static PlannerInputs inputs(
      Problem problem, PlannerOptions options, boolean timeLimitReached) {
    return new PlannerInputs(
        problem, options, SearchParameters.DEFAULT, () -> timeLimitReached, PlanProgress.NONE);
  }
}
