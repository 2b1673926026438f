package io.elastune.simulator;

import io.elastune.core.IntRange;
import io.elastune.core.Spread;
import io.elastune.core.billing.HourlyCosts;
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
import io.elastune.core.profile.ProfileBuilder;
import io.elastune.core.profile.Straggler;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** The job of the worked examples in docs/model.md. */
public final class WorkedExample {
  static final BillingTerms EC2 = new BillingTerms(BillingTerms.Per.INSTANCE, 1, 60, 0);
  static final Limits NO_LIMITS =
      new Limits(
          OptionalDouble.empty(), OptionalDouble.empty(), 0.95, 64, Double.POSITIVE_INFINITY);

  private WorkedExample() {}

  static Offer offer(double bootCv) {
    return offer("p3.8xlarge", "V100", 4, EC2, Spread.exactly(15), new Spread(60, bootCv));
  }

  static Offer offer(
      String type, String gpu, int gpus, BillingTerms terms, Spread queueS, Spread bootS) {
    return new Offer(
        "aws/us-east-1",
        type,
        gpu,
        gpus,
        Market.ON_DEMAND,
        12.24,
        PriceKind.LIST,
        terms,
        queueS,
        bootS,
        0,
        0,
        1);
  }

  public static Profile profile(double trialCv, double unitCv) {
    Map<Integer, Double> seconds =
        Map.of(1, 30.0, 2, 30.0 / 1.870, 4, 30.0 / 3.421, 8, 30.0 / 5.598);
    return profile("V100", seconds, Map.of(), Spread.exactly(10), trialCv, unitCv);
  }

  public static Profile profile(
      String gpu,
      Map<Integer, Double> seconds,
      Map<Integer, Double> sharing,
      Spread startupS,
      double trialCv,
      double unitCv) {
    return Profile.builder(
            "train",
            gpu,
            "epoch",
            new MeasurementOrigin(Instant.EPOCH, "by hand", 1),
            new TreeMap<>(seconds))
        .secondsBySharing(new TreeMap<>(sharing))
        .startupS(startupS)
        .trialCv(trialCv)
        .unitCv(unitCv)
        .build();
  }

  /** Returns {@code p} with other stragglers, samples and instance spread. */
  public static Profile with(
      Profile p,
      Straggler straggler,
      List<Double> samples,
      double instanceCv,
      Straggler instanceStraggler) {
    return ProfileBuilder.builder(p)
        .straggler(straggler)
        .samples(samples)
        .instanceCv(instanceCv)
        .instanceStraggler(instanceStraggler)
        .build();
  }

  static Chain chain() {
    return new Chain(
        "",
        List.of(
            new TrialGroup("1", 16, 0, 1),
            new TrialGroup("2", 8, 1, 2),
            new TrialGroup("3", 4, 2, 4),
            new TrialGroup("4", 2, 4, 8)));
  }

  public static Problem problem(double trialCv, double unitCv, double bootCv) {
    return problem(List.of(chain()), List.of(offer(bootCv)), profile(trialCv, unitCv));
  }

  public static Problem problem(List<Chain> chains, List<Offer> offers, Profile... profiles) {
    Map<String, Profile> byGpu = new TreeMap<>();
    for (Profile profile : profiles) {
      byGpu.put(profile.gpu(), profile);
    }
    return new Problem(
        new Workload(chains), offers, byGpu, new IntRange(1, 64), NO_LIMITS, HourlyCosts.NONE, 1);
  }

  /**
   * Returns a plan on the offer of the examples, in the notation of docs/model.md: {@code 4×1 2×1}.
   */
  public static Plan plan(String sizes, boolean hold) {
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    for (String size : sizes.split(" ", -1)) {
      String[] parts = size.split("×", -1);
      allocations.put(
          String.valueOf(allocations.size() + 1),
          new Allocation(
              "aws/us-east-1/p3.8xlarge/on-demand",
              Integer.parseInt(parts[0]),
              Integer.parseInt(parts[1]),
              1));
    }
    return new Plan(hold, allocations);
  }
}
