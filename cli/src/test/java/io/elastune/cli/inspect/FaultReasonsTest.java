package io.elastune.cli.inspect;

import static org.assertj.core.api.Assertions.assertThat;

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
import io.elastune.core.profile.Straggler;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** One group of four trials: on one instance it has no time for a crash, on two it has. */
class FaultReasonsTest {
  private static final double DEADLINE_S = 520;

  private static final Offer OFFER =
      new Offer(
          "aws/us-east-1",
          "p3.2xlarge",
          "V100",
          1,
          Market.ON_DEMAND,
          3.06,
          PriceKind.LIST,
          new BillingTerms(BillingTerms.Per.INSTANCE, 1, 60, 0),
          Spread.exactly(15),
          Spread.exactly(60),
          0,
          0,
          1);

  private static final Profile PROFILE =
      new Profile(
          "resnet50",
          "V100",
          "epoch",
          new MeasurementOrigin(Instant.EPOCH, "test", 1),
          new TreeMap<>(Map.of(1, 90.0)),
          new TreeMap<>(),
          Spread.exactly(10),
          Spread.NONE,
          0,
          0,
          Straggler.NONE,
          List.of(),
          0,
          Straggler.NONE,
          List.of());

  private static final Problem RELIABLE =
      new Problem(
          new Workload(List.of(new Chain("", List.of(new TrialGroup("1", 4, 0, 1))))),
          List.of(OFFER),
          Map.of("V100", PROFILE),
          new IntRange(1, 1),
          new Limits(OptionalDouble.of(DEADLINE_S), OptionalDouble.empty(), 0.95, 4, 1e9),
          HourlyCosts.NONE,
          1);

  private static final Problem FAULTY =
      RELIABLE.withFaults(
          Offer::faults,
          profile -> new TrialFaultRates(FaultRate.assumed(2), FaultRate.NONE, FaultRate.NONE));

  @Test
  void namesThePartOfFaultsAndThePriceOfRobustness() {
    Map<String, Map<String, Double>> reasons = new FaultReasons(FAULTY, plan(2)).reasons();

    assertThat(reasons.keySet())
        .anyMatch(
            text -> text.matches("faults: \\d+s \\(\\d+%\\) of the mean time, .*of the mean cost"))
        .anyMatch(
            text ->
                text.startsWith("robust against faults for $")
                    && text.matches(".* more, ending \\S+ earlier: .*")
                    && text.contains(
                        "group 1 on 2 x aws/us-east-1/p3.2xlarge/on-demand (1 GPU/trial) instead"
                            + " of 1 x ")
                    && text.contains("otherwise it would be on time in "));
    assertThat(reasons.values())
        .anyMatch(numbers -> numbers.getOrDefault("extra_usd", 0.0) > 0)
        .anyMatch(numbers -> numbers.getOrDefault("faults_s", 0.0) > 0);
  }

  @Test
  void saysNothingWithoutFaults() {
    assertThat(new FaultReasons(RELIABLE, plan(2)).reasons()).isEmpty();
  }

  @Test
  void doesNotClaimRobustnessOfThePlanThatIsBestWithoutFaults() {
    assertThat(new FaultReasons(FAULTY, plan(1)).reasons().keySet())
        .hasSize(1)
        .allMatch(text -> text.startsWith("faults: "));
  }

  @Test
  void namesGainAndCostOfSpareInstances() {
    Problem failing =
        RELIABLE.withFaults(
            offer ->
                new InstanceFaultRates(
                    FaultRate.NONE,
                    0,
                    FaultRate.NONE,
                    FaultRate.NONE,
                    1,
                    FaultRate.assumed(2),
                    FaultRate.NONE,
                    0,
                    0),
            profile -> TrialFaultRates.NONE);
    Plan spare = new Plan(false, Map.of("1", new Allocation(OFFER.name(), 2, 1, 1, 1)));

    Map<String, Map<String, Double>> reasons = new FaultReasons(failing, spare).reasons();

    String line =
        reasons.keySet().stream()
            .filter(text -> text.startsWith("spare instance in group 1: on time "))
            .findFirst()
            .orElseThrow();
    assertThat(line).contains("% instead of ").contains(", for $");
    Map<String, Double> numbers = reasons.get(line);
    assertThat(numbers.get("spare_on_time")).isGreaterThan(numbers.get("without_spare_on_time"));
  }

  private static Plan plan(int instances) {
    return new Plan(false, Map.of("1", new Allocation(OFFER.name(), instances, 1, 1)));
  }
}
