package io.elastune.cli.inspect;

import io.elastune.cli.text.OutputExcerpt;
import io.elastune.executor.journal.FaultRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Lists the faults of a run's trials, trial by trial. */
final class FaultList {
  private static final int MOST_LINES = 24;

  private final RunRecord run;

  FaultList(RunRecord run) {
    this.run = run;
  }

  /** Returns a line for each distinct fault of a trial, and the command that shows more. */
  List<String> lines() {
    List<String> faults = new ArrayList<>();
    byTrial()
        .forEach(
            (trial, messages) ->
                messages.forEach(
                    (message, times) ->
                        faults.add("trial " + trial + ": " + message + times(times))));
    if (faults.isEmpty()) {
      return List.of();
    }
    List<String> lines = new ArrayList<>();
    lines.add(" faults");
    faults.stream().limit(MOST_LINES).forEach(fault -> lines.add("   " + fault));
    String more =
        faults.size() > MOST_LINES ? "and " + (faults.size() - MOST_LINES) + " more; " : "";
    lines.add("   " + more + "all output: elastune logs " + run.run() + " --trial N");
    return lines;
  }

  private static String times(int times) {
    return times == 1 ? "" : " (" + times + " times)";
  }

  private SortedMap<Integer, Map<String, Integer>> byTrial() {
    SortedMap<Integer, Map<String, Integer>> faults = new TreeMap<>();
    for (FaultRow faultRow : run.faults()) {
      faults
          .computeIfAbsent(faultRow.trial(), trial -> new LinkedHashMap<>())
          .merge(OutputExcerpt.of(faultRow.message()), 1, Integer::sum);
    }
    return faults;
  }
}
