package io.elastune.cli.imports;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A study of Optuna, as its storage has it.
 *
 * @param directions {@code MINIMIZE} or {@code MAXIMIZE} for each objective
 * @param metrics the names of the objectives; empty if they have none
 */
record OptunaStudy(
    String name, List<String> directions, List<String> metrics, List<StoredTrial> trials) {
  /** A trial, whose hyperparameters are added while the storage is read. */
  static final class StoredTrial {
    private final Map<String, Suggested> suggested = new LinkedHashMap<>();
    private boolean complete;

    StoredTrial(boolean complete) {
      this.complete = complete;
    }

    void suggest(String name, String distribution, double value) {
      suggested.put(name, new Suggested(distribution, value));
    }

    void completed() {
      complete = true;
    }

    Map<String, Suggested> suggested() {
      return suggested;
    }

    boolean isComplete() {
      return complete;
    }
  }

  /**
   * A hyperparameter of a trial.
   *
   * @param distribution as JSON
   * @param value the value, or for a choice the index of the value
   */
  record Suggested(String distribution, double value) {}

  OptunaStudy {
    directions = List.copyOf(directions);
    metrics = List.copyOf(metrics);
    trials = List.copyOf(trials);
  }

  /** Returns the names of all hyperparameters, in the order in which trials have used them. */
  List<String> parameters() {
    List<String> names = new ArrayList<>();
    for (StoredTrial trial : trials) {
      for (String name : trial.suggested().keySet()) {
        if (!names.contains(name)) {
          names.add(name);
        }
      }
    }
    return names;
  }
}
