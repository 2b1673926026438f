package io.elastune.cli.inspect;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.elastune.core.plan.BracketShares;
import io.elastune.core.plan.RungRule;
import io.elastune.executor.journal.TrialRow;
import java.util.List;
import java.util.stream.IntStream;

/** How many trials of an asynchronous search reached the target of one rung. */
record RungResult(
    @JsonPropertyDescription("Its name.") String rung,
    @JsonPropertyDescription("Units that its tasks reach.") int unit,
    @JsonPropertyDescription("Number of its tasks that reached them.") int tasks) {
  /** Returns the rungs of a run from the lowest; none for another search. */
  static List<RungResult> of(RunRecord run) {
    return run.rungs().map(rule -> of(run.trials(), rule)).orElse(List.of());
  }

  private static List<RungResult> of(List<TrialRow> trials, RungRule rule) {
    BracketShares shares = rule.shares();
    int[] tasks = new int[rule.lastRung() + 1];
    for (TrialRow trial : trials) {
      int first = shares.bracket(trial.trial());
      for (int rung = first; rung < tasks.length && trial.unit() >= rule.target(rung); rung++) {
        tasks[rung]++;
      }
    }
    return IntStream.range(0, tasks.length)
        .mapToObj(rung -> new RungResult(RungRule.name(rung), rule.target(rung), tasks[rung]))
        .toList();
  }
}
