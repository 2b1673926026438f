package io.elastune.simulator;

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
import io.elastune.core.plan.SilenceLimit;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.profile.MeasurementOrigin;
import io.elastune.core.profile.Profile;
import io.elastune.core.profile.Straggler;
import io.elastune.core.properties.PlannedJob;
import io.elastune.core.properties.Tier;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * Generates random problems and legal plans with several chains, offers and GPU models, odd sizes,
 * teams, trials that share a GPU, hourly and use-only billing, and long queues. Numbers come from
 * short lists, so that events often occur at the same time.
 */
public final class RandomProblems {
  private static final int MOST_INSTANCES = 6;
  private static final int MANY_INSTANCES = 150;
  private static final List<String> GPUS = List.of("A", "B");
  private final RandomGenerator random;
  private final boolean spread;

  /** Creates a generator for {@code seed}, with or without spread. */
  RandomProblems(long seed, boolean spread) {
    this.random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    this.spread = spread;
  }

  /**
   * Returns the number of jobs: all of them in the nightly tier, one in seven every day. {@code
   * -Delastune.jobs} sets another share, for mutation tests, which check them for every mutant.
   */
  public static int some(int jobs) {
    String everyday = Tier.isNightly() ? "1" : "0.15";
    double share = Double.parseDouble(System.getProperty("elastune.jobs", everyday));
    return Math.max(1, (int) Math.round(jobs * share));
  }

  /**
   * Returns the number of samples of each job that are compared with a reference: {@code
   * -Delastune.reference.samples} sets another one, which the nightly step does.
   */
  static int samples(int everyday) {
    return Integer.getInteger("elastune.reference.samples", everyday);
  }

  /** Returns a job and a legal plan; a quarter of the seeds have no spread. */
  public static PlannedJob planned(long seed) {
    RandomProblems jobs = new RandomProblems(seed, seed % 4 > 0);
    Problem problem = jobs.problem();
    return new PlannedJob(problem, jobs.plan(problem));
  }

  Problem problem() {
    List<Offer> offers = new ArrayList<>();
    int kinds = 1 + random.nextInt(3);
    for (int i = 0; i < kinds; i++) {
      offers.add(offer("type" + i));
    }
    Map<String, Profile> profiles = new TreeMap<>();
    GPUS.forEach(gpu -> profiles.put(gpu, profile(gpu)));
    return new Problem(
        new Workload(chains()),
        offers,
        profiles,
        new IntRange(1, 16),
        new Limits(
            OptionalDouble.of(random.nextDouble(2000)),
            OptionalDouble.of(random.nextDouble(20)),
            0.95,
            10_000,
            Double.POSITIVE_INFINITY),
        new HourlyCosts(pick(0, 0, 3.6), pick(0, 0, 0, 0.9)),
        random.nextLong());
  }

  /** Returns {@code problem} with faults, so many that most samples have several. */
  Problem withFaults(Problem problem) {
    SilenceLimit silence =
        Math.floorMod(problem.seed(), 3) == 0
            ? new SilenceLimit(OptionalDouble.of(45))
            : SilenceLimit.PREDICTED;
    return problem
        .withSilence(silence)
        .withFaults(
            offer ->
                new InstanceFaultRates(
                    FaultRate.assumed(pick(0, 0, 0.3)),
                    pick(30, 300),
                    FaultRate.assumed(pick(0, 0, 0.3)),
                    FaultRate.assumed(pick(0, 0, 0.3)),
                    pick(2, 5),
                    FaultRate.assumed(pick(0, 0.1, 1)),
                    FaultRate.assumed(pick(0, 0, 0.5, 2)),
                    0,
                    pick(0, 0.5, 1)),
            profile ->
                new TrialFaultRates(
                    FaultRate.assumed(pick(0, 1, 5)),
                    FaultRate.assumed(pick(0, 0, 5)),
                    FaultRate.assumed(pick(0, 0, 0.2))));
  }

  private List<Chain> chains() {
    int count = 1 + random.nextInt(3);
    List<Chain> chains = new ArrayList<>();
    for (int chain = 0; chain < count; chain++) {
      String name = count == 1 ? "" : String.valueOf((char) ('a' + chain));
      List<TrialGroup> groups = new ArrayList<>();
      int length = 1 + random.nextInt(4);
      int unit = 0;
      for (int i = 1; i <= length; i++) {
        int next = unit + 1 + random.nextInt(4);
        String group = (name.isEmpty() ? "" : name + ".") + i;
        int trials = 1 + random.nextInt(random.nextInt(10) == 0 ? 300 : 20);
        groups.add(new TrialGroup(group, trials, unit, next));
        unit = next;
      }
      chains.add(new Chain(name, groups));
    }
    return chains;
  }

  private Offer offer(String type) {
    BillingTerms terms =
        new BillingTerms(
            random.nextInt(4) == 0 ? BillingTerms.Per.USE : BillingTerms.Per.INSTANCE,
            pick(0.1, 1, 60, 3600),
            pick(0, 60, 600),
            pick(0, 0, 0.25));
    return new Offer(
        "simulated",
        type,
        GPUS.get(random.nextInt(GPUS.size())),
        (int) pick(1, 2, 4, 8),
        Market.ON_DEMAND,
        pick(0, 1, 3.6, 12.24),
        PriceKind.NOTIONAL,
        terms,
        spread(pick(0, 15, 40, 500)),
        spread(pick(0, 20, 60, 300)),
        pick(0, 0, 0.125),
        pick(0, 0, 0.36),
        1);
  }

  private Profile profile(String gpu) {
    Map<Integer, Double> seconds = new TreeMap<>();
    for (int gpus : new int[] {1, 2, 4, 6, 8, 16}) {
      if (gpus == 1 || random.nextInt(4) > 0) {
        seconds.put(gpus, pick(5, 10, 20, 40));
      }
    }
    Map<Integer, Double> sharing = new TreeMap<>();
    if (random.nextBoolean()) {
      sharing.put(2, 50.0);
      sharing.put(3, 80.0);
    }
    return Profile.builder(
            "train",
            gpu,
            "epoch",
            new MeasurementOrigin(Instant.EPOCH, "random", 1),
            new TreeMap<>(seconds))
        .secondsBySharing(new TreeMap<>(sharing))
        .startupS(spread(pick(0, 5, 20)))
        .trialCv(spread ? pick(0, 0.1, 0.5) : 0)
        .unitCv(spread ? pick(0, 0.2) : 0)
        .straggler(spread && random.nextInt(3) == 0 ? new Straggler(0.1, 3) : Straggler.NONE)
        .samples(spread && random.nextInt(4) == 0 ? List.of(1.0, 2.0, 4.0) : List.of())
        .instanceCv(spread ? pick(0, 0, 0.2) : 0)
        .instanceStraggler(
            spread && random.nextInt(4) == 0 ? new Straggler(0.2, 2) : Straggler.NONE)
        .build();
  }

  /** Returns changed profiles of a problem, by GPU model. */
  public static Map<String, Profile> profiles(Problem problem, UnaryOperator<Profile> change) {
    Map<String, Profile> profiles = new TreeMap<>();
    problem.profiles().forEach((gpu, profile) -> profiles.put(gpu, change.apply(profile)));
    return profiles;
  }

  /** Returns a plan for {@code problem} that may be illegal. */
  Plan anyPlan(Problem problem) {
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    for (Chain chain : problem.workload().chains()) {
      Offer offer = problem.offers().get(random.nextInt(problem.offers().size()));
      for (TrialGroup group : chain.groups()) {
        if (random.nextInt(5) == 0) {
          offer = problem.offers().get(random.nextInt(problem.offers().size()));
        }
        allocations.put(group.name(), allocation(offer));
      }
    }
    return new Plan(random.nextInt(3) == 0, allocations);
  }

  private Allocation allocation(Offer offer) {
    int sharing = random.nextInt(8) == 0 ? 2 + random.nextInt(2) : 1;
    int gpus = sharing > 1 ? 1 : 1 + random.nextInt(random.nextBoolean() ? 4 : 16);
    int most = random.nextInt(12) == 0 ? MANY_INSTANCES : MOST_INSTANCES;
    return new Allocation(offer.name(), 1 + random.nextInt(most), gpus, sharing);
  }

  /** Returns a legal plan for {@code problem}. */
  Plan plan(Problem problem) {
    Plan plan = anyPlan(problem);
    for (TrialGroup group : problem.workload().groups()) {
      while (!legal(problem, plan.of(group))) {
        Offer offer = problem.offer(plan.of(group).offer()).orElseThrow();
        plan = plan.with(group.name(), allocation(offer));
      }
    }
    return plan.hold() || random.nextBoolean() ? plan : withSpares(problem, plan);
  }

  /** Makes some instances of some groups spare. */
  private Plan withSpares(Problem problem, Plan plan) {
    Plan changed = plan;
    for (TrialGroup group : problem.workload().groups()) {
      Allocation now = plan.of(group);
      Offer offer = problem.offer(now.offer()).orElseThrow();
      int most = now.instances() - Math.max(1, now.gpusPerTrial() / offer.gpus());
      int spare = random.nextInt(3);
      if (spare <= most) {
        changed =
            changed.with(
                group.name(),
                new Allocation(
                    now.offer(), now.instances(), now.gpusPerTrial(), now.trialsPerGpu(), spare));
      }
    }
    return changed;
  }

  /** Implements the legal sizes of docs/model.md, "Time", independently of the code under test. */
  static boolean legal(Problem problem, Allocation allocation) {
    Offer offer = problem.offer(allocation.offer()).orElseThrow();
    Profile profile = problem.profiles().get(offer.gpu());
    int gpus = allocation.gpusPerTrial();
    if (allocation.trialsPerGpu() > 1) {
      return profile.secondsBySharing().containsKey(allocation.trialsPerGpu());
    }
    boolean fits = gpus <= offer.gpus() || gpus % offer.gpus() == 0;
    boolean measured =
        gpus >= profile.secondsByGpus().firstKey() && gpus <= profile.secondsByGpus().lastKey();
    return fits && measured && allocation.instances() * offer.gpus() >= gpus;
  }

  private Spread spread(double mean) {
    return new Spread(mean, spread ? pick(0, 0.3, 1) : 0);
  }

  private double pick(double... values) {
    return values[random.nextInt(values.length)];
  }
}
