package io.elastune.simulator.group;

import io.elastune.simulator.fault.LossClocks;
import io.elastune.simulator.instance.CompiledGroup;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Simulates one trial group in one sample with faults, from event to event. Without a fault, it
 * gives the same times as {@link GroupRun}. It is used again for the next group, and allocates
 * little: without optimizing compiler, a task takes some tens of nanoseconds.
 *
 * <p>An instance has its number in the {@link Cluster}. Teams are numbered in the order in which
 * they form, and the slots of a team follow each other.
 */
final class FaultyGroupRun {
  private static final int NONE = -1;
  private static final double NEVER = Double.POSITIVE_INFINITY;

  /** Most trials end within this multiple of the duration of any one of them. */
  private static final double SPAN = 2;

  /** What happens at the next event of a slot. */
  private enum Course {
    /** Its trial has trained all its units. */
    ENDS,
    /** The same, but its last checkpoint is torn. */
    REPEATS,
    /** Its trial crashes or hangs. */
    FAULT,
    /** Its trial has hung, and is stopped. */
    STOPS
  }

  private CompiledGroup group;
  private Cluster cluster;
  private FaultyTrials trials;
  private int sample;
  private double startS;
  private double untilS;
  private double nowS;
  private double lastStartS;
  private boolean hasTargets;
  private boolean endsSearch;

  // By number of an instance.
  private int[] team = {};
  private int[] busySlots = {};
  private double[] freeSinceS = {};
  private double[] usedFromS = {};
  private double[] usedS = {};
  private double[] busyS = {};
  private double[] lastEndS = {};

  /** The instances in use on which no trial runs, and those of them that are not ready. */
  private final BitSet idle = new BitSet();

  private final BitSet unready = new BitSet();

  /** The instances that are not ready, in the order in which they will be. */
  private final TimedHeap arriving = new TimedHeap();

  /** Those that are ready and in no team, in the order of (ready time, number). */
  private final TimedHeap loose = new TimedHeap();

  private int busyInstances;

  // By team: its members one after the other, the lowest of them, and whether it can be used.
  private int[] members = {};
  private int[] lowest = {};
  private boolean[] isUsable = {};
  private int teams;

  /**
   * By team: its last slots on which no trial has run yet. They are one item of {@link #free}, with
   * the number of the first of them, because all are free at the same time.
   */
  private int[] fresh = {};

  /** Whether each of them is an item instead, because trials start on some of them. */
  private boolean addsEach;

  // By slot.
  private int[] teamAt = {};
  private int[] trialOn = {};
  private double[] workS = {};
  private double[] sinceS = {};
  private double[] startedS = {};
  private double[] reportS = {};
  private int[] hungUnits = {};
  private Course[] course = {};

  /** The slots on which no trial runs, the next one first; also some that cannot be used. */
  private final TimedHeap free = new TimedHeap();

  /** The slots on which a trial runs, that with the next event first. */
  private final SlotQueue running = new SlotQueue();

  private int[] ended = {};

  // By trial, if it matters: the team on which it ran last.
  private int[] lastTeam = {};

  /** The first trial that has not started; later ones have not either. */
  private int next;

  /** Trials that wait after a fault. */
  private final BitSet again = new BitSet();

  /** The next faults of instances; also some that strike no more. */
  private final TimedHeap losses = new TimedHeap();

  /** The time of the first of them; infinite if there is none. */
  private double lossS;

  /** Creates a run. Until {@link #run}, it belongs to no group in particular. */
  FaultyGroupRun(CompiledGroup any, Cluster anyCluster, FaultyTrials anyTrials) {
    group = any;
    cluster = anyCluster;
    trials = anyTrials;
  }

  /**
   * Simulates a group on the instances in use of a cluster, and returns its end, or that of the
   * search if this is earlier. Then the cluster has the work and the idle times of the instances
   * that are left; those that were lost or released early have been billed.
   *
   * @param ofGroup has the draws of the sample
   * @param homes where the trials ran that continue
   * @param hold whether the plan releases no instance before its end
   * @param endS when the search ends in any case
   */
  double run(
      CompiledGroup compiledGroup,
      Cluster onCluster,
      FaultyTrials ofGroup,
      TrialHomes homes,
      boolean hold,
      double fromS,
      double endS,
      int ofSample) {
    addsEach = homes.areKnown();
    begin(compiledGroup, onCluster, ofGroup, fromS, endS, ofSample);
    formTeams();
    if (homes.areKnown()) {
      startAtHome(homes);
    }
    while (true) {
      formTeams();
      startWaiting();
      startOnFreedSlots();
      if (!isWaiting()) {
        if (!hold) {
          releaseIdle();
        }
        if (running.isEmpty()) {
          break;
        }
      }
      advance();
      if (endsSearch) {
        endAll();
        break;
      }
    }
    report();
    return nowS;
  }

  /** Whether the search ended with the group, at its time or because a trial reached its target. */
  boolean endsSearch() {
    return endsSearch;
  }

  /** Returns the instances on which a trial ran last, by number. */
  int[] lastInstances(int trial) {
    return members(lastTeam[trial]);
  }

  private void begin(
      CompiledGroup compiledGroup,
      Cluster onCluster,
      FaultyTrials ofGroup,
      double fromS,
      double endS,
      int ofSample) {
    group = compiledGroup;
    cluster = onCluster;
    trials = ofGroup;
    sample = ofSample;
    startS = fromS;
    untilS = endS;
    nowS = fromS;
    lastStartS = fromS;
    endsSearch = false;
    hasTargets = group.targets().length > 0;
    next = 0;
    again.clear();
    teams = 0;
    busyInstances = 0;
    idle.clear();
    unready.clear();
    arriving.clear();
    loose.clear();
    free.clear();
    reserveInstances(cluster.requested());
    if (lastTeam.length < group.trials()) {
      lastTeam = new int[group.trials()];
    }
    losses.clear();
    for (int i = 0; i < cluster.held; i++) {
      add(cluster.active[i]);
    }
    for (int i = 0; i < cluster.parkedCount; i++) {
      expectLoss(cluster.parked[i]);
    }
    findLoss();
    int slots = Math.min(group.teams() * group.perTeam(), group.trials());
    running.clear(slots, fromS, SPAN * trials.lastsS(0, group.workS()));
  }

  private void reserveInstances(int count) {
    if (count <= team.length) {
      return;
    }
    int room = Math.max(count, 2 * team.length);
    team = Arrays.copyOf(team, room);
    busySlots = Arrays.copyOf(busySlots, room);
    freeSinceS = Arrays.copyOf(freeSinceS, room);
    usedFromS = Arrays.copyOf(usedFromS, room);
    usedS = Arrays.copyOf(usedS, room);
    busyS = Arrays.copyOf(busyS, room);
    lastEndS = Arrays.copyOf(lastEndS, room);
  }

  private void reserveTeams(int count) {
    int size = group.teamSize();
    int perTeam = group.perTeam();
    if (members.length < count * size) {
      members = Arrays.copyOf(members, 2 * count * size);
    }
    if (lowest.length < count) {
      lowest = Arrays.copyOf(lowest, 2 * count);
      isUsable = Arrays.copyOf(isUsable, 2 * count);
      fresh = Arrays.copyOf(fresh, 2 * count);
    }
    if (trialOn.length < count * perTeam) {
      int room = 2 * count * perTeam;
      teamAt = Arrays.copyOf(teamAt, room);
      trialOn = Arrays.copyOf(trialOn, room);
      workS = Arrays.copyOf(workS, room);
      sinceS = Arrays.copyOf(sinceS, room);
      startedS = Arrays.copyOf(startedS, room);
      reportS = Arrays.copyOf(reportS, room);
      hungUnits = Arrays.copyOf(hungUnits, room);
      course = Arrays.copyOf(course, room);
      ended = Arrays.copyOf(ended, room);
    }
  }

  /** Adds an instance in use. */
  private void add(int number) {
    team[number] = NONE;
    busySlots[number] = 0;
    usedS[number] = 0;
    busyS[number] = 0;
    lastEndS[number] = nowS;
    idle.set(number);
    unready.set(number);
    arriving.add(cluster.readyS[number], number, number);
    expectLoss(number);
  }

  private void expectLoss(int number) {
    if (cluster.lossS(number) < NEVER) {
      losses.add(cluster.lossS(number), number, number);
    }
  }

  /** Forms teams of the instances that are ready and in no team, in the order of readiness. */
  private void formTeams() {
    while (arriving.firstS() <= nowS) {
      int number = arriving.poll();
      if (unready.get(number)) {
        unready.clear(number);
        freeSinceS[number] = Math.max(startS, cluster.readyS[number]);
        loose.add(cluster.readyS[number], number, number);
      }
    }
    while (loose.size() >= group.teamSize()) {
      formTeam();
    }
  }

  private void formTeam() {
    int size = group.teamSize();
    int own = teams++;
    reserveTeams(teams);
    double slowness = 0;
    double freeS = startS;
    lowest[own] = Integer.MAX_VALUE;
    for (int i = own * size; i < (own + 1) * size; i++) {
      int number = loose.poll();
      members[i] = number;
      team[number] = own;
      slowness = Math.max(slowness, cluster.slowness[number]);
      freeS = Math.max(freeS, freeSinceS[number]);
      lowest[own] = Math.min(lowest[own], number);
    }
    isUsable[own] = true;
    int perTeam = group.perTeam();
    for (int slot = own * perTeam; slot < (own + 1) * perTeam; slot++) {
      teamAt[slot] = own;
      trialOn[slot] = NONE;
      workS[slot] = group.workS() * slowness;
    }
    fresh[own] = addsEach ? 0 : perTeam;
    for (int slot = own * perTeam;
        slot < (addsEach ? (own + 1) * perTeam : own * perTeam + 1);
        slot++) {
      free.add(freeS, lowest[own], slot);
    }
  }

  private int[] members(int one) {
    return Arrays.copyOfRange(members, one * group.teamSize(), (one + 1) * group.teamSize());
  }

  private boolean isWaiting() {
    return next < group.trials() || !again.isEmpty();
  }

  private void startWaiting() {
    while (!free.isEmpty() && isWaiting()) {
      int slot = takeFree();
      if (isUsable[teamAt[slot]]) {
        startNext(slot);
      }
    }
  }

  /** Takes the next free slot; there must be one. */
  private int takeFree() {
    int slot = free.first();
    int own = teamAt[slot];
    if (slot != (own + 1) * group.perTeam() - fresh[own]) {
      return free.poll();
    }
    fresh[own]--;
    if (fresh[own] == 0) {
      return free.poll();
    }
    free.renumberFirst();
    return slot;
  }

  /** Starts the first waiting trial on a free slot. */
  private void startNext(int slot) {
    lastStartS = nowS;
    sinceS[slot] = nowS;
    int own = teamAt[slot];
    for (int i = own * group.teamSize(); i < (own + 1) * group.teamSize(); i++) {
      int number = members[i];
      if (busySlots[number]++ == 0) {
        usedFromS[number] = nowS;
        idle.clear(number);
        busyInstances++;
      }
    }
    // Trials that have run before have lower numbers than those that have not.
    int trial = again.isEmpty() ? next++ : again.nextSetBit(0);
    again.clear(trial);
    running.add(begin(trial, slot), trial, slot);
  }

  /** Begins an attempt of a trial on a slot that it has; returns when its next event is. */
  private double begin(int trial, int slot) {
    trialOn[slot] = trial;
    startedS[slot] = nowS;
    lastTeam[trial] = teamAt[slot];
    double lastsS = trials.lastsS(trial, workS[slot]);
    if (hasTargets) {
      reportS[slot] = nowS + trials.targetS(trial, workS[slot]);
    }
    if (trials.mayFail(trial, lastsS)) {
      double faultS = trials.faultS(trial);
      if (faultS < lastsS) {
        course[slot] = Course.FAULT;
        return nowS + faultS;
      }
    }
    course[slot] = trials.isTorn(trial) ? Course.REPEATS : Course.ENDS;
    return nowS + lastsS;
  }

  /** Starts the trials where they ran, if the group has more slots at its start than trials. */
  private void startAtHome(TrialHomes homes) {
    int[] known =
        IntStream.range(0, teams)
            .filter(own -> IntStream.of(members(own)).allMatch(one -> one < cluster.firstNew))
            .boxed()
            .sorted(Comparator.comparingInt(own -> lowest[own]))
            .mapToInt(Integer::intValue)
            .toArray();
    int perTeam = group.perTeam();
    if (known.length * perTeam <= group.trials()) {
      return;
    }
    boolean[][] isHome =
        homes.of(IntStream.of(known).mapToObj(this::members).toArray(int[][]::new));
    int[] on = HomePlacement.trialsOn(isHome, known.length, group.trials(), perTeam);
    for (int i = 0; i < known.length; i++) {
      for (int slot = known[i] * perTeam; slot < known[i] * perTeam + on[i]; slot++) {
        startNext(slot);
      }
    }
    free.removeIf(slot -> trialOn[slot] != NONE);
  }

  /**
   * Handles events for as long as each is the end of a trial, on whose slot the next one starts. Of
   * most groups, these are most events.
   */
  private void startOnFreedSlots() {
    if (hasTargets || !again.isEmpty()) {
      return;
    }
    double otherS = Math.min(Math.min(arriving.firstS(), lossS), untilS);
    while (next < group.trials()) {
      double endS = running.firstS();
      int slot = running.first();
      if (endS >= otherS || course[slot] != Course.ENDS || running.mayBeTied()) {
        return;
      }
      nowS = endS;
      lastStartS = endS;
      int trial = next++;
      double wholeS = trials.wholeS(trial, workS[slot]);
      if (wholeS < 0) {
        running.replaceFirst(begin(trial, slot), trial);
      } else {
        trialOn[slot] = trial;
        startedS[slot] = endS;
        lastTeam[trial] = teamAt[slot];
        running.replaceFirst(endS + wholeS, trial);
      }
    }
  }

  /** Advances to the next event and handles it. */
  private void advance() {
    double targetS = targetS();
    double nextS = Math.min(running.firstS(), targetS);
    nextS = isWaiting() ? Math.min(nextS, arriving.firstS()) : nextS;
    if (lossS < nextS) {
      nowS = lossS;
      strikeInstance();
      return;
    }
    nowS = nextS;
    endsSearch = nowS >= targetS;
    if (!endsSearch) {
      endAttempts();
    }
  }

  /** Returns when the first trial reports the metric that ends the search. */
  private double targetS() {
    double targetS = untilS;
    for (int slot = 0; hasTargets && slot < teams * group.perTeam(); slot++) {
      if (trialOn[slot] != NONE && course[slot] != Course.STOPS) {
        targetS = Math.min(targetS, reportS[slot]);
      }
    }
    return targetS;
  }

  private void endAttempts() {
    // Two steps, because a trial whose checkpoint is torn starts again at once.
    int count = 0;
    while (running.firstS() <= nowS) {
      ended[count++] = running.poll();
    }
    for (int i = 0; i < count; i++) {
      int slot = ended[i];
      switch (course[slot]) {
        case ENDS -> free(slot);
        case REPEATS -> repeat(slot);
        case FAULT -> strike(slot);
        case STOPS -> interrupt(slot, false);
      }
    }
  }

  private void repeat(int slot) {
    int trial = trialOn[slot];
    trials.passed(trial, nowS - startedS[slot]);
    trials.repeat(trial);
    running.add(begin(trial, slot), trial, slot);
  }

  /** Handles a crash or a hang of a trial. */
  private void strike(int slot) {
    int trial = trialOn[slot];
    if (!cluster.countFault()) {
      trials.stopClock(trial);
      course[slot] = trials.isTorn(trial) ? Course.REPEATS : Course.ENDS;
      running.add(startedS[slot] + trials.lastsS(trial, workS[slot]), trial, slot);
    } else if (trials.crashes(trial)) {
      interrupt(slot, false);
    } else {
      AttemptCourse planned = trials.course(trial, workS[slot]);
      double ranS = nowS - startedS[slot];
      hungUnits[slot] = planned.completed(ranS);
      course[slot] = Course.STOPS;
      double hangS = planned.hangS(hungUnits[slot], ranS, group.hazards().silence());
      double stopsS = hangS + group.checkpointS();
      running.add(startedS[slot] + stopsS, trial, slot);
    }
  }

  /**
   * Ends an attempt by a fault: its trial waits, and continues from its checkpoint.
   *
   * @param saves whether it has the time to save another one
   */
  private void interrupt(int slot, boolean saves) {
    int trial = trialOn[slot];
    AttemptCourse planned = trials.course(trial, workS[slot]);
    boolean hangs = course[slot] == Course.STOPS;
    int completed = hangs ? hungUnits[slot] : planned.completed(nowS - startedS[slot]);
    trials.interrupt(trial, planned.kept(completed, saves && !hangs));
    free(slot);
    again.set(trial);
  }

  /** Ends the trial on a slot, which is free then. */
  private void free(int slot) {
    trialOn[slot] = NONE;
    int own = teamAt[slot];
    double ranS = nowS - sinceS[slot];
    for (int i = own * group.teamSize(); i < (own + 1) * group.teamSize(); i++) {
      int number = members[i];
      busyS[number] += ranS * group.share();
      lastEndS[number] = nowS;
      if (--busySlots[number] == 0) {
        usedS[number] += nowS - usedFromS[number];
        idle.set(number);
        busyInstances--;
      }
    }
    free.add(nowS, lowest[own], slot);
  }

  private void findLoss() {
    while (!losses.isEmpty() && cluster.lossS(losses.first()) != losses.firstS()) {
      var unused = losses.poll();
    }
    lossS = losses.firstS();
  }

  /** Handles the next fault of an instance. */
  private void strikeInstance() {
    formTeams(); // of those that were ready before
    int struck = losses.poll();
    LossClocks.Losses effect = cluster.losses(struck, nowS, sample);
    for (int number : effect.lost()) {
      lose(number, effect.isPreemption());
    }
    expectLoss(struck);
    findLoss();
  }

  /** Replaces an instance that is lost now. */
  private void lose(int number, boolean preempted) {
    if (cluster.removeParked(number)) {
      cluster.release(number, group.group(), startS, nowS);
      return;
    }
    int own = team[number];
    if (own != NONE) {
      int perTeam = group.perTeam();
      for (int slot = own * perTeam; slot < (own + 1) * perTeam; slot++) {
        if (trialOn[slot] != NONE) {
          lose(slot, number, preempted);
        }
      }
    }
    release(number);
    int replacement = cluster.replace(number, group.group(), nowS, sample);
    reserveInstances(replacement + 1);
    add(replacement);
  }

  /** Ends the trial on a slot of an instance that is lost. */
  private void lose(int slot, int number, boolean preempted) {
    running.remove(slot);
    if (course[slot] != Course.STOPS) {
      trials.passed(trialOn[slot], nowS - startedS[slot]);
    }
    interrupt(slot, preempted && cluster.savesAtNotice(number));
  }

  /** Releases idle instances until those of the next group, or the spare ones, are left. */
  private void releaseIdle() {
    int spare = running.isEmpty() ? 0 : group.spare();
    int leaving = Math.min(cluster.held - group.kept(), cluster.held - busyInstances - spare);
    for (; leaving > 0; leaving--) {
      // First those that are not ready, then the higher number.
      release((unready.isEmpty() ? idle : unready).length() - 1);
    }
  }

  /** Releases an instance on which no trial runs. */
  private void release(int number) {
    idle.clear(number);
    if (unready.get(number)) {
      unready.clear(number);
    } else if (team[number] == NONE) {
      loose.removeIf(one -> one == number);
    } else {
      breakTeam(number);
    }
    cluster.recordWork(number, usedS[number], busyS[number]);
    cluster.remove(number);
    cluster.release(number, group.group(), startS, nowS);
    findLoss();
  }

  /** Breaks the team of an instance: its other members can be in other teams. */
  private void breakTeam(int number) {
    int own = team[number];
    isUsable[own] = false;
    for (int i = own * group.teamSize(); i < (own + 1) * group.teamSize(); i++) {
      int member = members[i];
      team[member] = NONE;
      if (member != number) {
        freeSinceS[member] = nowS;
        loose.add(cluster.readyS[member], member, member);
      }
    }
  }

  private void endAll() {
    while (!running.isEmpty()) {
      free(running.poll());
    }
  }

  private void report() {
    for (int i = 0; i < cluster.held; i++) {
      int number = cluster.active[i];
      cluster.recordWork(number, usedS[number], busyS[number]);
      cluster.idleS[number] = Math.max(lastEndS[number], lastStartS);
    }
  }
}
