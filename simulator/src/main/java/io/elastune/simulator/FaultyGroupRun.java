package io.elastune.simulator;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;

/**
 * Simulates one trial group in one sample with faults, from event to event. Without a fault, it
 * gives the same times as {@link GroupRun}.
 */
final class FaultyGroupRun {
  private static final Comparator<FaultyAttempt> BY_TRIAL =
      Comparator.comparingInt(attempt -> attempt.trial);

  private final CompiledGroup group;
  private final FaultyCluster cluster;
  private final boolean hold;
  private final double startS;
  private final double untilS;
  private final FaultyTrials trials;
  private final TrialHomes homes;
  private final List<FaultySlot> slots = new ArrayList<>();

  /** The slots on which no attempt runs, the next one first; also some of released instances. */
  private final TimedHeap<FaultySlot> free = new TimedHeap<>();

  /** The running attempts, the one that ends next first. */
  private final TimedHeap<FaultyAttempt> running = new TimedHeap<>();

  /** By trial: the place of its last attempt in the order of all starts. */
  private final int[] startOrder;

  private final List<FaultyAttempt> ended = new ArrayList<>();
  private final BitSet waiting = new BitSet();
  private final boolean hasTargets;
  private int started;

  /** The number of instances on which an attempt runs. */
  private int busy;

  private double nowS;
  private double lastStartS;
  private boolean endsSearch;

  /** The version of the lease events for which teams were formed; -1 before the first time. */
  private int teamsOf = -1;

  /**
   * Creates the run of {@code group} on the instances that {@code cluster} holds.
   *
   * @param homes where the trials ran that continue
   * @param untilS when the search ends in any case
   */
  FaultyGroupRun(
      CompiledGroup group,
      FaultyCluster cluster,
      boolean hold,
      FaultyTrials trials,
      TrialHomes homes,
      double startS,
      double untilS) {
    this.group = group;
    this.cluster = cluster;
    this.hold = hold;
    this.startS = startS;
    this.untilS = untilS;
    this.nowS = startS;
    this.lastStartS = startS;
    this.trials = trials;
    this.homes = homes;
    this.startOrder = new int[group.trials()];
    this.hasTargets = group.targets().length > 0;
  }

  /** Simulates the group and returns its end, or that of the search if this is earlier. */
  double run() {
    for (FaultyLease lease : cluster.held) {
      lease.lastEndS = startS;
      lease.inTeam = false;
    }
    waiting.set(0, group.trials());
    cluster.failBoots(nowS);
    formTeams();
    if (homes.areKnown()) {
      startAtHome();
    }
    while (true) {
      cluster.failBoots(nowS);
      formTeams();
      startWaiting();
      if (waiting.isEmpty() && !hold) {
        releaseIdle();
      }
      if (waiting.isEmpty() && running.isEmpty()) {
        break;
      }
      advance();
      if (endsSearch) {
        discard();
        return nowS;
      }
    }
    endGroup();
    return nowS;
  }

  /** Releases idle instances until those of the next group, or the spare ones, are left. */
  private void releaseIdle() {
    int spare = running.isEmpty() ? 0 : group.spare();
    int held = cluster.held.size();
    int leaving = Math.min(held - group.kept(), held - busy - spare);
    if (leaving > 0) {
      cluster.releaseIdle(leaving, group.group(), startS, nowS);
    }
  }

  /** Whether the search ended with the group, at its time or because a trial reached its target. */
  boolean endsSearch() {
    return endsSearch;
  }

  /** Ends all attempts and releases all instances. */
  private void discard() {
    for (FaultyAttempt attempt : inOrderOfStart()) {
      endOnSlot(attempt);
    }
    cluster.releaseAll(group.group(), startS, nowS);
  }

  private void endGroup() {
    if (hold && group.last()) {
      cluster.releaseAll(group.group(), startS, nowS);
      return;
    }
    if (hold) {
      cluster.park(group.kept(), lastStartS);
    }
    cluster.attributeCost(group.group(), startS, nowS);
  }

  /** Forms teams of the instances that are ready and in no team, in the order of readiness. */
  private void formTeams() {
    int version = cluster.events(nowS).version();
    if (version == teamsOf) {
      return;
    }
    teamsOf = version;
    int count = 0;
    List<FaultyLease> held = cluster.held;
    for (int i = 0; i < held.size(); i++) { // an iterator at each event takes time
      count += isFree(held.get(i)) ? 1 : 0;
    }
    int size = group.teamSize();
    if (count < size) {
      return;
    }
    List<FaultyLease> ready = new ArrayList<>(count);
    for (FaultyLease lease : held) {
      if (isFree(lease)) {
        ready.add(lease);
      }
    }
    ready.sort(
        Comparator.<FaultyLease>comparingDouble(lease -> lease.readyS)
            .thenComparingInt(lease -> lease.number));
    for (int from = 0; from + size <= count; from += size) {
      List<FaultyLease> team = ready.subList(from, from + size);
      team.forEach(lease -> lease.inTeam = true);
      for (int slot = 0; slot < group.perTeam(); slot++) {
        FaultySlot added = new FaultySlot(team, nowS);
        slots.add(added);
        addFree(added);
      }
    }
  }

  private boolean isFree(FaultyLease lease) {
    return !lease.inTeam && lease.readyS <= nowS && lease.bootFailsS == FaultyLease.NEVER;
  }

  /** Slots of one team have the same time and number; which of them is first does not matter. */
  private void addFree(FaultySlot slot) {
    free.add(slot.freeS, slot.lowestNumber, slot);
  }

  private void startWaiting() {
    while (!waiting.isEmpty() && !free.isEmpty()) {
      FaultySlot slot = free.poll();
      if (slot.isUsable()) {
        startNext(slot);
      }
    }
  }

  private void startNext(FaultySlot slot) {
    int trial = waiting.nextSetBit(0);
    waiting.clear(trial);
    lastStartS = nowS;
    start(trial, slot);
  }

  /** Starts the trials where they ran, if the group has more slots at its start than trials. */
  private void startAtHome() {
    List<List<FaultySlot>> teams = new ArrayList<>();
    for (int from = 0; from < slots.size(); from += group.perTeam()) {
      if (slots.get(from).isBelow(cluster.firstNew)) {
        teams.add(slots.subList(from, from + group.perTeam()));
      }
    }
    if (teams.size() * group.perTeam() <= group.trials()) {
      return;
    }
    teams.sort(Comparator.comparingInt(team -> team.get(0).lowestNumber));
    boolean[][] isHome =
        homes.of(teams.stream().map(team -> team.get(0).numbers()).toArray(int[][]::new));
    int[] trialsOn = HomePlacement.trialsOn(isHome, teams.size(), group.trials(), group.perTeam());
    for (int team = 0; team < teams.size(); team++) {
      for (FaultySlot slot : teams.get(team).subList(0, trialsOn[team])) {
        free.remove(slot);
        startNext(slot);
      }
    }
  }

  private void start(int trial, FaultySlot slot) {
    busy += slot.attemptStarted(nowS);
    startOrder[trial] = started++;
    addRunning(trials.attempt(trial, slot, nowS));
  }

  private void addRunning(FaultyAttempt attempt) {
    running.add(attempt.nextS(), attempt.trial, attempt);
  }

  private List<FaultyAttempt> inOrderOfStart() {
    List<FaultyAttempt> attempts = new ArrayList<>(running.size());
    for (int i = 0; i < running.size(); i++) {
      attempts.add(running.item(i));
    }
    attempts.sort(Comparator.comparingInt(attempt -> startOrder[attempt.trial]));
    return attempts;
  }

  /** Returns when the first trial reports the metric that ends the search. */
  private double targetS() {
    double targetS = untilS;
    for (int i = 0; hasTargets && i < running.size(); i++) {
      targetS = Math.min(targetS, running.item(i).targetS);
    }
    return targetS;
  }

  /** Advances to the next event and handles it. */
  private void advance() {
    LeaseEvents leases = cluster.events(nowS);
    double nextS = leases.nextBootFailureS();
    nextS = waiting.isEmpty() ? nextS : Math.min(nextS, leases.nextReadyS());
    double targetS = targetS();
    nextS = Math.min(Math.min(nextS, running.firstS()), targetS);
    FaultyLease lost = leases.nextLost();
    if (lost != null && leases.nextLossS() < nextS) {
      nowS = leases.nextLossS();
      FaultyCluster.Losses losses = cluster.lostWith(lost, nowS);
      losses.lost().forEach(each -> lose(each, losses.preempted()));
      return;
    }
    nowS = nextS;
    endsSearch = nowS >= targetS;
    if (!endsSearch) {
      endAttempts();
    }
  }

  /** Handles a crash or a hang of an attempt that is not among those that run. */
  private void strike(FaultyAttempt attempt) {
    if (!cluster.occurs()) {
      trials.stopClock(attempt.trial);
      attempt.faultS = FaultyLease.NEVER;
      addRunning(attempt);
    } else if (trials.crashes(attempt.trial)) {
      end(attempt, false);
    } else {
      attempt.hang(nowS, group.checkpointS());
      addRunning(attempt);
    }
  }

  /**
   * Ends an attempt that runs no more by a fault: its trial continues from its checkpoint, or saves
   * another one.
   */
  private void end(FaultyAttempt attempt, boolean saves) {
    trials.interrupt(attempt.trial, attempt.kept(nowS, saves));
    free(attempt);
    waiting.set(attempt.trial);
  }

  private void free(FaultyAttempt attempt) {
    endOnSlot(attempt);
    addFree(attempt.slot);
  }

  private void endOnSlot(FaultyAttempt attempt) {
    busy -= attempt.slot.attemptEnded(attempt.startS, nowS, group.share());
  }

  /** Replaces an instance that is lost now. */
  private void lose(FaultyLease lost, boolean preempted) {
    if (!cluster.remove(lost)) {
      lost.release(group.group(), startS, nowS);
      return;
    }
    for (FaultyAttempt attempt : inOrderOfStart()) {
      if (attempt.slot.uses(lost)) {
        running.remove(attempt);
        trials.passed(attempt, nowS);
        end(attempt, preempted && lost.hazards.savesAtNotice());
      }
    }
    lost.release(group.group(), startS, nowS);
    cluster.replace(lost, group.group(), nowS);
    dissolveTeamsOf(lost);
  }

  private void dissolveTeamsOf(FaultyLease lost) {
    free.removeIf(slot -> slot.uses(lost));
    slots.removeIf(
        slot -> {
          boolean uses = slot.uses(lost);
          if (uses) {
            slot.dissolve();
          }
          return uses;
        });
  }

  private void endAttempts() {
    // Two steps, because a trial whose checkpoint is torn starts again at once.
    while (running.firstS() <= nowS) {
      ended.add(running.poll());
    }
    if (ended.size() > 1) {
      ended.sort(BY_TRIAL);
    }
    for (int i = 0; i < ended.size(); i++) {
      FaultyAttempt attempt = ended.get(i);
      if (attempt.hangs) {
        end(attempt, false);
      } else if (attempt.isFaulty()) {
        strike(attempt);
      } else if (trials.isTorn(attempt.trial)) {
        endOnSlot(attempt);
        trials.passed(attempt, nowS);
        start(attempt.trial, attempt.slot);
      } else {
        free(attempt);
      }
    }
    ended.clear();
  }
}
