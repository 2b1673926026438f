package io.elastune.plan.json;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.elastune.core.estimate.Distribution;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** The prediction of an asynchronous search, as part of several documents. */
public record RungsDocument(
    @JsonPropertyDescription("Mean seconds until no new trial starts.") double closingS,
    @JsonPropertyDescription("The rungs from the lowest.") List<Rung> rungs) {
  /** One rung. */
  record Rung(
      @JsonPropertyDescription("Its name.") String rung,
      @JsonPropertyDescription("Units that its tasks reach.") int unit,
      @JsonPropertyDescription("Number of its tasks.") Tasks tasks,
      @KeyIfPresent
          @JsonPropertyDescription(
              "With several brackets and search.trials: the most new trials that start here.")
          Optional<Integer> newTrials) {}

  /** The distribution of a number of tasks. */
  record Tasks(double mean, double p5, double p95) {}

  /** Returns the expected tasks of each rung, and when the search closes. */
  public static RungsDocument of(Problem problem, Estimate estimate, List<Distribution> tasks) {
    RungRule rule = problem.workload().rungs().orElseThrow();
    return new RungsDocument(
        estimate.groups().get(0).endS().mean(),
        IntStream.range(0, tasks.size()).mapToObj(rung -> rung(rule, rung, tasks)).toList());
  }

  private static Rung rung(RungRule rule, int rung, List<Distribution> tasks) {
    Distribution of = tasks.get(rung);
    Optional<Integer> newTrials =
        rule.brackets() == 1 || !rule.limitsTrials()
            ? Optional.empty()
            : Optional.of(rung < rule.brackets() ? rule.newTrials().get(rung) : 0);
    return new Rung(
        RungRule.name(rung), rule.target(rung), new Tasks(of.mean(), of.p5(), of.p95()), newTrials);
  }
}
