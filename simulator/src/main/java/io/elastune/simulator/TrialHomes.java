package io.elastune.simulator;

import java.util.Arrays;
import java.util.stream.IntStream;

/** Where the trials of a chain ran that continue in its next group, in one sample. */
final class TrialHomes {
  private static final int NONE = -1;

  // By instance: its team in the group before, or NONE.
  private final int[] teamOf;
  // By trial that continues: the team on which it ran.
  private int[] homes = {};

  /** Creates homes on up to {@code most} instances. */
  TrialHomes(int most) {
    teamOf = new int[most];
  }

  /**
   * Records the homes of trials that continue.
   *
   * @param teams the teams of the group that ends
   * @param ranks the teams on which the trials ran
   */
  void remember(Teams teams, int[] ranks) {
    homes = ranks;
    Arrays.fill(teamOf, NONE);
    for (int rank = 0; rank < teams.count(); rank++) {
      for (int i = 0; i < teams.size(); i++) {
        teamOf[teams.member(rank, i)] = rank;
      }
    }
  }

  /** Returns whether the place of some trials is known. */
  boolean areKnown() {
    return homes.length > 0;
  }

  /**
   * Returns how many trials of {@code group} start on each of its teams; none at all if it has no
   * more slots at its start than trials, so that they start as in every group. Forgets the homes.
   *
   * @param firstNew number of the first instance that the group requested
   */
  int[] place(CompiledGroup group, Teams teams, int firstNew, double startS) {
    int[] known = homes;
    homes = new int[0];
    int[] ready =
        IntStream.range(0, teams.count())
            .filter(rank -> teams.freeS[rank] <= startS && isBelow(firstNew, teams, rank))
            .toArray();
    if (ready.length * group.perTeam() <= group.trials()) {
      return new int[0];
    }
    boolean[][] isHome = new boolean[known.length][ready.length];
    for (int trial = 0; trial < known.length; trial++) {
      for (int team = 0; team < ready.length; team++) {
        isHome[trial][team] = isHome(known[trial], teams, ready[team]);
      }
    }
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

  private boolean isHome(int home, Teams teams, int rank) {
    return IntStream.range(0, teams.size()).anyMatch(i -> teamOf[teams.member(rank, i)] == home);
  }
}
