package io.elastune.cli.inspect;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.elastune.core.job.Algorithm;
import io.elastune.core.job.Search;
import io.elastune.core.plan.BracketShares;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.Workload;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.journal.GroupRow;
import io.elastune.executor.journal.TrialRow;
import io.elastune.plan.json.KeyIfPresent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * The bracket of each trial of a run: a, b, … of Hyperband, and 0, 1, … of asynchronous Hyperband,
 * where it is also the first rung of its trials.
 */
public final class TrialBrackets {
  private final RunRecord run;
  private final Map<Integer, String> byTrial;

  private TrialBrackets(RunRecord run, Map<Integer, String> byTrial) {
    this.run = run;
    this.byTrial = byTrial;
  }

  /** Returns the brackets of a run; empty for another search. */
  public static TrialBrackets of(RunRecord run) {
    // The name of a group shows most searches without brackets, for which status reads no job file.
    boolean mayHaveBrackets =
        run.groups().stream()
            .map(GroupRow::name)
            .anyMatch(name -> name.contains(".") || name.equals(Workload.OPEN));
    return new TrialBrackets(
        run,
        mayHaveBrackets
            ? run.search().map(search -> byTrial(run, search)).orElse(Map.of())
            : Map.of());
  }

  private static Map<Integer, String> byTrial(RunRecord run, Search search) {
    Map<Integer, String> found = new TreeMap<>();
    if (search.algorithm() == Algorithm.HYPERBAND) {
      List<String> inOrder = inOrder(run);
      for (TrialRow row : run.trials()) {
        String bracket = row.chain();
        if (bracket.isEmpty() && row.trial() <= inOrder.size()) {
          bracket = inOrder.get(row.trial() - 1);
        }
        if (!bracket.isEmpty()) {
          found.put(row.trial(), bracket);
        }
      }
      return found;
    }
    Optional<BracketShares> shares =
        run.rungs().filter(rule -> rule.brackets() > 1).map(RungRule::shares);
    for (TrialRow row : run.trials()) {
      shares.ifPresent(it -> found.put(row.trial(), String.valueOf(it.bracket(row.trial()))));
    }
    return found;
  }

  /** Returns the bracket of each trial, by number, where one bracket starts after the other. */
  private static List<String> inOrder(RunRecord run) {
    List<String> brackets = new ArrayList<>();
    for (GroupRow group : run.groups()) {
      int dot = group.name().indexOf('.');
      if (group.fromUnit() == 0 && group.started().isPresent() && dot > 0) {
        for (int trial = 0; trial < group.trials(); trial++) {
          brackets.add(group.name().substring(0, dot));
        }
      }
    }
    return brackets;
  }

  /** Whether the search has no brackets, or no trial has been proposed yet. */
  public boolean isEmpty() {
    return byTrial.isEmpty();
  }

  /** Returns the bracket of a trial; empty if the search has no brackets. */
  public Optional<String> of(int trial) {
    return Optional.ofNullable(byTrial.get(trial));
  }

  /** Returns e.g. {@code in bracket 1} after a space; empty if the search has no brackets. */
  String suffix(int trial) {
    return of(trial).map(bracket -> " in bracket " + bracket).orElse("");
  }

  /** Returns all brackets with their trials so far, in order. */
  public List<BracketDocument> all() {
    if (byTrial.isEmpty()) {
      return List.of();
    }
    Map<String, List<TrialRow>> rows = new TreeMap<>();
    for (TrialRow row : run.trials()) {
      of(row.trial()).ifPresent(it -> rows.computeIfAbsent(it, none -> new ArrayList<>()).add(row));
    }
    Map<String, TrialRow> best = new LinkedHashMap<>();
    run.ranked().forEach(row -> of(row.trial()).ifPresent(it -> best.putIfAbsent(it, row)));
    return rows.entrySet().stream()
        .map(
            entry ->
                BracketDocument.of(
                    entry.getKey(),
                    entry.getValue(),
                    Optional.ofNullable(best.get(entry.getKey()))))
        .toList();
  }

  /** One bracket, as part of several documents. */
  public record BracketDocument(
      @JsonPropertyDescription("Its name.") String bracket,
      @JsonPropertyDescription("Number of its trials so far.") int trials,
      @JsonPropertyDescription("Its trials that run now.") List<Integer> running,
      @KeyIfPresent @JsonPropertyDescription("Its best trial, if a trial has a metric.")
          Optional<Integer> best,
      @KeyIfPresent @JsonPropertyDescription("The metric of its best trial.")
          Optional<OptionalDouble> metric) {
    private static BracketDocument of(
        String bracket, List<TrialRow> rows, Optional<TrialRow> best) {
      return new BracketDocument(
          bracket,
          rows.size(),
          rows.stream()
              .filter(row -> row.status() == TrialState.Status.RUNNING)
              .map(TrialRow::trial)
              .toList(),
          best.map(TrialRow::trial),
          best.map(TrialRow::metric));
    }
  }
}
