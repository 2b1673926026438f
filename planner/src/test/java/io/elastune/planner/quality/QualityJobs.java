package io.elastune.planner.quality;

import io.elastune.core.IntRange;
import io.elastune.core.Spread;
import io.elastune.core.billing.HourlyCosts;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Limits;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.profile.MeasurementOrigin;
import io.elastune.core.profile.Profile;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Builds random jobs of successive halving from published measurements and prices. */
final class QualityJobs {
  /** The billing terms of on-demand EC2 instances. */
  private static final BillingTerms BY_THE_SECOND =
      new BillingTerms(BillingTerms.Per.INSTANCE, 1, 60, 0);

  private static final int[] INSTANCE_SIZES = {1, 4, 8};
  private static final Limits FREE =
      new Limits(
          OptionalDouble.empty(), OptionalDouble.empty(), 0.95, 16, Double.POSITIVE_INFINITY);

  private final SplittableRandom random;
  private final long seed;
  private final boolean noisy;

  private QualityJobs(long seed, boolean noisy) {
    this.random = new SplittableRandom(seed);
    this.seed = seed;
    this.noisy = noisy;
  }

  /**
   * Returns successive halving with eta 2 to 4 and 8 to 256 trials, on instances of 1, 4 or 8 GPUs,
   * or on all three, without deadline and budget.
   *
   * @param noisy whether the job has spread: trials 1 to 10 %, also start-ups and boot times
   */
  static Problem halving(long seed, boolean noisy) {
    QualityJobs maker = new QualityJobs(seed, noisy);
    int eta = 2 + maker.random.nextInt(3);
    int trials = (int) Math.round(8 * Math.pow(32, maker.random.nextDouble()));
    int kinds = maker.random.nextInt(4) == 0 ? INSTANCE_SIZES.length : 1;
    int most = 8 << maker.random.nextInt(3);
    return maker.problem(chain(trials, eta, Integer.MAX_VALUE), kinds, new IntRange(1, 8), most);
  }

  /** Returns a job of at most three groups and four instances: enumeration is fast. */
  static Problem small(long seed, boolean noisy) {
    QualityJobs maker = new QualityJobs(seed, noisy);
    int eta = 2 + maker.random.nextInt(3);
    int groups = 1 + maker.random.nextInt(3);
    int trials = 1 + maker.random.nextInt(16);
    int kinds = groups < 3 && !noisy ? 1 + maker.random.nextInt(2) : 1;
    int most = groups < 3 || noisy ? 4 : 3;
    return maker.problem(chain(trials, eta, groups), kinds, new IntRange(1, 4), most);
  }

  /** Returns the same job with a deadline, a budget or both. */
  static Problem withLimits(Problem problem, OptionalDouble deadlineS, OptionalDouble budgetUsd) {
    Limits limits = problem.limits();
    return problem.withLimits(
        new Limits(
            deadlineS,
            budgetUsd,
            limits.confidence(),
            limits.maxInstances(),
            limits.maxUsdPerHour()));
  }

  static Problem withDeadline(Problem problem, double deadlineS) {
    return withLimits(problem, OptionalDouble.of(deadlineS), OptionalDouble.empty());
  }

  private static Workload chain(int trials, int eta, int mostGroups) {
    List<TrialGroup> groups = new ArrayList<>();
    int from = 0;
    int to = 1;
    for (int alive = trials; alive >= 1 && groups.size() < mostGroups; alive /= eta) {
      groups.add(new TrialGroup(Integer.toString(groups.size() + 1), alive, from, to));
      from = to;
      to *= eta;
    }
    return new Workload(List.of(new Chain("", groups)));
  }

  private Problem problem(Workload workload, int kinds, IntRange gpus, int mostInstances) {
    PublishedData publishedData = PublishedData.PUBLISHED;
    PublishedData.Program program =
        publishedData.programs().get(random.nextInt(publishedData.programs().size()));
    Profile profile = profile(program);
    List<Offer> offers = new ArrayList<>();
    int first = random.nextInt(INSTANCE_SIZES.length);
    for (int kind = 0; kind < kinds; kind++) {
      int size = INSTANCE_SIZES[(first + kind) % INSTANCE_SIZES.length];
      List<PublishedData.Type> types = publishedData.typesFor(program, size);
      offers.add(offer(types.get(random.nextInt(types.size()))));
    }
    Limits limits =
        new Limits(
            FREE.deadlineS(),
            FREE.budgetUsd(),
            FREE.confidence(),
            mostInstances,
            FREE.maxUsdPerHour());
    return new Problem(
        workload, offers, Map.of(profile.gpu(), profile), gpus, limits, HourlyCosts.NONE, seed);
  }

  private Offer offer(PublishedData.Type type) {
    // EC2 and Compute Engine: 5 to 35 s until the instance runs, then 20 to 230 s to boot.
    Spread queueS = spread(between(5, 35), 0.3);
    Spread bootS = spread(between(20, 230), 0.1 + 0.4 * random.nextDouble());
    return new Offer(
        type.infra(),
        type.name(),
        type.gpu(),
        type.gpus(),
        Market.ON_DEMAND,
        type.usdPerHour(),
        PriceKind.LIST,
        BY_THE_SECOND,
        queueS,
        bootS,
        0,
        0,
        1);
  }

  private Profile profile(PublishedData.Program program) {
    double unitS = Math.exp(between(Math.log(5), Math.log(600)));
    Map<Integer, Double> seconds = new TreeMap<>();
    double one = program.perSecond().getOrDefault(1, 1.0);
    program.perSecond().forEach((gpus, speed) -> seconds.put(gpus, unitS * one / speed));
    Spread startupS = spread(between(2, 40), 0.2);
    double trialCv = between(0.01, 0.10);
    double unitCv = between(0, 0.05);
    return Profile.builder(
            program.name(),
            program.gpu(),
            "epoch",
            new MeasurementOrigin(Instant.EPOCH, "published", 1),
            new TreeMap<>(seconds))
        .startupS(startupS)
        .trialCv(noisy ? trialCv : 0)
        .unitCv(noisy ? unitCv : 0)
        .build();
  }

  private double between(double low, double high) {
    return low + (high - low) * random.nextDouble();
  }

  private Spread spread(double mean, double cv) {
    return noisy ? new Spread(mean, cv) : Spread.exactly(mean);
  }
}
