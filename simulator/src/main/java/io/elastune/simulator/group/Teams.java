package io.elastune.simulator.group;

import io.elastune.simulator.instance.CompiledGroup;
import java.util.Arrays;

/**
 * The teams of a group; a single instance is a team of one. Teams are ranked by their lowest
 * instance number, which defines the order of their slots. For trials larger than an instance,
 * teams are filled in the order of (ready time, number).
 */
final class Teams {
  /** The lowest instances of teams are distinct, so there are no ties. */
  private static final KeySorter.TieRule NO_TIES = (a, b) -> false;

  /** Time at which each team is free for its first trial, by rank. */
  final double[] freeS;

  /** Slowness factor of each team, which is that of its slowest member, by rank. */
  final double[] slowness;

  private final int[] members;
  private final double[] lowest;
  private final int[] firstMember;
  private final int[] ranked;
  private final KeySorter sorter;
  private int count;
  private int size;
  private double latestS;
  private double[] readyS = {};

  /** Creates teams of up to {@code most} instances. */
  Teams(int most) {
    freeS = new double[most];
    slowness = new double[most];
    members = new int[most];
    lowest = new double[most];
    firstMember = new int[most];
    ranked = new int[most];
    sorter = new KeySorter(most);
  }

  /** Forms the teams of {@code compiledGroup} from the instances held when it starts. */
  void formTeams(CompiledGroup compiledGroup, Cluster cluster, double startS) {
    count = compiledGroup.teams();
    size = compiledGroup.teamSize();
    readyS = cluster.readyS;
    latestS = startS;
    if (size == 1) {
      System.arraycopy(cluster.active, 0, members, 0, cluster.held);
      for (int rank = 0; rank < count; rank++) {
        firstMember[rank] = rank;
        freeS[rank] = Math.max(startS, readyS[members[rank]]);
        slowness[rank] = cluster.slowness[members[rank]];
        latestS = Math.max(latestS, freeS[rank]);
      }
    } else {
      formLargeTeams(cluster, startS);
    }
  }

  private void formLargeTeams(Cluster cluster, double startS) {
    cluster.order(sorter);
    System.arraycopy(cluster.byReady, 0, members, 0, cluster.held);
    for (int team = 0; team < count; team++) {
      lowest[team] = members[team * size];
      for (int i = 1; i < size; i++) {
        lowest[team] = Math.min(lowest[team], members[team * size + i]);
      }
      ranked[team] = team;
    }
    sorter.sort(ranked, count, lowest, NO_TIES);
    for (int rank = 0; rank < count; rank++) {
      firstMember[rank] = ranked[rank] * size;
      freeS[rank] = Math.max(startS, readyS[members[firstMember[rank] + size - 1]]);
      slowness[rank] = slowest(rank, cluster);
      latestS = Math.max(latestS, freeS[rank]);
    }
  }

  private double slowest(int rank, Cluster cluster) {
    double slowest = 0;
    for (int i = 0; i < size; i++) {
      double own = cluster.slowness[member(rank, i)];
      slowest = own > slowest ? own : slowest;
    }
    return slowest;
  }

  /** Returns the number of teams. */
  int count() {
    return count;
  }

  /** Returns when the last team is free; the start of the group if all are free then. */
  double latestS() {
    return latestS;
  }

  /** Returns the number of instances per team. */
  int size() {
    return size;
  }

  /** Returns the numbers of the instances of the team with that rank. */
  int[] numbers(int rank) {
    return Arrays.copyOfRange(members, firstMember[rank], firstMember[rank] + size);
  }

  /** Returns the number of the {@code i}-th instance of the team with that rank. */
  int member(int rank, int i) {
    return members[firstMember[rank] + i];
  }
}
