package io.elastune.cli.execute;

import io.elastune.cli.text.ResumeCommands;
import io.elastune.core.ShellWord;
import io.elastune.core.config.FieldChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The fields in which a job file differs from that of a run, and how each of them can be applied: a
 * resume can change the limits, and only a new run the rest.
 *
 * @param run the run
 * @param file the job file, as messages name it
 * @param fields the fields
 * @param problems why the file cannot be read as a job; empty if it can
 */
record JobChanges(String run, String file, List<FieldChange> fields, String problems) {
  /** The options of {@code resume} by the field that each overrides. */
  private static final Map<String, String> OPTIONS =
      new TreeMap<>(Map.of("deadline", "--deadline", "budget.usd", "--budget"));

  JobChanges {
    fields = List.copyOf(fields);
  }

  /** A file without changes. */
  static JobChanges none(String run, String file) {
    return new JobChanges(run, file, List.of(), "");
  }

  JobChanges withFields(List<FieldChange> changed) {
    return new JobChanges(run, file, changed, problems);
  }

  JobChanges withProblems(String message) {
    return new JobChanges(run, file, fields, message);
  }

  boolean isEmpty() {
    return fields.isEmpty() && problems.isEmpty();
  }

  /** Returns how the job file differs, without a period. */
  String text() {
    return "the job file has changed since the run started: "
        + (problems.isEmpty()
            ? fields.stream().map(FieldChange::text).collect(Collectors.joining("; "))
            : "it has problems: " + problems);
  }

  /** Returns how the changes are applied, a sentence each; none for a file with problems. */
  List<String> remedies() {
    List<String> options = new ArrayList<>();
    List<FieldChange> others = new ArrayList<>();
    for (FieldChange change : fields) {
      option(change).ifPresentOrElse(options::add, () -> others.add(change));
    }
    List<String> remedies = new ArrayList<>();
    if (!options.isEmpty()) {
      remedies.add(
          "To change the limits of this run: "
              + ResumeCommands.resume(run)
              + " "
              + String.join(" ", options));
    }
    if (!others.isEmpty()) {
      // Values of another metric cannot be compared.
      boolean isSameMetric =
          others.stream().noneMatch(change -> change.field().startsWith("search.metric"));
      remedies.add(
          "To use "
              + (options.isEmpty() ? "the changes" : "the other changes")
              + ", start a new run: elastune run "
              + ShellWord.of(file)
              + (isSameMetric
                  ? " --warm-start "
                      + run
                      + ", which tries the best configurations of this one first"
                  : ""));
    }
    return remedies;
  }

  /** Returns the option of {@code resume} that applies a change, if there is one. */
  private static Optional<String> option(FieldChange change) {
    return change
        .after()
        .filter(value -> OPTIONS.containsKey(change.field()))
        .map(value -> OPTIONS.get(change.field()) + " " + value.replace("\"", ""));
  }
}
