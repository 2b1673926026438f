package io.elastune.core.plan;

import io.elastune.core.IntRange;
import io.elastune.core.Preconditions;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * The training work of a job.
 *
 * @param chains one or more chains that run concurrently on separate instances
 * @param rungs the rules of a search made of rungs: its only chain has the groups {@code open}, in
 *     which new trials may start, and {@code closing}, in which none starts; empty for a search
 *     whose groups end at barriers
 * @param population the rule by which trials of the only chain are replaced at each barrier; empty
 *     if the best trials continue there
 * @param target the metric at which a trial ends the search; empty if none does
 */
public record Workload(
    List<Chain> chains,
    Optional<RungRule> rungs,
    Optional<PopulationRule> population,
    OptionalDouble target) {
  /** The group of a search made of rungs in which new trials may start. */
  public static final String OPEN = "open";

  /** The group of a search made of rungs in which no new trial starts. */
  public static final String CLOSING = "closing";

  /** Creates the work of a search whose groups end at barriers. */
  public Workload(List<Chain> chains) {
    this(chains, Optional.empty(), Optional.empty(), OptionalDouble.empty());
  }

  /** Returns the work of a population whose trials are replaced at each barrier. */
  public static Workload of(Chain chain, PopulationRule rule) {
    return new Workload(
        List.of(chain), Optional.empty(), Optional.of(rule), OptionalDouble.empty());
  }

  /** Returns the work of a search made of rungs. */
  public static Workload of(RungRule rule) {
    int last = rule.target(rule.lastRung());
    TrialGroup open = new TrialGroup(OPEN, rule.trials(), 0, rule.target(0), rule.fromScratch());
    TrialGroup closing =
        new TrialGroup(
            CLOSING,
            Math.max(1, rule.trials() / rule.eta()),
            rule.target(0),
            last,
            rule.fromScratch());
    return new Workload(
        List.of(new Chain("", List.of(open, closing))),
        Optional.of(rule),
        Optional.empty(),
        OptionalDouble.empty());
  }

  /** Returns the same search with other groups. */
  public Workload withChains(List<Chain> others) {
    return new Workload(others, rungs, population, target);
  }

  /** Returns the same work of a search made of rungs with other rules. */
  public Workload withRungs(RungRule rule) {
    return new Workload(chains, Optional.of(rule), population, target);
  }

  /** Returns the same work, which ends when a trial reaches the metric. */
  public Workload withTarget(OptionalDouble metric) {
    return new Workload(chains, rungs, population, metric);
  }

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

  /** Whether the search ends at a time, with whatever it has reached. */
  public boolean endsAtTime() {
    return rungs.filter(rule -> rule.time().isPresent()).isPresent();
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
            .toList(),
        rungs.map(rule -> rule.resumable(resumable)),
        population,
        target);
  }

  private static List<TrialGroup> resumable(List<TrialGroup> groups, boolean resumable) {
    return groups.stream()
        .map(g -> new TrialGroup(g.name(), g.trials(), g.fromUnit(), g.toUnit(), !resumable))
        .toList();
  }

  /**
   * Returns the same workload with trials that save checkpoints as Elastune decides.
   *
   * @param every the units between two checkpoints that they support; empty if they save as they
   *     like
   */
  public Workload saving(Optional<IntRange> every) {
    return new Workload(
        chains.stream()
            .map(chain -> new Chain(chain.name(), saving(chain.groups(), every)))
            .toList(),
        rungs,
        population,
        target);
  }

  private static List<TrialGroup> saving(List<TrialGroup> groups, Optional<IntRange> every) {
    return groups.stream()
        .map(
            g ->
                new TrialGroup(
                    g.name(), g.trials(), g.fromUnit(), g.toUnit(), g.fromScratch(), every))
        .toList();
  }

  /** Returns all groups, chain by chain. */
  public List<TrialGroup> groups() {
    return chains.stream().flatMap(chain -> chain.groups().stream()).toList();
  }
}
