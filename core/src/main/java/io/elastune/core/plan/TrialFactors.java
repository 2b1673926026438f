package io.elastune.core.plan;

import io.elastune.core.profile.Profile;
import java.util.List;

/** The factors by which the durations of a job's trials differ because of their hyperparameters. */
public final class TrialFactors {
  private TrialFactors() {}

  /**
   * Returns the factors of all trials of {@code workload}, in order of trial number; empty if the
   * profile has none for exactly these trials.
   */
  public static List<Double> all(Workload workload, Profile profile) {
    return of(workload, workload.groups().get(0), profile).isEmpty()
        ? List.of()
        : profile.configurations().factors();
  }

  /**
   * Returns the factors of the trials that start together, among which those of {@code group} are.
   * It is empty if the profile has none for exactly the trials of {@code workload}: the rest of a
   * run that has started consists of other trials than a new run. The groups of a search made of
   * rungs have none.
   *
   * @param group a group of {@code workload}
   */
  public static List<Double> of(Workload workload, TrialGroup group, Profile profile) {
    List<Double> factors = profile.configurations().factors();
    if (factors.isEmpty() || workload.rungs().isPresent()) {
      return List.of();
    }
    int trials = 0;
    List<Double> own = List.of();
    for (Chain chain : workload.chains()) {
      int from = trials;
      for (TrialGroup one : chain.groups()) {
        if (one.fromUnit() == 0) {
          from = trials;
          trials += one.trials();
        }
        if (trials == 0 || trials > factors.size()) {
          return List.of();
        }
        if (one.equals(group)) {
          own = factors.subList(from, trials);
        }
      }
    }
    return trials == factors.size() ? own : List.of();
  }
}
