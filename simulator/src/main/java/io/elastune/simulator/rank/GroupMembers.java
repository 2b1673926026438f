package io.elastune.simulator.rank;

import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.profile.Profile;
import io.elastune.core.random.RandomStreams;
import io.elastune.core.search.GroupSearch;
import io.elastune.core.search.GroupSearchState;
import io.elastune.core.search.LearningCurves;
import io.elastune.core.search.SearchDecision;
import io.elastune.core.search.SearchEvent;
import io.elastune.core.search.SearchStep;
import io.elastune.simulator.draw.CurveDraws;
import io.elastune.simulator.draw.DrawDistribution;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;

/**
 * Determines which trials are in each group of a search with barriers. At a barrier, only metrics
 * matter, not durations, so the trials are the same in all samples.
 */
public final class GroupMembers {
  private final RankModel ranks;
  private final RandomStreams streams;
  private final int firstTrial;
  private final Map<String, List<Integer>> byGroup = new HashMap<>();
  private final Map<Integer, Integer> parents = new HashMap<>();
  private Optional<LearningCurves> curves;

  private GroupMembers(RankModel ranks, RandomStreams streams, int firstTrial) {
    this.ranks = ranks;
    this.curves = ranks.curves();
    this.streams = streams.at("rank");
    this.firstTrial = firstTrial;
  }

  /** Plays the search of {@code problem}, all brackets included. */
  public static GroupMembers of(Problem problem, RankModel ranks) {
    Workload workload = problem.workload();
    RandomStreams streams = RandomStreams.of(problem.seed());
    GroupMembers all = new GroupMembers(ranks, streams, 0);
    int before = 0;
    for (Chain chain : workload.chains()) {
      GroupMembers own = new GroupMembers(ranks, streams, before);
      own.play(
          chain,
          workload
              .population()
              .map(rule -> new GroupSearch(chain, rule))
              .orElseGet(() -> new GroupSearch(chain, true)));
      all.byGroup.putAll(own.byGroup);
      all.parents.putAll(own.parents);
      all.curves = own.curves.or(() -> all.curves);
      before +=
          chain.groups().stream()
              .filter(group -> group.fromUnit() == 0)
              .mapToInt(TrialGroup::trials)
              .sum();
    }
    return all;
  }

  private void play(Chain chain, GroupSearch search) {
    GroupSearchState state = search.initial();
    while (state.group() < chain.groups().size()) {
      TrialGroup group = chain.groups().get(state.group());
      byGroup.put(group.name(), state.members().stream().map(t -> t + firstTrial).toList());
      SearchStep<GroupSearchState> step = new SearchStep<>(state, List.of());
      for (int trial : state.members()) {
        double loss = loss(trial + firstTrial, group);
        step = search.step(step.state(), new SearchEvent.Reached(trial, loss, false));
      }
      step.decisions().forEach(this::replace);
      state = step.state();
    }
  }

  private void replace(SearchDecision decision) {
    if (decision instanceof SearchDecision.Replace replaced) {
      int trial = replaced.trial() + firstTrial;
      int parent = replaced.parent() + firstTrial;
      parents.put(trial, parent);
      curves = curves.map(known -> known.inherit(trial, parent));
    }
  }

  private double loss(int trial, TrialGroup group) {
    if (curves.isPresent()) {
      return curves.get().loss(trial, group.toUnit());
    }
    return switch (ranks.order()) {
      case FIRST_BEST -> trial;
      case LAST_BEST -> -trial;
      case SAMPLED -> {
        RandomGenerator common = streams.at("trial").at(trial).open();
        RandomGenerator own = streams.at(group.name()).at(trial).open();
        yield Math.sqrt(ranks.correlation()) * common.nextGaussian()
            + Math.sqrt(1 - ranks.correlation()) * own.nextGaussian();
      }
    };
  }

  /** Returns the trials of a group in ascending order; fewer if metrics are missing. */
  public List<Integer> of(TrialGroup group) {
    return byGroup.getOrDefault(group.name(), List.of());
  }

  /** Returns the trial from whose checkpoint a trial starts, if that is another one. */
  public OptionalInt parent(int trial) {
    return Optional.ofNullable(parents.get(trial)).map(OptionalInt::of).orElse(OptionalInt.empty());
  }

  /**
   * Returns after how many units of a group each of its trials reports a metric or a better one; 0
   * if it does not.
   */
  public int[] targets(TrialGroup group, double metric) {
    int from = group.toUnit() - group.units();
    int[] units = new int[group.trials()];
    List<Integer> members = of(group);
    for (int i = 0; i < members.size(); i++) {
      int unit = curves.orElseThrow().firstUnit(members.get(i), metric, from).orElse(from);
      units[i] = unit <= group.toUnit() ? unit - from : 0;
    }
    return units;
  }

  /** Returns the factors X of the trials of a group, with recorded durations. */
  public DrawDistribution withCurves(TrialGroup group, Profile profile, DrawDistribution law) {
    LearningCurves known = curves.orElseThrow();
    int from = group.toUnit() - group.units();
    List<LearningCurves.Work> work =
        of(group).stream().map(trial -> known.work(trial, from, group.toUnit())).toList();
    double oneGpuUnitS = profile.secondsPerUnit(1).orElse(Double.NaN);
    return new CurveDraws(law, work, group.trials(), group.units(), oneGpuUnitS);
  }
}
