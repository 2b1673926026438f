package io.elastune.core.plan;

import io.elastune.core.Preconditions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The training work of a job: one or more chains that run concurrently on separate instances. */
public record Workload(List<Chain> chains) {
  public Workload {
    chains = List.copyOf(chains);
    Preconditions.that(!chains.isEmpty(), "a workload must have at least one chain");
    Set<String> names = new HashSet<>();
    for (Chain chain : chains) {
      for (TrialGroup group : chain.groups()) {
        Preconditions.that(
            names.add(group.name()), "the group " + group.name() + " is given twice");
      }
    }
  }

  /** Returns the number of trials of all chains: those of the groups that start at unit 0. */
  public int trials() {
    return groups().stream()
        .filter(group -> group.fromUnit() == 0)
        .mapToInt(TrialGroup::trials)
        .sum();
  }

  /** Returns the same workload with trials that cannot resume, or can. */
  public Workload resumable(boolean resumable) {
    return new Workload(
        chains.stream()
            .map(chain -> new Chain(chain.name(), resumable(chain.groups(), resumable)))
            .toList());
  }

  private static List<TrialGroup> resumable(List<TrialGroup> groups, boolean resumable) {
    return groups.stream()
        .map(g -> new TrialGroup(g.name(), g.trials(), g.fromUnit(), g.toUnit(), !resumable))
        .toList();
  }

  /** Returns all groups, chain by chain. */
  public List<TrialGroup> groups() {
    return chains.stream().flatMap(chain -> chain.groups().stream()).toList();
  }
}
