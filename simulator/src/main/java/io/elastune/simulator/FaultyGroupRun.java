package io.elastune.simulator;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Simulates one trial group in one sample with faults, from event to event. Without a fault, it
 * gives the same times as {@link GroupRun}.
 */
final class FaultyGroupRun {
  private final CompiledGroup group;
  private final FaultyCluster cluster;
  private final boolean hold;
  private final double startS;
  private final double untilS;
  private final FaultyTrials trials;
  private final List<FaultySlot> slots = new ArrayList<>();

  /** The slots on which no attempt runs, the next one first; also some of released instances. */
  private final PriorityQueue<FaultySlot> free = new PriorityQueue<>(FaultySlot.ORDER);

  private final List<FaultyAttempt> running = new ArrayList<>();
  private final BitSet waiting = new BitSet();
  private double nowS;
  private double lastStartS;
  private boolean endsSearch;

  /** The version of the lease events for which teams were formed; -1 before the first time. */
  private int teamsOf = -1;

  /**
   * Creates the run of {@code group} on the instances that {@code cluster} holds.
   *
   * @param untilS when the search ends in any case
   */
  FaultyGroupRun(
      CompiledGroup group,
      FaultyCluster cluster,
      boolean hold,
      FaultyTrials trials,
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
    if (!cluster.homes.isEmpty()) {
      startAtHome();
    }
    while (true) {
      cluster.failBoots(nowS);
      formTeams();
      startWaiting();
      if (waiting.isEmpty() && !hold) {
        int spare = running.isEmpty() ? 0 : group.spare();
        cluster.releaseIdle(group.kept(), spare, group.group(), startS, nowS);
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

  /** Whether the search ended with the group, at its time or because a trial reached its target. */
  boolean endsSearch() {
    return endsSearch;
  }

  /** Ends all attempts and releases all instances. */
  private void discard() {
    for (FaultyAttempt attempt : running) {
      attempt.slot.attemptEnded(attempt.startS, nowS, group.share());
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
    for (FaultyLease lease : cluster.held) {
      count += isFree(lease) ? 1 : 0;
    }
    int size = group.teamSize();
    if (count < size) {
      return;
    }
    List<FaultyLease> ready = new ArrayList<>(count);
    for (FaultyLease lease : cluster.held) {
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
        free.add(added);
      }
    }
  }

  private boolean isFree(FaultyLease lease) {
    return !lease.inTeam && lease.readyS <= nowS && lease.bootFailsS == FaultyLease.NEVER;
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
    List<FaultySlot> homes = cluster.homes;
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
    boolean[][] isHome = new boolean[homes.size()][teams.size()];
    for (int trial = 0; trial < homes.size(); trial++) {
      for (int team = 0; team < teams.size(); team++) {
        isHome[trial][team] = homes.get(trial).sharesInstance(teams.get(team).get(0));
      }
    }
    int[] trialsOn = HomePlacement.trialsOn(isHome, teams.size(), group.trials(), group.perTeam());
    for (int team = 0; team < teams.size(); team++) {
      for (FaultySlot slot : teams.get(team).subList(0, trialsOn[team])) {
        free.remove(slot);
        startNext(slot);
      }
    }
  }

  private void start(int trial, FaultySlot slot) {
    slot.attemptStarted(nowS);
    running.add(trials.attempt(trial, slot, nowS));
  }

  /** Advances to the next event and handles it. */
  private void advance() {
    LeaseEvents leases = cluster.events(nowS);
    double nextS = Math.min(leases.nextRunningS(), leases.nextBootFailureS());
    double targetS = untilS;
    nextS = waiting.isEmpty() ? nextS : Math.min(nextS, leases.nextReadyS());
    double attemptsPerS = 0;
    double attemptPerS = group.hazards().attemptPerS();
    for (FaultyAttempt attempt : running) {
      attemptsPerS += attempt.hangs ? 0 : attemptPerS;
      nextS = Math.min(nextS, attempt.endS);
      targetS = Math.min(targetS, attempt.targetS);
    }
    nextS = Math.min(nextS, targetS);
    double instancesPerS = leases.hazardPerS();
    double ratePerS = attemptsPerS + instancesPerS;
    double faultS = nowS + cluster.clock.untilS(ratePerS);
    if (faultS < nextS) {
      nowS = faultS;
      cluster.clock.strike();
      strike(cluster.clock.fraction() * ratePerS, instancesPerS);
    } else {
      cluster.clock.pass(ratePerS, nextS - nowS);
      nowS = nextS;
      endsSearch = nowS >= targetS;
      if (!endsSearch) {
        endAttempts();
      }
    }
  }

  private void strike(double at, double instancesPerS) {
    if (at < instancesPerS) {
      FaultyLease first = cluster.at(at, nowS);
      FaultyCluster.Losses losses = cluster.lostWith(first, nowS);
      losses.lost().forEach(lost -> lose(lost, losses.preempted()));
      return;
    }
    double left = at - instancesPerS;
    for (FaultyAttempt attempt : List.copyOf(running)) {
      if (attempt.hangs) {
        continue;
      }
      if (left < group.hazards().attemptPerS()) {
        strike(attempt, left < group.hazards().crashPerS());
        return;
      }
      left -= group.hazards().attemptPerS();
    }
  }

  private void strike(FaultyAttempt attempt, boolean crashes) {
    if (crashes) {
      end(attempt, false);
    } else {
      attempt.hang(nowS, group.checkpointS());
    }
  }

  /** Ends an attempt by a fault: its trial continues from its checkpoint, or saves another one. */
  private void end(FaultyAttempt attempt, boolean saves) {
    trials.interrupt(attempt.trial, attempt.kept(nowS, saves));
    running.remove(attempt);
    free(attempt);
    waiting.set(attempt.trial);
  }

  private void free(FaultyAttempt attempt) {
    attempt.slot.attemptEnded(attempt.startS, nowS, group.share());
    free.add(attempt.slot);
  }

  /** Replaces an instance that is lost now. */
  private void lose(FaultyLease lost, boolean preempted) {
    if (!cluster.remove(lost)) {
      lost.release(group.group(), startS, nowS);
      return;
    }
    for (FaultyAttempt attempt : List.copyOf(running)) {
      if (attempt.slot.uses(lost)) {
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
    List<FaultyAttempt> ended = new ArrayList<>(1);
    for (FaultyAttempt attempt : running) {
      if (attempt.endS <= nowS) {
        ended.add(attempt);
      }
    }
    if (ended.size() > 1) {
      ended.sort(Comparator.comparingInt(attempt -> attempt.trial));
    }
    for (FaultyAttempt attempt : ended) {
      if (attempt.hangs) {
        end(attempt, false);
        continue;
      }
      running.remove(attempt);
      if (trials.isTorn(attempt.trial)) {
        attempt.slot.attemptEnded(attempt.startS, nowS, group.share());
        start(attempt.trial, attempt.slot);
      } else {
        free(attempt);
      }
    }
  }
}
