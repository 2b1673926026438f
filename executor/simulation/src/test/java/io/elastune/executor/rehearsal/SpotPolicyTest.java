package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.plan.Problem;
import io.elastune.core.properties.Tier;
import io.elastune.executor.rehearsal.SpotPolicies.Outcome;
import io.elastune.executor.rehearsal.SpotPolicies.Policy;
import io.elastune.executor.simulation.CapacityTrace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Compares spot capacity with a deadline under Elastune with simple policies and with a lower bound
 * on the cost (docs/reliability.md, "Spot capacity with a deadline"). {@code scripts/spot-policies}
 * runs it with more seeds and with recorded traces.
 */
class SpotPolicyTest {
  private static final int RUNS = Integer.getInteger("elastune.spot.runs", 20);
  private static final String FOLDER = System.getProperty("elastune.spot.traces", "");
  private static final boolean FULL = Integer.getInteger("elastune.spot.runs") != null;
  private static final double DEADLINE_S = 4800;
  private static final double CONFIDENCE = 0.9;

  /** Standard errors of a share that are attributed to chance. */
  private static final double ERRORS = 3;

  private static Problem problem() {
    return SpotJob.problem(
        OptionalDouble.of(DEADLINE_S),
        1,
        List.of(SpotJob.offer(0.0003, 0), SpotJob.offer(0.0003, 1)));
  }

  @Test
  @Tag(Tier.NIGHTLY)
  void elastuneMeetsTheDeadlineAndSavesAgainstOnDemandCapacity() {
    for (SpotTraces traces : traces()) {
      SpotPolicies policies = new SpotPolicies(traces, DEADLINE_S);
      double boundUsd = policies.boundUsd(RUNS);
      Map<Policy, Outcome> outcomes = new EnumMap<>(Policy.class);
      for (Policy policy : Policy.values()) {
        outcomes.put(policy, policies.run(policy, RUNS));
      }
      print(traces.name(), outcomes, boundUsd);
      outcomes.forEach(
          (policy, outcome) -> assertThat(outcome.violations()).as("%s", policy).isZero());
      Outcome elastune = outcomes.get(Policy.ELASTUNE);
      assertThat(elastune.exits()).as("capacity on demand is available").doesNotContainKey(14);
      Outcome onDemand = outcomes.get(Policy.ON_DEMAND_ONLY);
      double error = Math.sqrt(CONFIDENCE * (1 - CONFIDENCE) / RUNS);
      assertThat(elastune.onTime())
          .as(traces.name())
          .isGreaterThanOrEqualTo(CONFIDENCE - ERRORS * error);
      assertThat(elastune.usd()).as(traces.name()).isBetween(boundUsd, 1.1 * onDemand.usd());
    }
  }

  private static List<SpotTraces> traces() {
    List<SpotTraces> all = new ArrayList<>(SpotTraces.synthetic());
    if (!FOLDER.isEmpty()) {
      all.addAll(SpotTraces.of(Path.of(FOLDER)));
    }
    return FULL ? all : all.subList(1, 2);
  }

  private static void print(String name, Map<Policy, Outcome> outcomes, double boundUsd) {
    double onDemandUsd = outcomes.get(Policy.ON_DEMAND_ONLY).usd();
    outcomes.forEach(
        (policy, outcome) ->
            System.out.printf(
                Locale.ROOT,
                "| %s | %s | %.1f %% | $%.2f | %.0f %% | %.2f | %s |%n",
                name,
                policy.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                100 * outcome.onTime(),
                outcome.usd(),
                100 * outcome.usd() / onDemandUsd,
                outcome.usd() / boundUsd,
                outcome.exits()));
  }

  @Test
  void boundIsTheCostOfTheCheapestMarketThatIsAvailable() {
    SpotBound bound = new SpotBound(problem());
    double onDemandUsd = bound.usd(0.0);
    double spotUsd = bound.usd(DEADLINE_S);

    assertThat(spotUsd / onDemandUsd).isCloseTo(1.9 / 5.672, within(1e-3));
    assertThat(bound.usd(DEADLINE_S / 4)).isBetween(spotUsd, onDemandUsd);
    assertThat(bound.usd(List.of(new CapacityTrace(List.of(change(0, 0)), 100)), 7))
        .isCloseTo(onDemandUsd, within(1e-6));
  }

  private static CapacityTrace.Change change(double atS, double share) {
    return new CapacityTrace.Change(atS, share);
  }

  @Test
  void tracesAreRead() {
    SpotTraces traces =
        SpotTraces.parse(
            "x.csv", List.of("seconds,a,b", "100,1,0.5", "160,1,0.25", "220,0,1", "400,0,1"));

    assertThat(traces.zones())
        .containsExactly(
            new CapacityTrace(List.of(change(0, 1), change(120, 0)), 300),
            new CapacityTrace(List.of(change(0, 0.5), change(60, 0.25), change(120, 1)), 300));
    assertThatThrownBy(() -> SpotTraces.parse("x.csv", List.of("a,b", "0,1", "1,1")))
        .hasMessageContaining("x.csv: needs the header");
    assertThatThrownBy(() -> SpotTraces.parse("x.csv", List.of("seconds,b", "0,1", "1,no")))
        .hasMessageContaining("x.csv:3: not a number");
    assertThatThrownBy(() -> SpotTraces.parse("x.csv", List.of("seconds,b", "0,1", "1,1,1")))
        .hasMessageContaining("x.csv:3: needs 2 columns");
  }
}
