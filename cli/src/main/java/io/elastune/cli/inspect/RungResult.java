package io.elastune.cli.inspect;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.elastune.core.job.Job;
import io.elastune.core.plan.RungRule;
import io.elastune.core.search.TrialGroups;
import io.elastune.executor.journal.RunMeta;
import io.elastune.executor.journal.RunReader;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** How many trials of an asynchronous search reached the target of one rung. */
record RungResult(
    @JsonPropertyDescription("Its name.") String rung,
    @JsonPropertyDescription("Units that its tasks reach.") int unit,
    @JsonPropertyDescription("Number of its tasks that reached them.") int tasks) {
  /** Returns the rungs of a run from the lowest; none for another search. */
  static List<RungResult> of(RunRecord run) {
    Optional<RungRule> rule =
        run.job()
            .filter(job -> run.meta().kind() != RunMeta.Kind.PROFILE)
            .map(Job::search)
            .flatMap(search -> TrialGroups.of(search).rungs());
    return rule.map(
            it ->
                IntStream.rangeClosed(0, it.lastRung())
                    .mapToObj(rung -> of(run.trials(), it, rung))
                    .toList())
        .orElse(List.of());
  }

  private static RungResult of(List<RunReader.TrialRow> trials, RungRule rule, int rung) {
    int unit = rule.target(rung);
    long tasks =
        trials.stream()
            .filter(row -> row.unit() >= unit && first(rule, row.trial()) <= rung)
            .count();
    return new RungResult(RungRule.name(rung), unit, (int) tasks);
  }

  /** The first rung of a trial, which is that of its bracket. */
  private static int first(RungRule rule, int trial) {
    return rule.brackets() == 1 ? 0 : rule.shares().bracket(trial);
  }
}
