package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.IntRange;
import io.elastune.core.billing.HourlyCosts;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.PopulationRule;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks the predictions of population based training against the examples of docs/searches.md. */
class PopulationPredictionTest {
  private static final String OFFER = "aws/us-east-1/p3.8xlarge/on-demand";

  @ParameterizedTest
  @CsvSource({
    "1, 1, 635.000, 2.1080",
    "2, 1, 355.000, 2.3120",
    "4, 2, 243.342, 3.1144",
  })
  void matchesTheExamples(int instances, int gpus, String seconds, String usd) {
    List<TrialGroup> groups =
        IntStream.range(0, 4)
            .mapToObj(i -> new TrialGroup(Integer.toString(i + 1), 8, 2 * i, 2 * i + 2))
            .toList();
    Problem problem =
        new Problem(
            Workload.of(new Chain("", groups), new PopulationRule(0.25, 1)),
            List.of(WorkedExample.offer(0)),
            Map.of("V100", WorkedExample.profile(0, 0)),
            new IntRange(1, 64),
            WorkedExample.NO_LIMITS,
            HourlyCosts.NONE,
            1);
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    groups.forEach(
        group -> allocations.put(group.name(), new Allocation(OFFER, instances, gpus, 1)));
    Estimate estimate = new Simulator(problem, 1).simulate(new Plan(false, allocations));

    assertThat(String.format(Locale.ROOT, "%.3f", estimate.completionS().mean()))
        .isEqualTo(seconds);
    assertThat(String.format(Locale.ROOT, "%.4f", estimate.costUsd().mean())).isEqualTo(usd);
  }
}
