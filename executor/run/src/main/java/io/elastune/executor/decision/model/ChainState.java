package io.elastune.executor.decision.model;

import io.elastune.core.plan.TrialGroup;
import io.elastune.core.policy.HermesState;
import io.elastune.core.search.RungState;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The progress of one chain.
 *
 * @param group the index of the group in progress; the number of groups once all have ended
 * @param members trials of that group
 * @param waiting those of them that wait for a slot, in order of trial number
 * @param teams for trials larger than an instance: the leases of each team, fixed for the group
 * @param replaced replacements requested for lost instances with the present allocation of this
 *     group
 * @param started when each group started
 * @param ended when each group ended
 * @param rungs the state of a search made of rungs; empty for groups with barriers
 * @param fluid what Fluid knows of the group in progress; empty before its first decision, and
 *     under another policy
 * @param hyperSched what HyperSched knows of its search; empty before its first decision, and under
 *     another policy
 * @param hermes what Hermes knows of the group in progress; empty before its first decision, and
 *     under another policy
 */
@RecordBuilder
public record ChainState(
    int group,
    List<Integer> members,
    List<Integer> waiting,
    List<List<String>> teams,
    int replaced,
    List<Instant> started,
    List<Instant> ended,
    Optional<RungState> rungs,
    Optional<FluidProgress> fluid,
    Optional<HyperSchedProgress> hyperSched,
    Optional<HermesState> hermes) {
  /** Creates the progress of a chain whose groups end at barriers. */
  public ChainState(
      int group,
      List<Integer> members,
      List<Integer> waiting,
      List<List<String>> teams,
      int replaced,
      List<Instant> started,
      List<Instant> ended) {
    this(
        group,
        members,
        waiting,
        teams,
        replaced,
        started,
        ended,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  public ChainState {
    members = List.copyOf(members);
    waiting = List.copyOf(waiting);
    teams = List.copyOf(teams);
    started = List.copyOf(started);
    ended = List.copyOf(ended);
  }

  static final ChainState NOT_STARTED =
      new ChainState(0, List.of(), List.of(), List.of(), 0, List.of(), List.of());

  public ChainState withWaiting(List<Integer> other) {
    return ChainStateBuilder.builder(this).waiting(other).build();
  }

  /** Returns the state in which other trials take part in the next group. */
  public ChainState withMembers(List<Integer> others) {
    return ChainStateBuilder.builder(this).members(others).build();
  }

  public ChainState withTeams(List<List<String>> other) {
    return ChainStateBuilder.builder(this).teams(other).build();
  }

  /**
   * Returns the state of a resumed group: these trials must still start, and the count of
   * replacements starts at 0.
   */
  public ChainState resumed(List<Integer> others) {
    return ChainStateBuilder.builder(this).waiting(others).replaced(0).build();
  }

  /** Returns the chain of a search made of rungs that starts at {@code at}. */
  public static ChainState ofRungs(RungState initial, Instant at) {
    return startedAt(at).rungs(Optional.of(initial)).build();
  }

  /** Returns the state with another state of a search made of rungs. */
  public ChainState withRungs(RungState other) {
    return ChainStateBuilder.builder(this).rungs(Optional.of(other)).build();
  }

  /** Returns the state with another state of Fluid. */
  public ChainState withFluid(FluidProgress other) {
    return ChainStateBuilder.builder(this).fluid(Optional.of(other)).build();
  }

  /**
   * Returns the chain of a search that HyperSched divides a cluster among, started at {@code at}.
   */
  public static ChainState ofHyperSched(HyperSchedProgress initial, Instant at) {
    return startedAt(at).hyperSched(Optional.of(initial)).build();
  }

  private static ChainStateBuilder startedAt(Instant at) {
    return ChainStateBuilder.builder(NOT_STARTED).started(List.of(at));
  }

  /** Returns the state with another state of HyperSched. */
  public ChainState withHyperSched(HyperSchedProgress other) {
    return ChainStateBuilder.builder(this).hyperSched(Optional.of(other)).build();
  }

  /** Returns the state with another state of Hermes. */
  public ChainState withHermes(HermesState other) {
    return ChainStateBuilder.builder(this).hermes(Optional.of(other)).build();
  }

  /** Returns the state in which the group in progress has ended, and the next has started. */
  public ChainState inNextGroup(Instant at, boolean starts) {
    List<Instant> begun = new ArrayList<>(started);
    if (starts) {
      begun.add(at);
    }
    List<Instant> ends = new ArrayList<>(ended);
    ends.add(at);
    return ChainStateBuilder.builder(this).group(group + 1).started(begun).ended(ends).build();
  }

  /** Whether a group has started and not ended. */
  boolean hasGroupInProgress() {
    return started.size() > ended.size();
  }

  /**
   * Returns the state in which the last group that trained has not ended. Groups that were skipped
   * after it, because none of its trials could be ranked, have not started.
   */
  ChainState reopened() {
    int last = ended.size() - 1;
    while (last > 0 && ended.get(last).equals(started.get(last))) {
      last--;
    }
    return new ChainState(
        last,
        members,
        List.of(),
        List.of(),
        0,
        started.subList(0, last + 1),
        ended.subList(0, last));
  }

  public ChainState withReplaced(int other) {
    return ChainStateBuilder.builder(this).replaced(other).build();
  }

  /**
   * Returns how many trials of {@code group}, the group in progress or a later one, are trained at
   * most. It is less than their planned number only if members of the group in progress have ended
   * early: these may be promoted, but are not trained.
   *
   * @param trials all trials by number
   */
  public int trialsToTrain(TrialGroup group, Map<Integer, TrialState> trials) {
    int early = 0;
    int others = 0;
    for (int member : members) {
      TrialState trial = trials.get(member);
      if (trial != null && trial.endedEarly()) {
        early++;
      } else if (trial != null && trial.status() != TrialState.Status.FAILED) {
        others++;
      }
    }
    boolean fewer = early > 0 && group.fromUnit() > 0;
    return fewer ? Math.min(group.trials(), others) : group.trials();
  }

  /** The end of the last group so far. */
  public Optional<Instant> lastEnd() {
    return ended.isEmpty() ? Optional.empty() : Optional.of(ended.get(ended.size() - 1));
  }
}
