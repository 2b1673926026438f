package io.elastune.cli.execute;

import io.elastune.cli.text.ResumeCommands;
import io.elastune.core.ShellWord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The fields in which a job file differs from that of a run, and how each of them can be applied: a
 * resume can change the limits, and only a new run the rest.
 *
 * @param run the run
 * @param file the job file, as messages name it
 * @param lines a line for each field, such as {@code deadline: 3h instead of 2h}
 */
record JobChanges(String run, String file, List<String> lines) {
  /** The options of {@code resume} by the field that each overrides. */
  private static final Map<String, String> OPTIONS =
      new TreeMap<>(Map.of("deadline", "--deadline", "budget.usd", "--budget"));

  private static final String PROBLEMS = "it has problems: ";

  JobChanges {
    lines = List.copyOf(lines);
  }

  /** The changes of a file that cannot be read as a job. */
  static String problems(String message) {
    return PROBLEMS + message;
  }

  boolean isEmpty() {
    return lines.isEmpty();
  }

  /** Returns how the job file differs, without a period. */
  String text() {
    return "the job file has changed since the run started: " + String.join("; ", lines);
  }

  /** Returns how the changes are applied, a sentence each; none for a file with problems. */
  List<String> remedies() {
    List<String> options = new ArrayList<>();
    List<String> others = new ArrayList<>();
    for (String line : lines) {
      option(line).ifPresentOrElse(options::add, () -> others.add(line));
    }
    List<String> remedies = new ArrayList<>();
    if (!options.isEmpty()) {
      remedies.add(
          "To change the limits of this run: "
              + ResumeCommands.resume(run)
              + " "
              + String.join(" ", options));
    }
    if (others.stream().anyMatch(line -> !line.startsWith(PROBLEMS))) {
      // Values of another metric cannot be compared.
      boolean isSameMetric = others.stream().noneMatch(line -> line.startsWith("search.metric"));
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
  private static Optional<String> option(String line) {
    return OPTIONS.entrySet().stream()
        .filter(entry -> line.startsWith(entry.getKey() + ": "))
        .filter(entry -> line.contains(" instead of ") || line.endsWith(" is new"))
        .map(
            entry ->
                entry.getValue()
                    + " "
                    + line.substring(entry.getKey().length() + 2)
                        .replaceFirst(" (instead of .*|is new)$", "")
                        .replace("\"", ""))
        .findFirst();
  }
}
