package io.elastune.cli.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.IntRange;
import io.elastune.core.Spread;
import io.elastune.core.billing.HourlyCosts;
import io.elastune.core.estimate.Estimate;
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
import io.elastune.core.profile.ProfileBuilder;
import io.elastune.core.profile.Straggler;
import io.elastune.inputs.PlanFigures;
import io.elastune.planner.Planner;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.simulator.Simulator;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** One group of four trials: on one instance it has no time for a crash, on two it has. */
class FaultReasonsTest {
  private static final double DEADLINE_S = 520;

  private static final Offer OFFER = offer("p3.2xlarge", "V100", 3.06);
  private static final Problem RELIABLE =
      problem(DEADLINE_S, List.of(OFFER), Map.of("V100", profile("V100", 90)));
  private static final Problem FAULTY = crashing(RELIABLE);

  private static Offer offer(String type, String gpu, double usdPerHour) {
    return new Offer(
        "aws/us-east-1",
        type,
        gpu,
        1,
        Market.ON_DEMAND,
        usdPerHour,
        PriceKind.LIST,
        new BillingTerms(BillingTerms.Per.INSTANCE, 1, 60, 0),
        Spread.exactly(15),
        Spread.exactly(60),
        0,
        0,
        1);
  }

  private static Profile profile(String gpu, double secondsPerUnit) {
    return Profile.builder(
            "resnet50",
            gpu,
            "epoch",
            new MeasurementOrigin(Instant.EPOCH, "test", 1),
            new TreeMap<>(Map.of(1, secondsPerUnit)))
        .startupS(Spread.exactly(10))
        .build();
  }

  private static Problem problem(
      double deadlineS, List<Offer> offers, Map<String, Profile> profiles) {
    return new Problem(
        new Workload(List.of(new Chain("", List.of(new TrialGroup("1", 4, 0, 1))))),
        offers,
        profiles,
        new IntRange(1, 1),
        new Limits(OptionalDouble.of(deadlineS), OptionalDouble.empty(), 0.95, 4, 1e9),
        HourlyCosts.NONE,
        1);
  }

  private static Problem crashing(Problem problem) {
    return problem.withFaults(
        Offer::faults,
        profile -> new TrialFaultRates(FaultRate.assumed(2), FaultRate.NONE, FaultRate.NONE));
  }

  private static Map<String, Map<String, Double>> reasons(Problem problem, Plan plan) {
    Estimate predicted = new Simulator(problem, PlannerOptions.DEFAULT.samples()).simulate(plan);
    PlanFigures figures = new PlanFigures(problem, plan, predicted);
    return reasons(problem, plan, figures, Optional.of(UnaryOperator.identity()));
  }

  private static Map<String, Map<String, Double>> reasons(
      Problem problem,
      Plan plan,
      PlanFigures figures,
      Optional<UnaryOperator<PlanResult.Found>> selection) {
    return new FaultReasons(problem, plan, figures, selection).reasons();
  }

  @Test
  void namesThePartOfFaultsAndThePriceOfRobustness() {
    Map<String, Map<String, Double>> reasons = reasons(FAULTY, plan(2));

    assertThat(reasons.keySet())
        .anyMatch(text -> text.matches("faults: \\d+s of the mean time and .* of the mean cost"))
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

  /**
   * Four instances of the slow type, the most that are allowed, have no time for a crash. The fast
   * type is more expensive and has it. A spare instance does not help against crashes.
   */
  @Test
  void fasterTypeIsPaidWhereItIsTheCheapestWayToTheConfidence() {
    Offer fast = offer("p4.2xlarge", "A100", 7);
    Problem reliable =
        problem(
            200,
            List.of(OFFER, fast),
            Map.of("V100", profile("V100", 90), "A100", profile("A100", 45)));
    Problem faulty = crashing(reliable);

    PlanResult.Found found = (PlanResult.Found) new Planner(faulty, PlannerOptions.DEFAULT).plan();
    PlanResult.Found withoutFaults =
        (PlanResult.Found) new Planner(reliable, PlannerOptions.DEFAULT).plan();

    assertThat(withoutFaults.plan().allocations().get("1").offer()).isEqualTo(OFFER.name());
    assertThat(found.plan().allocations().get("1").offer()).isEqualTo(fast.name());
    assertThat(found.estimate().onTime()).isGreaterThanOrEqualTo(0.95);
    assertThat(reasons(faulty, found.plan()).keySet())
        .anyMatch(
            text ->
                text.startsWith("robust against faults for $")
                    && text.contains(
                        " x aws/us-east-1/p4.2xlarge/on-demand (1 GPU/trial) instead of"
                            + " 4 x aws/us-east-1/p3.2xlarge/on-demand (1 GPU/trial)")
                    && text.contains("otherwise it would be on time in "));
  }

  /** A plan that was chosen for another reason is not robust for its price. */
  @Test
  void comparesWithThePlanThatIsSelectedInTheSameWay() {
    Plan plan = plan(2);
    PlanFigures figures =
        new PlanFigures(
            FAULTY, plan, new Simulator(FAULTY, PlannerOptions.DEFAULT.samples()).simulate(plan));

    assertThat(reasons(FAULTY, plan, figures, Optional.empty()).keySet())
        .allMatch(text -> text.startsWith("faults: "));
    UnaryOperator<PlanResult.Found> fastest =
        found ->
            new PlanResult.Found(
                plan,
                found.estimate(),
                found.baselines(),
                found.optimum(),
                found.frontier(),
                List.of(),
                found.remarks(),
                found.samples());
    assertThat(reasons(FAULTY, plan, figures, Optional.of(fastest)).keySet())
        .allMatch(text -> text.startsWith("faults: "));
  }

  @Test
  void saysNothingWithoutFaults() {
    assertThat(reasons(RELIABLE, plan(2))).isEmpty();
  }

  @Test
  void doesNotClaimRobustnessOfThePlanThatIsBestWithoutFaults() {
    assertThat(reasons(FAULTY, plan(1)).keySet())
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

    Map<String, Map<String, Double>> reasons = reasons(failing, spare);

    String line =
        reasons.keySet().stream()
            .filter(text -> text.startsWith("spare instance in group 1: on time "))
            .findFirst()
            .orElseThrow();
    assertThat(line).contains("% instead of ").contains(", for $");
    Map<String, Double> numbers = reasons.get(line);
    assertThat(numbers.get("spare_on_time")).isGreaterThan(numbers.get("without_spare_on_time"));
  }

  /** Half of the instances are slow. Those that fail soon are replaced by ones that may be fast. */
  @Test
  void saysIfFaultsShortenARun() {
    Profile slow =
        ProfileBuilder.builder(profile("V100", 36_000))
            .instanceStraggler(new Straggler(0.5, 20))
            .build();
    FaultRate rate = FaultRate.assumed(1);
    Problem problem =
        problem(1e9, List.of(OFFER), Map.of("V100", slow))
            .withFaults(
                offer ->
                    new InstanceFaultRates(
                        FaultRate.NONE,
                        0,
                        FaultRate.NONE,
                        FaultRate.NONE,
                        1,
                        rate,
                        FaultRate.NONE,
                        0,
                        0),
                profile -> TrialFaultRates.NONE);

    assertThat(reasons(problem, plan(1)).keySet())
        .anyMatch(text -> text.matches("faults: a mean time that is .+ shorter and .*lower"));
  }

  private static Plan plan(int instances) {
    return new Plan(false, Map.of("1", new Allocation(OFFER.name(), instances, 1, 1)));
  }
}
