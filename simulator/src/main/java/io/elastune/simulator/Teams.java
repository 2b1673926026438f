package io.elastune.simulator;

/**
 * The teams of a group, single instances counted as teams of one. Teams are ranked by their lowest
 * instance number, for that is how slots are told apart. For trials bigger than an instance they
 * are filled in order of (ready time, number).
 */
final class Teams {
  /** No two teams share their lowest instance. */
  private static final KeySorter.Rule NO_TIES = (a, b) -> false;

  /** When each team is free for its first trial, by rank. */
  final double[] freeS;

  /** The factor by which each trains more slowly: its slowest member sets the pace. By rank. */
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

  /** Teams of up to {@code most} instances. */
  Teams(int most) {
    freeS = new double[most];
    slowness = new double[most];
    members = new int[most];
    lowest = new double[most];
    firstMember = new int[most];
    ranked = new int[most];
    sorter = new KeySorter(most);
  }

  /** Forms {@code step}'s teams from the instances held when it starts. */
  void form(Step step, Cluster cluster, double startS) {
    count = step.teams();
    size = step.teamSize();
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
      formBig(cluster, startS);
    }
  }

  private void formBig(Cluster cluster, double startS) {
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

  /** How many there are. */
  int count() {
    return count;
  }

  /** When the last of them is free; the group's start if all are from the start. */
  double latestS() {
    return latestS;
  }

  /** The instances of each. */
  int size() {
    return size;
  }

  /** The number of the {@code i}-th instance of the team of that rank. */
  int member(int rank, int i) {
    return members[firstMember[rank] + i];
  }
}
