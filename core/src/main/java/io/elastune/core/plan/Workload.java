package io.elastune.core.plan;

import io.elastune.core.Check;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Everything that is to be trained: chains side by side, on separate instances. */
public record Workload(List<Chain> chains) {
  public Workload {
    chains = List.copyOf(chains);
    Check.that(!chains.isEmpty(), "a workload must have at least one chain");
    Set<String> names = new HashSet<>();
    for (Chain chain : chains) {
      for (TrialGroup group : chain.groups()) {
        Check.that(names.add(group.name()), "the group " + group.name() + " is given twice");
      }
    }
  }

  /** Trials of all chains: those of the groups that start from nothing. */
  public int trials() {
    return groups().stream()
        .filter(group -> group.fromUnit() == 0)
        .mapToInt(TrialGroup::trials)
        .sum();
  }

  /** All groups, chain by chain. */
  public List<TrialGroup> groups() {
    return chains.stream().flatMap(chain -> chain.groups().stream()).toList();
  }
}
