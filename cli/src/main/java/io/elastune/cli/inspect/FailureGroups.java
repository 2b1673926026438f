package io.elastune.cli.inspect;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.elastune.cli.text.FailureText;
import io.elastune.cli.text.OutputExcerpt;
import io.elastune.cli.text.Plural;
import io.elastune.executor.decision.model.FailureCause;
import io.elastune.executor.journal.FaultRow;
import io.elastune.executor.journal.ReportRow;
import io.elastune.executor.journal.RunReader;
import io.elastune.executor.journal.TrialRow;
import io.elastune.plan.json.KeyIfPresent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The failures of a run's trials, those with the same cause together, the most frequent first. */
public final class FailureGroups {
  private static final int MOST_TRIALS = 8;
  private static final int MOST_GROUPS = 3;

  /** Failures with the same cause. */
  private record Group(FailureCause cause, List<FaultRow> failures) {
    SortedSet<Integer> trials() {
      return failures.stream().map(FaultRow::trial).collect(Collectors.toCollection(TreeSet::new));
    }
  }

  /** The document of one cause. */
  public record FailureDocument(
      @JsonPropertyDescription("The cause, which is equal for equal failures.") String cause,
      @JsonPropertyDescription("Number of failures; a trial may fail several times.") int count,
      @JsonPropertyDescription("The first failure, with its last lines of output.") String example,
      @JsonPropertyDescription("The kind of the cause.") String kind,
      @JsonPropertyDescription("The numbers of the trials.") List<Integer> trials,
      @KeyIfPresent @JsonPropertyDescription("The likely remedy, if one is known.")
          Optional<String> remedy) {}

  private final List<Group> groups;
  private final Map<Integer, TrialRow> trials;

  private FailureGroups(List<FaultRow> failures, List<TrialRow> rows) {
    Map<String, Group> byCause = new LinkedHashMap<>();
    for (FaultRow failure : failures) {
      FailureCause cause = FailureCause.of(failure.message());
      byCause
          .computeIfAbsent(cause.key(), key -> new Group(cause, new ArrayList<>()))
          .failures()
          .add(failure);
    }
    groups = new ArrayList<>(byCause.values());
    groups.sort(Comparator.comparing((Group group) -> group.trials().size()).reversed());
    trials = rows.stream().collect(Collectors.toMap(TrialRow::trial, row -> row));
  }

  /** Returns those of a run. */
  static FailureGroups of(RunRecord run) {
    List<FaultRow> failures = new ArrayList<>(failures(run.faults()));
    failures.addAll(diverged(run));
    return new FailureGroups(failures, run.trials());
  }

  /** Returns those of trials, by the faults of their run. */
  public static FailureGroups of(List<FaultRow> faults, List<TrialRow> trials) {
    Set<Integer> numbers = trials.stream().map(TrialRow::trial).collect(Collectors.toSet());
    return new FailureGroups(
        failures(faults).stream().filter(row -> numbers.contains(row.trial())).toList(), trials);
  }

  private static List<FaultRow> failures(List<FaultRow> faults) {
    return faults.stream().filter(row -> FailureCause.isFailure(row.message())).toList();
  }

  /** Returns the trials that reached the end of a group with a metric that is no finite number. */
  private static List<FaultRow> diverged(RunRecord run) {
    Set<Integer> without =
        run.trials().stream()
            .filter(row -> row.unit() > 0 && row.metric().isEmpty())
            .map(TrialRow::trial)
            .collect(Collectors.toSet());
    if (without.isEmpty()) {
      return List.of();
    }
    String metric = run.meta().metric().name();
    List<ReportRow> last;
    try (RunReader reader = RunReader.open(run.folder())) {
      last = reader.lastReports();
    }
    return last.stream()
        .filter(report -> without.contains(report.trial()))
        .filter(report -> report.metrics().containsKey(metric))
        .map(
            report ->
                new FaultRow(
                    report.at(),
                    report.trial(),
                    report.attempt(),
                    FailureCause.REPORTED_NO_NUMBER
                        + metric
                        + " "
                        + ValueFormat.text(report.metrics().getOrDefault(metric, Double.NaN))
                        + " for "
                        + run.meta().unit()
                        + " "
                        + report.unit()))
        .toList();
  }

  /** Returns the documents of all causes. */
  List<FailureDocument> documents() {
    return groups.stream()
        .map(
            group ->
                new FailureDocument(
                    FailureText.of(group.cause()),
                    group.failures().size(),
                    group.failures().get(0).message(),
                    group.cause().kind().label(),
                    List.copyOf(group.trials()),
                    FailureText.remedy(group.cause())))
        .toList();
  }

  /**
   * Returns the causes of {@code failed} trials in a few words, e.g. {@code out of memory}; with
   * counts if there are several.
   */
  Optional<String> summary(Set<Integer> failed) {
    Map<String, Long> counts = new LinkedHashMap<>();
    for (Group group : groups) {
      long count = group.trials().stream().filter(failed::contains).count();
      if (count > 0) {
        counts.put(OutputExcerpt.of(FailureText.of(group.cause())), count);
      }
    }
    String more = counts.size() > MOST_GROUPS ? ", and others" : "";
    return counts.isEmpty()
        ? Optional.empty()
        : Optional.of(
            counts.size() == 1
                ? counts.keySet().iterator().next()
                : counts.entrySet().stream()
                        .limit(MOST_GROUPS)
                        .map(entry -> entry.getValue() + " × " + entry.getKey())
                        .collect(Collectors.joining(", "))
                    + more);
  }

  /** Returns a line for each cause with its trials, and one with its remedy. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (Group group : groups) {
      Map<String, Object> common = common(group.trials());
      String configuration =
          common.isEmpty()
              ? ""
              : (group.trials().size() == 1 ? " failed with " : " failed, all with ")
                  + ValueFormat.configuration(common);
      lines.add(numbered(group.trials()) + configuration + ": " + FailureText.of(group.cause()));
      FailureText.remedy(group.cause()).ifPresent(remedy -> lines.add("  " + remedy + "."));
    }
    return lines;
  }

  private static String numbered(SortedSet<Integer> trials) {
    String list =
        trials.stream().limit(MOST_TRIALS).map(String::valueOf).collect(Collectors.joining(", "));
    return trials.size() == 1
        ? "trial " + list
        : Plural.counted(trials.size(), "trial")
            + " ("
            + list
            + (trials.size() > MOST_TRIALS ? ", …" : "")
            + ")";
  }

  /** Returns the configuration of a single trial, or what some trials have and not all others. */
  private Map<String, Object> common(SortedSet<Integer> failed) {
    List<Map<String, Object>> configs =
        failed.stream().map(trials::get).filter(Objects::nonNull).map(TrialRow::config).toList();
    if (configs.isEmpty()) {
      return Map.of();
    }
    Map<String, Object> common = new LinkedHashMap<>(configs.get(0));
    configs.forEach(config -> common.entrySet().retainAll(config.entrySet()));
    if (failed.size() > 1) {
      common
          .entrySet()
          .removeIf(
              entry ->
                  trials.values().stream()
                      .allMatch(row -> row.config().entrySet().contains(entry)));
    }
    return common;
  }

  /** Returns the message of the first failure of the most frequent cause; empty if none failed. */
  public Optional<String> example() {
    return groups.stream().findFirst().map(group -> group.failures().get(0).message());
  }
}
