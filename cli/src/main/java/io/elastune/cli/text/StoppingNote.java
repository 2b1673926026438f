package io.elastune.cli.text;

import io.elastune.core.job.Job;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.Workload;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * States on which reports the variant {@code stopping} of an asynchronous search depends: a program
 * that reports only once, at its end, is never stopped (docs/searches.md, "ASHA").
 */
public final class StoppingNote {
  private StoppingNote() {}

  /** Returns the note; empty for a search that stops no running trial. */
  public static Optional<String> of(Job job, Workload workload) {
    return workload
        .rungs()
        .filter(rule -> rule.isStopping() && !job.policy().choosesSizes())
        .map(
            rule ->
                "variant stopping: a trial stops only when it reports at or after %s %s; a program"
                        .formatted(job.search().resource().unit(), targets(rule))
                    + " that reports only at its end trains all trials fully");
  }

  private static String targets(RungRule rule) {
    return rule.targets().subList(0, rule.lastRung()).stream()
        .map(String::valueOf)
        .collect(Collectors.joining(", "));
  }
}
