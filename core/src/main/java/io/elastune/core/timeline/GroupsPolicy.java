package io.elastune.core.timeline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * List scheduling of the trial groups of one chain on instances of its own (docs/model.md, "Time"
 * and "Money"): each group requests what it lacks at its barrier, trials start on the free slots of
 * single instances or of teams, and instances that the next group does not need are released when
 * they are idle. Where a trial of the group before ran does not matter.
 */
public final class GroupsPolicy implements PolicyRun {
  private final ChainsRun search;
  private final List<Group> groups;
  private final boolean hold;
  private int heldBefore;
  private List<List<Integer>> teamsBefore = List.of();

  private int present;
  private double groupStartS;

  /** The instances of the group in progress. */
  private int used;

  /** The instances that no group uses any more, although they are not released. */
  private final BitSet parked = new BitSet();

  /** Instances that are ready and in no team. */
  private final List<Instance> single = new ArrayList<>();

  /** By number of an instance: the tasks that have been running on it since before the timeline. */
  private int[] runningBefore = new int[8];

  /** By number of an instance: its team. */
  private @Nullable Team[] teamOf = new Team[8];

  /** The lowest numbers of the teams that have free slots. */
  private final BitSet free = new BitSet();

  /**
   * A trial group and its allocation.
   *
   * @param instances instances that it uses
   * @param teamSize instances per trial; 1 unless a trial is larger than an instance
   * @param perTeam concurrent trials per team
   * @param gpus GPUs per trial
   * @param trialsPerGpu trials per GPU
   * @param spare idle instances that are kept until the group ends
   * @param kept its instances that the next group uses
   */
  public record Group(
      int instances, int teamSize, int perTeam, int gpus, int trialsPerGpu, int spare, int kept) {}

  /** Instances that run trials together. */
  private static final class Team {
    final List<Instance> members;
    final int lowest;
    int unready;
    int busy;

    Team(List<Instance> members) {
      this.members = List.copyOf(members);
      lowest = members.stream().mapToInt(Instance::number).min().orElseThrow();
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
    present = 0;
    groupStartS = 0;
    used = 0;
    parked.clear();
    single.clear();
    free.clear();
    Arrays.fill(runningBefore, 0);
    Arrays.fill(teamOf, null);
    Group group = groups.get(0);
    request(heldBefore >= group.teamSize() ? heldBefore : group.instances(), cluster);
    for (List<Integer> members : teamsBefore) {
      Team team = new Team(members.stream().map(cluster::instance).toList());
      team.unready = members.size();
      join(team);
    }
  }

  private void request(int count, ManagedCluster cluster) {
    for (int i = 0; i < count; i++) {
      reserve(cluster.requested());
      cluster.request();
      used++;
    }
  }

  private void reserve(int number) {
    if (number >= teamOf.length) {
      teamOf = Arrays.copyOf(teamOf, 2 * number);
      runningBefore = Arrays.copyOf(runningBefore, 2 * number);
    }
  }

  @Override
  public void runs(Task task) {
    Team team = teamOf[task.instance()];
    if (team == null) {
      runningBefore[task.instance()]++;
    } else {
      team.busy++;
    }
  }

  @Override
  public void decide(ManagedCluster cluster) {
    if (search.group(0) != present) {
      beginGroup(cluster);
    }
    if (present == groups.size()) {
      return;
    }
    int lowest = free.nextSetBit(0);
    while (lowest >= 0 && search.mayIssue(0)) {
      start(team(lowest), cluster);
      lowest = free.nextSetBit(0);
    }
    if (!search.mayIssue(0)) {
      leaveIdle(cluster);
    }
  }

  private Team team(int number) {
    Team team = teamOf[number];
    if (team == null) {
      throw new IllegalStateException("instance " + number + " is in no team");
    }
    return team;
  }

  private void start(Team team, ManagedCluster cluster) {
    Group group = groups.get(present);
    Task task = cluster.issue(0);
    if (task == null) {
      throw new IllegalStateException("the search issues no task");
    }
    team.busy++;
    if (team.busy == group.perTeam()) {
      free.clear(team.lowest);
    }
    if (team.members.size() == 1) {
      cluster.start(task, team.members.get(0), 0, group.gpus(), group.trialsPerGpu());
    } else {
      cluster.start(task, team.members, group.gpus());
    }
  }

  /** Leaves what the next group does not need, requests what it lacks, and forms its teams. */
  private void beginGroup(ManagedCluster cluster) {
    int kept = groups.get(present).kept();
    for (int number = lastIdle(cluster); used > kept; number = lastIdle(cluster)) {
      leave(cluster.instance(number), cluster);
    }
    present = search.group(0);
    if (present == groups.size()) {
      return;
    }
    groupStartS = cluster.nowS();
    free.clear();
    single.clear();
    Arrays.fill(runningBefore, 0);
    Arrays.fill(teamOf, null);
    request(groups.get(present).instances() - used, cluster);
    for (int number = 0; number < cluster.requested(); number++) {
      Instance instance = cluster.instance(number);
      if (isUsed(instance) && instance.isReady()) {
        single.add(instance);
      }
    }
    formTeams();
  }

  private boolean isUsed(Instance instance) {
    return instance.isHeld() && !parked.get(instance.number());
  }

  /** Leaves idle instances that are neither needed by the next group nor spare. */
  private void leaveIdle(ManagedCluster cluster) {
    Group group = groups.get(present);
    int idle = cluster.idle() - parked.cardinality();
    for (; used > group.kept() && idle > group.spare(); idle--) {
      leave(cluster.instance(lastIdle(cluster)), cluster);
    }
  }

  /** The idle instance that is left first: one that is not ready, and the highest number. */
  private int lastIdle(ManagedCluster cluster) {
    int last = Task.NONE;
    for (int number = cluster.requested() - 1; number >= 0; number--) {
      Instance instance = cluster.instance(number);
      if (isUsed(instance) && instance.running == 0) {
        if (!instance.isReady()) {
          return number;
        }
        last = Math.max(last, number);
      }
    }
    return last;
  }

  private void leave(Instance instance, ManagedCluster cluster) {
    used--;
    breakTeam(instance);
    single.remove(instance);
    if (hold) {
      parked.set(instance.number());
    } else {
      cluster.release(instance);
    }
  }

  private void join(Team team) {
    for (Instance member : team.members) {
      teamOf[member.number()] = team;
    }
    offer(team);
  }

  /** Lets trials start on a team that is ready and has free slots. */
  private void offer(Team team) {
    if (team.unready == 0 && team.busy < groups.get(present).perTeam()) {
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
      single.add(instance);
      formTeams();
    }
  }

  /** Forms teams of instances in the order in which they were ready, all at once or one by one. */
  private void formTeams() {
    int size = groups.get(present).teamSize();
    while (single.size() >= size) {
      List<Instance> first = single.subList(0, size);
      Team team = new Team(first);
      first.clear();
      team.busy = runningBefore[team.lowest];
      join(team);
    }
  }

  @Override
  public void ended(Task task) {
    Team team = teamOf[task.instance()];
    if (team == null) {
      runningBefore[task.instance()]--;
    } else {
      team.busy--;
      offer(team);
    }
  }

  /** Its other members are in no team. */
  private void breakTeam(Instance instance) {
    Team team = teamOf[instance.number()];
    if (team == null) {
      return;
    }
    free.clear(team.lowest);
    for (Instance member : team.members) {
      teamOf[member.number()] = null;
      if (member != instance && member.isReady()) {
        single.add(member);
      }
    }
    single.sort(
        Comparator.comparingDouble((Instance one) -> Math.max(groupStartS, one.bootedS()))
            .thenComparingInt(Instance::number));
  }

  @Override
  public void lost(Instance instance, ManagedCluster cluster) {
    breakTeam(instance);
    single.remove(instance);
    if (parked.get(instance.number())) {
      parked.clear(instance.number());
      return;
    }
    reserve(cluster.requested());
    cluster.replace(instance);
    formTeams();
  }
}
