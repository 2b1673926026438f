package io.elastune.simulator.group;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Places trials that continue where they ran, if more slots are free than they need (docs/model.md,
 * "Time"). The teams are in the order of their numbers, and an instance is a team of one.
 */
final class HomePlacement {
  private HomePlacement() {}

  /**
   * Returns how many trials start on each team: they take as few teams as possible, those on which
   * most of them can stay.
   *
   * @param isHome by trial that ran before and by team, whether it ran on one of its instances
   * @param teams number of teams, which have enough slots
   * @param trials number of all trials
   * @param room slots of a team
   */
  static int[] trialsOn(boolean[][] isHome, int teams, int trials, int room) {
    int[] atHome = new int[teams];
    for (boolean[] home : isHome) {
      for (int team = 0; team < teams; team++) {
        atHome[team] += home[team] ? 1 : 0;
      }
    }
    int[] chosen =
        IntStream.range(0, teams)
            .boxed()
            .sorted(Comparator.comparingInt(team -> -Math.min(room, atHome[team])))
            .limit((trials + room - 1) / room)
            .mapToInt(Integer::intValue)
            .sorted()
            .toArray();
    int[] trialsOn = new int[teams];
    for (boolean[] home : isHome) {
      Arrays.stream(chosen)
          .filter(team -> home[team] && trialsOn[team] < room)
          .findFirst()
          .ifPresent(team -> trialsOn[team]++);
    }
    int left = trials - Arrays.stream(trialsOn).sum();
    for (int team : chosen) {
      int more = Math.min(left, room - trialsOn[team]);
      trialsOn[team] += more;
      left -= more;
    }
    return trialsOn;
  }
}
