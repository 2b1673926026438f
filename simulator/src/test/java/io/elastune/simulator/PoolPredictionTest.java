package io.elastune.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.estimate.Estimate;
import io.elastune.core.estimate.GroupEstimate;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.search.TraceEvent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks the predictions of shared instances against the examples of docs/searches.md. */
class PoolPredictionTest {
  private static final String OFFER = "aws/us-east-1/p3.8xlarge/on-demand";

  @ParameterizedTest
  @CsvSource({
    "1, 1 1 1 1 1 1, 195 565 755 355 725 575, 755.000, 2.5160",
    "1, 1 1 2 1 2 1, 395 565 671.257 555 661.257 355, 671.257, 2.2338",
    "2, 1 1 4 1 2 1, 255 325 417.616 175 361.257 355, 417.616, 2.5500",
    "3, 1 2 4 1 2 2, 235 277.086 339.702 175 321.257 229.385, 339.702, 2.8798",
  })
  void matchesExamples(int instances, String gpus, String ends, String completion, String usd) {
    Problem problem = problem(hyperband(9, 3), 0, 0, 0);
    Estimate estimate = new Simulator(problem, 1).simulate(plan(problem, instances, gpus));

    assertThat(
            estimate.groups().stream()
                .map(GroupEstimate::endS)
                .map(end -> digits(3, end.mean()).replaceAll("\\.?0+$", ""))
                .collect(Collectors.joining(" ")))
        .isEqualTo(ends);
    assertThat(digits(3, estimate.completionS().mean())).isEqualTo(completion);
    assertThat(digits(4, estimate.costUsd().mean())).isEqualTo(usd);
  }

  @ParameterizedTest
  @CsvSource({
    "2, 1 1 1 1 2 1 1 2 4 1 1 1 1 2 1, 6606.086, 43.5166",
    "7, 1 1 1 4 4 1 1 2 2 1 2 2 1 2 2, 2275.164, 46.2978",
  })
  void matchesExamplesOfALargeSearch(int instances, String gpus, String completion, String usd) {
    Problem problem = problem(hyperband(81, 3), 0, 0, 0);
    Estimate estimate = new Simulator(problem, 1).simulate(plan(problem, instances, gpus));

    assertThat(digits(3, estimate.completionS().mean())).isEqualTo(completion);
    assertThat(digits(4, estimate.costUsd().mean())).isEqualTo(usd);
  }

  @Test
  void tracesWhatHappens() {
    Problem problem = problem(hyperband(9, 3), 0, 0, 0);
    List<TraceEvent> events = new Simulator(problem, 1).trace(plan(problem, 2, "1 1 4 1 2 1"));

    assertThat(events.stream().filter(event -> event.kind() == TraceEvent.Kind.START)).hasSize(22);
    assertThat(events.stream().filter(event -> event.kind() == TraceEvent.Kind.END)).hasSize(22);
    assertThat(
            events.stream()
                .flatMap(event -> event.task().stream())
                .filter(task -> task.group().equals("a.3"))
                .distinct())
        .singleElement()
        .satisfies(
            task -> {
              assertThat(task.gpus()).isEqualTo(4);
              assertThat(task.from()).isEqualTo(3);
              assertThat(task.to()).isEqualTo(9);
            });
    TraceEvent last = events.get(events.size() - 1);
    assertThat(last.kind()).isEqualTo(TraceEvent.Kind.FINISHED);
    assertThat(digits(3, last.atS())).isEqualTo("417.616");
  }

  static Problem problem(List<Chain> chains, double trialCv, double unitCv, double bootCv) {
    return WorkedExample.problem(
        chains, List.of(WorkedExample.offer(bootCv)), WorkedExample.profile(trialCv, unitCv));
  }

  /** The brackets of Hyperband, written down independently of the program. */
  static List<Chain> hyperband(int max, int eta) {
    int most = (int) Math.round(Math.log(max) / Math.log(eta));
    List<Chain> chains = new ArrayList<>();
    for (int s = most; s >= 0; s--) {
      int power = (int) Math.round(Math.pow(eta, s));
      int trials = (int) Math.ceil((most + 1.0) / (s + 1) * power);
      String name = String.valueOf((char) ('a' + most - s));
      List<TrialGroup> groups = new ArrayList<>();
      int from = 0;
      for (int k = 0; k <= s; k++) {
        int to = (int) Math.round(max / Math.pow(eta, s - k));
        groups.add(new TrialGroup(name + "." + (k + 1), trials, from, to));
        trials = Math.max(1, trials / eta);
        from = to;
      }
      chains.add(new Chain(name, groups));
    }
    return chains;
  }

  static Plan plan(Problem problem, int instances, String gpus) {
    String[] each = gpus.split(" ", -1);
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    for (TrialGroup group : problem.workload().groups()) {
      int size = Integer.parseInt(each[allocations.size()]);
      allocations.put(group.name(), new Allocation(OFFER, instances, size, 1));
    }
    return new Plan(false, true, allocations);
  }

  private static String digits(int decimals, double value) {
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }
}
