package io.elastune.core.search;

import io.elastune.core.plan.Chain;
import io.elastune.core.plan.PopulationRule;
import io.elastune.core.plan.TrialGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Trial groups with barriers: successive halving, a bracket of Hyperband, population based
 * training, random and grid search (docs/model.md, "Searches as trial groups"). A group starts all
 * its trials. It ends when its last trial has reached its end or was dropped; then the best trials
 * continue in the next group, or the worst are replaced. A later group that starts at unit 0 is the
 * start of another bracket: it has new trials.
 */
public final class GroupSearch implements SearchAlgorithm<GroupSearchState> {
  private final List<TrialGroup> groups;
  private final BarrierRule rule;

  /**
   * @param comparesTrials whether only trials with a finite metric continue; false where trials are
   *     measured, not compared
   */
  public GroupSearch(Chain chain, boolean comparesTrials) {
    this(chain, new KeepBest(comparesTrials));
  }

  /** Creates a search of a population whose worst trials are replaced at each barrier. */
  public GroupSearch(Chain chain, PopulationRule rule) {
    this(chain, new ExploitExplore(rule));
  }

  private GroupSearch(Chain chain, BarrierRule rule) {
    this.groups = chain.groups();
    this.rule = rule;
  }

  @Override
  public GroupSearchState initial() {
    List<Integer> members = newTrials(0, groups.get(0).trials());
    return GroupSearchState.of(0, members.size(), members);
  }

  private static List<Integer> newTrials(int begun, int count) {
    return IntStream.rangeClosed(begun + 1, begun + count).boxed().toList();
  }

  @Override
  public SearchStep<GroupSearchState> step(GroupSearchState state, SearchEvent event) {
    GroupSearchState after = apply(state, event);
    return isEnded(after) || !after.pending().isEmpty()
        ? new SearchStep<>(after, List.of())
        : atBarrier(after);
  }

  private static GroupSearchState apply(GroupSearchState state, SearchEvent event) {
    if (event instanceof SearchEvent.Reached reached && isPending(state, reached.trial())) {
      SortedMap<Integer, Double> losses = new TreeMap<>(state.losses());
      losses.put(reached.trial(), reached.loss());
      return new GroupSearchState(
          state.group(), state.begun(), state.members(), without(state, reached.trial()), losses);
    }
    if (event instanceof SearchEvent.Dropped dropped && isPending(state, dropped.trial())) {
      return new GroupSearchState(
          state.group(),
          state.begun(),
          state.members(),
          without(state, dropped.trial()),
          state.losses());
    }
    return state;
  }

  private static boolean isPending(GroupSearchState state, int trial) {
    return state.pending().contains(trial);
  }

  private static List<Integer> without(GroupSearchState state, int trial) {
    return state.pending().stream().filter(other -> other != trial).toList();
  }

  private boolean isEnded(GroupSearchState state) {
    return state.group() >= groups.size();
  }

  private SearchStep<GroupSearchState> atBarrier(GroupSearchState state) {
    List<SearchDecision> decisions = new ArrayList<>();
    decisions.add(new SearchDecision.EndGroup(state.group()));
    int next = state.group() + 1;
    if (next == groups.size() || groups.get(next).fromUnit() == 0) {
      state.losses().keySet().forEach(t -> decisions.add(new SearchDecision.Complete(t)));
      return next == groups.size() ? finished(state, decisions) : beginNew(state, next, decisions);
    }
    BarrierRule.Survivors survivors = rule.at(state, groups.get(next).trials());
    decisions.addAll(survivors.decisions());
    if (!survivors.members().isEmpty()) {
      return begin(next, survivors.begun(), survivors.members(), decisions);
    }
    OptionalInt fresh = nextFresh(next);
    return fresh.isPresent()
        ? beginNew(state, fresh.getAsInt(), decisions)
        : finished(state, decisions);
  }

  /** The first group of the next bracket, which has new trials. */
  private OptionalInt nextFresh(int from) {
    return IntStream.range(from, groups.size())
        .filter(group -> groups.get(group).fromUnit() == 0)
        .findFirst();
  }

  private SearchStep<GroupSearchState> beginNew(
      GroupSearchState state, int group, List<SearchDecision> decisions) {
    List<Integer> members = newTrials(state.begun(), groups.get(group).trials());
    return begin(group, state.begun() + members.size(), members, decisions);
  }

  private static SearchStep<GroupSearchState> begin(
      int group, int begun, List<Integer> members, List<SearchDecision> decisions) {
    decisions.add(new SearchDecision.BeginGroup(group, members));
    return new SearchStep<>(GroupSearchState.of(group, begun, members), decisions);
  }

  private SearchStep<GroupSearchState> finished(
      GroupSearchState state, List<SearchDecision> decisions) {
    decisions.add(new SearchDecision.Finished());
    return new SearchStep<>(
        GroupSearchState.of(groups.size(), state.begun(), List.of()), decisions);
  }

  @Override
  public int demand(GroupSearchState state) {
    int most = isEnded(state) ? 0 : state.pending().size();
    for (int group = state.group() + 1; group < groups.size(); group++) {
      most = Math.max(most, groups.get(group).trials());
    }
    return most;
  }
}
