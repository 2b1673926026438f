package io.elastune.profiler;

import io.elastune.core.job.Algorithm;
import io.elastune.core.job.Search;
import io.elastune.core.plan.Workload;
import io.elastune.core.profile.MeasuredNumber;
import io.elastune.core.search.TrialGroups;
import io.elastune.executor.search.Configurations;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** The hyperparameters of the trials of a search, if they are known before it starts. */
public final class KnownTrials {
  /** The start of the name of the number of a profile that says whose trials were measured. */
  private static final String NUMBER = "trials ";

  private KnownTrials() {}

  /**
   * Returns the name of the number that a profile has if trials among {@code trials} were measured:
   * it identifies all of them.
   */
  static String number(List<Map<String, Object>> trials) {
    List<TreeMap<String, String>> sorted = new ArrayList<>();
    for (Map<String, Object> trial : trials) {
      TreeMap<String, String> values = new TreeMap<>();
      trial.forEach((name, value) -> values.put(name, String.valueOf(value)));
      sorted.add(values);
    }
    return NUMBER + ProfileKey.hash(sorted.toString());
  }

  /** Returns the numbers with that of the trials, if they are known. */
  static List<MeasuredNumber> named(
      List<MeasuredNumber> numbers, List<Map<String, Object>> trials) {
    if (trials.isEmpty()) {
      return numbers;
    }
    int all = trials.size();
    List<MeasuredNumber> more = new ArrayList<>(numbers);
    more.add(new MeasuredNumber(number(trials), all, 0, all, all, 1));
    return more;
  }

  /** Returns the same for the workload of the search. */
  static List<Map<String, Object>> of(Search search) {
    return of(search, TrialGroups.of(search));
  }

  /**
   * Returns the hyperparameters of all trials in order of trial number; empty if results of others
   * determine them, or how many there are.
   */
  public static List<Map<String, Object>> of(Search search, Workload workload) {
    boolean known = !search.usesSampler() && search.algorithm() != Algorithm.PBT;
    if (!known || workload.rungs().isPresent()) {
      return List.of();
    }
    Configurations configurations = new Configurations(search);
    int count = workload.chains().stream().mapToInt(chain -> chain.groups().get(0).trials()).sum();
    return IntStream.rangeClosed(1, count).mapToObj(configurations::of).toList();
  }
}
