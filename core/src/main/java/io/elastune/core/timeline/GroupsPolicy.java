package io.elastune.core.timeline;

import io.elastune.core.allocation.IdleInstance;
import io.elastune.core.allocation.SlotCounts;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * List scheduling of the trial groups of one chain on instances of its own (docs/model.md, "Time",
 * "Money" and "Faults"): each group requests what it lacks at its barrier, trials start on the free
 * slots of single instances or of teams, and instances that the next group does not need are
 * released when they are idle. Trials continue where they ran if the timeline knows that.
 */
public final class GroupsPolicy implements PolicyRun {
  /** The order in which instances form teams. */
  private static final Comparator<Instance> BY_READINESS =
      Comparator.comparingDouble(Instance::bootedS).thenComparingInt(Instance::number);

  private static final int[] NO_TASKS = {};

  private final ChainsRun search;
  private final List<Group> groups;
  private final boolean hold;
  private boolean knowsPlaces;
  private int heldBefore;
  private List<List<Integer>> teamsBefore = List.of();

  private int present;
  private double groupStartS;

  /** The instances of the group in progress. */
  private int used;

  /** The instances that no group uses any more, although they are not released. */
  private final BitSet parked = new BitSet();

  /** When the last trial of the group started, except repeated ones. */
  private double lastStartS;

  /** Whether no trial waited at some time in the group, so that slots are free for longer. */
  private boolean hasIdleSlots;

  /** Instances that are ready and in no team. */
  private final List<Instance> single = new ArrayList<>();

  /** The tasks that have ended since the last decision. */
  private final List<Task> ended = new ArrayList<>();

  // By number of an instance: when its last trial ended, and since when it could be in a team.
  private double[] lastEndS = new double[8];
  private double[] freeSinceS = new double[8];

  /** By number of an instance: the tasks that have been running on it since before the timeline. */
  private int[] runningBefore = new int[8];

  /** By number of an instance, if places matter: the tasks on each of its GPUs. */
  private int[][] tasksOn = new int[8][0];

  /** By number of an instance: its team. */
  private @Nullable Team[] teamOf = new Team[8];

  /** The lowest numbers of the teams that have free slots. */
  private final BitSet free = new BitSet();

  /**
   * A trial group and its allocation.
   *
   * @param instances instances that it uses
   * @param instanceGpus GPUs of each
   * @param teamSize instances per trial; 1 unless a trial is larger than an instance
   * @param perTeam concurrent trials per team
   * @param gpus GPUs per trial
   * @param trialsPerGpu trials per GPU
   * @param spare idle instances that are kept until the group ends
   * @param kept its instances that the next group uses
   * @param fills whether trials fill one instance after the other, wherever they ran, because only
   *     the time of use is billed
   */
  public record Group(
      int instances,
      int instanceGpus,
      int teamSize,
      int perTeam,
      int gpus,
      int trialsPerGpu,
      int spare,
      int kept,
      boolean fills) {
    /** Returns a group with its allocation. */
    public static Group of(Offer offer, Allocation allocation, int kept) {
      return new Group(
          allocation.instances(),
          offer.gpus(),
          SlotCounts.teamSize(offer, allocation),
          SlotCounts.trialsPerTeam(offer, allocation),
          allocation.gpusPerTrial(),
          allocation.trialsPerGpu(),
          allocation.spare(),
          kept,
          offer.billing().per() == BillingTerms.Per.USE);
    }
  }

  /** Instances that run trials together. */
  private static final class Team {
    final List<Instance> members;
    final int lowest;
    int unready;
    int busy;

    /** Since when its free slots are free, from {@link #first} on, in a circle. */
    private final double[] freeS;

    private int first;

    Team(List<Instance> members, int slots, double sinceS) {
      this.members = members;
      int least = Integer.MAX_VALUE;
      for (Instance member : members) {
        least = Math.min(least, member.number());
      }
      lowest = least;
      freeS = new double[slots];
      Arrays.fill(freeS, sinceS);
    }

    boolean hasFreeSlot() {
      return unready == 0 && busy < freeS.length;
    }

    /** Returns since when that slot is free that has been so for longest. */
    double freeS() {
      return freeS[first];
    }

    /** Occupies that slot. */
    void take() {
      busy++;
      first = (first + 1) % freeS.length;
    }

    void free(double nowS) {
      busy--;
      if (busy < freeS.length) {
        freeS[(first + freeS.length - busy - 1) % freeS.length] = nowS;
      }
    }
  }

  /**
   * Creates the policy of a plan.
   *
   * @param hold whether no instance is released before the end
   */
  public GroupsPolicy(ChainsRun search, List<Group> groups, boolean hold) {
    this.search = search;
    this.groups = List.copyOf(groups);
    this.hold = hold;
  }

  /**
   * Lets it begin with the first group in progress, or with instances for it.
   *
   * @param instances instances that are held; others are requested only if none is
   * @param teams the instances of each team on which a trial runs
   */
  public GroupsPolicy from(int instances, List<List<Integer>> teams) {
    heldBefore = instances;
    teamsBefore = List.copyOf(teams);
    return this;
  }

  @Override
  public void begin(ManagedCluster cluster) {
    knowsPlaces = cluster.knowsPlaces();
    present = 0;
    groupStartS = 0;
    used = 0;
    parked.clear();
    single.clear();
    ended.clear();
    free.clear();
    lastStartS = 0;
    hasIdleSlots = false;
    Arrays.fill(runningBefore, 0);
    Arrays.fill(tasksOn, NO_TASKS);
    Arrays.fill(teamOf, null);
    Group group = groups.get(0);
    request(heldBefore >= group.teamSize() ? heldBefore : group.instances(), cluster);
    for (List<Integer> members : teamsBefore) {
      Team team =
          new Team(members.stream().map(cluster::instance).toList(), group.perTeam(), groupStartS);
      team.unready = members.size();
      join(team);
    }
  }

  private void request(int count, ManagedCluster cluster) {
    for (int i = 0; i < count; i++) {
      reserve(cluster.requested());
      cluster.request();
      cluster.instance(cluster.requested() - 1).gpus = groups.get(present).instanceGpus();
      used++;
    }
  }

  private void reserve(int number) {
    if (number >= teamOf.length) {
      teamOf = Arrays.copyOf(teamOf, 2 * number);
      runningBefore = Arrays.copyOf(runningBefore, 2 * number);
      int before = tasksOn.length;
      tasksOn = Arrays.copyOf(tasksOn, 2 * number);
      Arrays.fill(tasksOn, before, tasksOn.length, NO_TASKS);
      lastEndS = Arrays.copyOf(lastEndS, 2 * number);
      freeSinceS = Arrays.copyOf(freeSinceS, 2 * number);
    }
    lastEndS[number] = 0;
  }

  @Override
  public void runs(Task task) {
    count(task, 1);
    Team team = teamOf[task.instance()];
    if (team == null) {
      runningBefore[task.instance()]++;
    } else {
      team.busy++;
    }
  }

  @Override
  public void decide(ManagedCluster cluster) {
    freeSlots(cluster.nowS());
    if (search.group(0) != present) {
      beginGroup(cluster);
    }
    if (present == groups.size()) {
      return;
    }
    formTeams();
    if (knowsPlaces) {
      startAtHome(cluster);
    } else {
      for (int next = nextFree(); next >= 0 && search.mayIssue(0); next = nextFree()) {
        start(team(next), issue(cluster), 0, cluster);
      }
    }
    if (!search.mayIssue(0)) {
      hasIdleSlots = true;
      if (!hold) {
        leaveIdle(cluster);
      }
    }
  }

  /** Frees the slots of the tasks that have ended. */
  private void freeSlots(double nowS) {
    for (Task task : ended) {
      lastEndS[task.instance] = nowS;
      for (int other : task.others) {
        lastEndS[other] = nowS;
      }
      count(task, -1);
      Team team = teamOf[task.instance];
      if (team == null) {
        runningBefore[task.instance]--;
      } else {
        team.free(nowS);
        offer(team);
      }
    }
    ended.clear();
  }

  /**
   * Returns the lowest number of the team with the slot that has been free for longest; of several,
   * the lowest. While trials wait, no slot stays free.
   */
  private int nextFree() {
    int next = free.nextSetBit(0);
    for (int other = next; hasIdleSlots && other >= 0; other = free.nextSetBit(other + 1)) {
      next = team(other).freeS() < team(next).freeS() ? other : next;
    }
    return next;
  }

  private Team team(int number) {
    Team team = teamOf[number];
    if (team == null) {
      throw new IllegalStateException("instance " + number + " is in no team");
    }
    return team;
  }

  private static Task issue(ManagedCluster cluster) {
    Task task = cluster.issue(0);
    if (task == null) {
      throw new IllegalStateException("the search issues no task");
    }
    return task;
  }

  /** Starts as many tasks as fit, where their trials ran if possible. */
  private void startAtHome(ManagedCluster cluster) {
    int waiting = search.issuable(0);
    if (waiting == 0 || free.isEmpty()) {
      return;
    }
    List<Team> teams = new ArrayList<>();
    List<HomeSlots.Site> sites = new ArrayList<>();
    int room = 0;
    for (int lowest = free.nextSetBit(0); lowest >= 0; lowest = free.nextSetBit(lowest + 1)) {
      List<Integer> slots = slots(team(lowest));
      if (!slots.isEmpty()) {
        teams.add(team(lowest));
        sites.add(new HomeSlots.Site(team(lowest).members, slots));
        room += slots.size();
      }
    }
    List<Task> tasks = new ArrayList<>();
    for (int i = Math.min(waiting, room); i > 0; i--) {
      tasks.add(issue(cluster));
    }
    Group group = groups.get(present);
    List<HomeSlots.Slot> slots =
        HomeSlots.assign(cluster, tasks, sites, group.gpus(), group.fills());
    for (int i = 0; i < slots.size(); i++) {
      HomeSlots.Slot slot = slots.get(i);
      start(teams.get(slot.site()), tasks.get(i), slot.firstGpu(), cluster);
      count(tasks.get(i), 1);
    }
  }

  /** Returns the first GPU of each slot of a team on which a task can start. */
  private List<Integer> slots(Team team) {
    Group group = groups.get(present);
    if (team.members.size() > 1) {
      return List.of(0);
    }
    int room = group.perTeam() - team.busy;
    int[] tasks = tasksOn[team.lowest];
    List<Integer> slots = new ArrayList<>();
    for (int slot = 0; slot < group.perTeam() / group.trialsPerGpu(); slot++) {
      int first = slot * group.gpus();
      int busiest = 0;
      for (int gpu = first; gpu < Math.min(first + group.gpus(), tasks.length); gpu++) {
        busiest = Math.max(busiest, tasks[gpu]);
      }
      for (int i = busiest; i < group.trialsPerGpu() && slots.size() < room; i++) {
        slots.add(first);
      }
    }
    return slots;
  }

  /** Counts a task on its GPUs, if places matter. */
  private void count(Task task, int more) {
    if (!knowsPlaces || task.others.length > 0) {
      return;
    }
    int end = task.firstGpu() + task.gpus();
    if (tasksOn[task.instance()].length < end) {
      tasksOn[task.instance()] = Arrays.copyOf(tasksOn[task.instance()], end);
    }
    for (int gpu = task.firstGpu(); gpu < end; gpu++) {
      tasksOn[task.instance()][gpu] += more;
    }
  }

  private void start(Team team, Task task, int firstGpu, ManagedCluster cluster) {
    Group group = groups.get(present);
    lastStartS = cluster.nowS();
    team.take();
    if (!team.hasFreeSlot()) {
      free.clear(team.lowest);
    }
    if (team.members.size() == 1) {
      cluster.start(task, team.members.get(0), firstGpu, group.gpus(), group.trialsPerGpu());
    } else {
      cluster.start(task, team.members, group.gpus());
    }
  }

  /** Leaves what the next group does not need, requests what it lacks, and forms its teams. */
  private void beginGroup(ManagedCluster cluster) {
    int kept = groups.get(present).kept();
    if (hold) {
      leaveFirstIdle(kept, cluster);
    } else {
      leaveLastIdle(used - kept, cluster);
    }
    present = search.group(0);
    if (present == groups.size()) {
      return;
    }
    groupStartS = cluster.nowS();
    lastStartS = groupStartS;
    hasIdleSlots = false;
    free.clear();
    single.clear();
    Arrays.fill(runningBefore, 0);
    Arrays.fill(teamOf, null);
    request(groups.get(present).instances() - used, cluster);
    for (int number = 0; number < cluster.requested(); number++) {
      Instance instance = cluster.instance(number);
      if (isUsed(instance) && instance.isReady()) {
        freeSinceS[number] = groupStartS;
        single.add(instance);
      }
    }
    sortSingle();
  }

  /** Which of them are together matters only in teams of several. */
  private void sortSingle() {
    if (groups.get(present).teamSize() > 1) {
      single.sort(BY_READINESS);
    }
  }

  private boolean isUsed(Instance instance) {
    return instance.isHeld() && !parked.get(instance.number());
  }

  /** Leaves idle instances that are neither needed by the next group nor spare. */
  private void leaveIdle(ManagedCluster cluster) {
    Group group = groups.get(present);
    int idle = cluster.idle() - parked.cardinality();
    leaveLastIdle(Math.min(used - group.kept(), idle - group.spare()), cluster);
  }

  /** Leaves some idle instances: first those that are not ready, and the highest numbers. */
  private void leaveLastIdle(int count, ManagedCluster cluster) {
    if (count <= 0) {
      return;
    }
    int left = leaveLastIdle(count, false, cluster);
    leaveLastIdle(count - left, true, cluster);
    removeLeft();
  }

  private int leaveLastIdle(int count, boolean areReady, ManagedCluster cluster) {
    int left = 0;
    for (int number = cluster.requested() - 1; number >= 0 && left < count; number--) {
      Instance instance = cluster.instance(number);
      if (isUsed(instance) && instance.running == 0 && instance.isReady() == areReady) {
        leave(instance, cluster);
        left++;
      }
    }
    return left;
  }

  /** Leaves the instances that became idle first in the group, except so many. */
  private void leaveFirstIdle(int kept, ManagedCluster cluster) {
    if (used <= kept) {
      return;
    }
    List<IdleInstance> held = new ArrayList<>();
    for (int number = 0; number < cluster.requested(); number++) {
      Instance instance = cluster.instance(number);
      if (isUsed(instance)) {
        double idleS = IdleInstance.idleS(lastEndS[number], lastStartS);
        held.add(new IdleInstance(idleS, instance.bootedS() <= idleS, number));
      }
    }
    IdleInstance.released(held, kept)
        .forEach(idle -> leave(cluster.instance(idle.instance()), cluster));
    removeLeft();
  }

  /** Leaves an instance, before {@link #removeLeft}. */
  private void leave(Instance instance, ManagedCluster cluster) {
    used--;
    breakTeam(instance, cluster.nowS());
    if (hold) {
      parked.set(instance.number());
    } else {
      cluster.release(instance);
    }
  }

  private void removeLeft() {
    single.removeIf(instance -> !isUsed(instance));
    sortSingle();
  }

  private void join(Team team) {
    for (Instance member : team.members) {
      teamOf[member.number()] = team;
    }
    offer(team);
  }

  /** Lets trials start on a team that is ready and has free slots. */
  private void offer(Team team) {
    if (team.hasFreeSlot()) {
      free.set(team.lowest);
    }
  }

  @Override
  public void ready(Instance instance) {
    Team team = teamOf[instance.number()];
    if (team != null) {
      team.unready--;
      offer(team);
    } else if (!parked.get(instance.number())) {
      freeSinceS[instance.number()] = Math.max(groupStartS, instance.bootedS());
      single.add(instance);
    }
  }

  /** Forms teams of instances in the order in which they were ready, all at once or one by one. */
  private void formTeams() {
    Group group = groups.get(present);
    int size = group.teamSize();
    int formed = 0;
    for (; single.size() - formed >= size; formed += size) {
      List<Instance> members = List.copyOf(single.subList(formed, formed + size));
      double sinceS = groupStartS;
      for (Instance member : members) {
        sinceS = Math.max(sinceS, freeSinceS[member.number()]);
      }
      Team team = new Team(members, group.perTeam(), sinceS);
      team.busy = runningBefore[team.lowest];
      join(team);
    }
    if (formed > 0) {
      single.subList(0, formed).clear();
    }
  }

  @Override
  public void ended(Task task) {
    ended.add(task);
  }

  /** Its other members are in no team. */
  private void breakTeam(Instance instance, double nowS) {
    Team team = teamOf[instance.number()];
    if (team == null) {
      return;
    }
    free.clear(team.lowest);
    for (Instance member : team.members) {
      teamOf[member.number()] = null;
      if (member != instance && member.isReady()) {
        freeSinceS[member.number()] = nowS;
        single.add(member);
      }
    }
  }

  @Override
  public void lost(Instance instance, ManagedCluster cluster) {
    freeSlots(cluster.nowS());
    breakTeam(instance, cluster.nowS());
    single.remove(instance);
    sortSingle();
    if (parked.get(instance.number())) {
      parked.clear(instance.number());
      return;
    }
    int replacement = cluster.requested();
    reserve(replacement);
    lastEndS[replacement] = cluster.nowS();
    cluster.replace(instance);
  }
}
