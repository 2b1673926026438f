package io.elastune.simulator.group;

import io.elastune.simulator.instance.CompiledGroup;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Where the trials of a chain ran that continue in its next group, in one sample. */
final class TrialHomes {
  /** By trial that continues: the numbers of the instances on which it ran. */
  private List<int[]> homes = List.of();

  /**
   * Records the homes of trials that continue.
   *
   * @param numbers by trial, the numbers of its instances
   */
  void remember(List<int[]> numbers) {
    homes = numbers;
  }

  /** Returns what was recorded. */
  List<int[]> known() {
    return homes;
  }

  /** Returns whether the place of some trials is known. */
  boolean areKnown() {
    return !homes.isEmpty();
  }

  /** Returns whether each trial ran on one of the instances of each team. */
  boolean[][] of(int[][] teams) {
    boolean[][] isHome = new boolean[homes.size()][teams.length];
    for (int trial = 0; trial < isHome.length; trial++) {
      for (int team = 0; team < teams.length; team++) {
        isHome[trial][team] = shares(homes.get(trial), teams[team]);
      }
    }
    return isHome;
  }

  private static boolean shares(int[] some, int[] others) {
    return Arrays.stream(some).anyMatch(one -> Arrays.stream(others).anyMatch(o -> o == one));
  }

  /**
   * Returns how many trials of {@code group} start on each of its teams; none at all if it has no
   * more slots at its start than trials, so that they start as in every group.
   *
   * @param firstNew number of the first instance that the group requested
   */
  int[] place(CompiledGroup group, Teams teams, int firstNew, double startS) {
    int[] ready =
        IntStream.range(0, teams.count())
            .filter(rank -> teams.freeS[rank] <= startS && isBelow(firstNew, teams, rank))
            .toArray();
    if (ready.length * group.perTeam() <= group.trials()) {
      return new int[0];
    }
    boolean[][] isHome = of(IntStream.of(ready).mapToObj(teams::numbers).toArray(int[][]::new));
    int[] on = HomePlacement.trialsOn(isHome, ready.length, group.trials(), group.perTeam());
    int[] byRank = new int[teams.count()];
    for (int team = 0; team < ready.length; team++) {
      byRank[ready[team]] = on[team];
    }
    return byRank;
  }

  private static boolean isBelow(int number, Teams teams, int rank) {
    return IntStream.range(0, teams.size()).allMatch(i -> teams.member(rank, i) < number);
  }
}
