package io.elastune.planner;

import io.elastune.core.IntRange;
import io.elastune.core.Spread;
import io.elastune.core.billing.HourlyCosts;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.Workload;
import io.elastune.core.profile.Profile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;

/** Builds random jobs without spread: small ones for enumeration, realistic ones for gaps. */
public final class RandomJobs {
  private static final Limits NONE =
      new Limits(OptionalDouble.empty(), OptionalDouble.empty(), 0.95, 4, Double.POSITIVE_INFINITY);

  /**
   * Speedups at 1, 2, 4 and 8 GPUs: HyperSched's measurements on V100, and rows of ElasticFlow's
   * strong scaling (YOLOv3 on T4 is not monotone).
   */
  private static final double[][] SPEEDUPS = {
    {1, 1.854, 3.426, 5.398},
    {1, 1.870, 3.421, 5.598},
    {1, 1.892, 3.632, 6.672},
    {1, 1.796, 3.448, 6.541},
    {1, 1.77, 2.93, 4.29},
    {1, 1.89, 3.00, 1.39},
    {1, 1.433, 1.717, 1.834},
  };

  private RandomJobs() {}

  /** Returns a job of at most three groups, two offers and four instances: enumeration is fast. */
  public static Problem small(long seed) {
    Random random = new Random(seed);
    int groups = 1 + random.nextInt(3);
    int[] trialsAndUnits = new int[2 * groups];
    int trials = 1 + random.nextInt(10);
    for (int group = 0; group < groups; group++) {
      trialsAndUnits[2 * group] = trials;
      trialsAndUnits[2 * group + 1] = 1 + random.nextInt(4);
      trials = random.nextInt(5) == 0 ? 1 + random.nextInt(10) : Math.max(1, trials / 2);
    }
    List<Offer> offers = new ArrayList<>();
    List<Profile> profiles = new ArrayList<>();
    int kinds = 1 + random.nextInt(2);
    for (int kind = 0; kind < kinds; kind++) {
      offers.add(offer(random, "type" + kind, "GPU" + kind));
      profiles.add(profile(random, "GPU" + kind));
    }
    Map<String, Profile> byGpu = new HashMap<>();
    profiles.forEach(profile -> byGpu.put(profile.gpu(), profile));
    double controllerUsdPerHour = random.nextInt(4) == 0 ? random.nextDouble() : 0;
    int maxInstances = groups == 3 ? 3 : 4;
    Limits limits =
        new Limits(
            NONE.deadlineS(),
            NONE.budgetUsd(),
            NONE.confidence(),
            maxInstances,
            random.nextInt(4) == 0 ? 20 : Double.POSITIVE_INFINITY);
    return new Problem(
        TestJobs.chain(trialsAndUnits),
        offers,
        byGpu,
        new IntRange(1, 4),
        limits,
        new HourlyCosts(controllerUsdPerHour, random.nextInt(6) == 0 ? 0.2 : 0),
        seed);
  }

  /** Returns the same job on other offers. */
  static Problem withOffers(Problem problem, List<Offer> offers) {
    return new Problem(
        problem.workload(),
        offers,
        problem.profiles(),
        problem.gpusPerTrial(),
        problem.limits(),
        problem.running(),
        problem.seed());
  }

  /** Returns the same job with spread of trials, units, queue times and boot times. */
  public static Problem withSpread(Problem problem, long seed) {
    Random random = new Random(~seed);
    Map<String, Profile> profiles = new HashMap<>();
    problem
        .profiles()
        .forEach(
            (gpu, p) ->
                profiles.put(
                    gpu,
                    TestJobs.profile(
                        gpu,
                        p.secondsByGpus(),
                        p.secondsBySharing(),
                        p.startupS().mean(),
                        0.01 + 0.09 * random.nextDouble(),
                        0.1 * random.nextDouble())));
    List<Offer> offers = new ArrayList<>();
    for (Offer offer : problem.offers()) {
      offers.add(
          new Offer(
              offer.infra(),
              offer.instanceType(),
              offer.gpu(),
              offer.gpus(),
              offer.market(),
              offer.usdPerHour(),
              offer.price(),
              offer.billing(),
              new Spread(offer.queueS().mean(), 0.3),
              new Spread(offer.bootS().mean(), 0.5 * random.nextDouble()),
              offer.dataInUsd(),
              offer.diskUsdPerHour(),
              offer.coresPerGpu()));
    }
    return new Problem(
        problem.workload(),
        offers,
        profiles,
        problem.gpusPerTrial(),
        problem.limits(),
        problem.running(),
        problem.seed());
  }

  private static Offer offer(Random random, String type, String gpu) {
    double granularityS = new double[] {1, 1, 60, 600}[random.nextInt(4)];
    double minimumS = new double[] {0, 60, 300}[random.nextInt(3)];
    BillingTerms.Per per =
        random.nextInt(5) == 0 ? BillingTerms.Per.USE : BillingTerms.Per.INSTANCE;
    BillingTerms terms =
        new BillingTerms(per, granularityS, minimumS, random.nextInt(4) == 0 ? 0.02 : 0);
    return new Offer(
        "aws/us-east-1",
        type,
        gpu,
        new int[] {1, 2, 4}[random.nextInt(3)],
        Market.ON_DEMAND,
        1 + 12 * random.nextDouble(),
        PriceKind.LIST,
        terms,
        Spread.exactly(random.nextInt(3) == 0 ? 0 : 40 * random.nextDouble()),
        Spread.exactly(random.nextInt(4) == 0 ? 0 : 150 * random.nextDouble()),
        random.nextInt(4) == 0 ? 0.01 : 0,
        random.nextInt(4) == 0 ? 0.1 : 0,
        1);
  }

  private static Profile profile(Random random, String gpu) {
    double seconds = 5 + 40 * random.nextDouble();
    Map<Integer, Double> table = new HashMap<>();
    table.put(1, seconds);
    double speedup = 1;
    for (int gpus = 2; gpus <= 4; gpus *= 2) {
      speedup *= 0.7 + 1.3 * random.nextDouble();
      table.put(gpus, seconds / speedup);
    }
    Map<Integer, Double> sharing =
        random.nextInt(4) == 0 ? Map.of(2, seconds * (1.2 + random.nextDouble())) : Map.of();
    return TestJobs.profile(gpu, table, sharing, 20 * random.nextDouble(), 0, 0);
  }

  /** Returns successive halving on one realistic offer, as in the comparison of docs/model.md. */
  public static Problem halving(long seed) {
    Random random = new Random(seed);
    int eta = 2 + random.nextInt(3);
    int trials = 8 << random.nextInt(6);
    List<Integer> groups = new ArrayList<>();
    int units = 1;
    for (int alive = trials; alive >= 1 && groups.size() < 14; alive /= eta) {
      groups.add(alive);
      groups.add(units);
      units *= alive == trials ? eta - 1 : eta;
    }
    double[] speedups = SPEEDUPS[random.nextInt(SPEEDUPS.length)];
    double seconds = Math.exp(Math.log(5) + random.nextDouble() * Math.log(60));
    Map<Integer, Double> table = new HashMap<>();
    for (int i = 0; i < speedups.length; i++) {
      table.put(1 << i, seconds / speedups[i]);
    }
    int gpus = new int[] {1, 4, 8}[random.nextInt(3)];
    Offer offer =
        TestJobs.offer(
            "type",
            "GPU",
            gpus,
            3.06 * gpus,
            TestJobs.EC2,
            Spread.exactly(5 + 30 * random.nextDouble()),
            Spread.exactly(20 + 180 * random.nextDouble()));
    Profile profile = TestJobs.profile("GPU", table, Map.of(), 30 * random.nextDouble(), 0, 0);
    Workload workload = TestJobs.chain(groups.stream().mapToInt(Integer::intValue).toArray());
    return TestJobs.problem(workload, offer, profile, TestJobs.deadline(1e9, gpus == 1 ? 32 : 16));
  }
}
