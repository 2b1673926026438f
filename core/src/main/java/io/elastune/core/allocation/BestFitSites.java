package io.elastune.core.allocation;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Chooses the sites for trials that start now: as few as possible, then those on which most trials
 * can stay, then those with the fewest free slots, then the lowest numbers. Exact for trials that
 * ran on one instance each, or if all sites are needed.
 */
final class BestFitSites {
  private final int[] rooms;
  private final int trials;
  private final int[] atHome;

  /**
   * @param rooms by site, its free slots
   * @param atHome by site, the trials that can stay on it
   */
  BestFitSites(int[] rooms, int trials, int[] atHome) {
    this.rooms = rooms;
    this.trials = trials;
    this.atHome = atHome;
  }

  /** Returns the indices of the sites, ascending. */
  List<Integer> choose() {
    int count = fewest();
    if (count == rooms.length) {
      return IntStream.range(0, count).boxed().toList();
    }
    return Arrays.stream(rooms).distinct().count() == 1
        ? chosenOfEqual(count)
        : new Table(count).chosen();
  }

  /** The same as that of the table for sites with equal room, in less time. */
  private List<Integer> chosenOfEqual(int count) {
    return IntStream.range(0, rooms.length)
        .boxed()
        .sorted(Comparator.comparingInt(site -> -Math.min(rooms[site], atHome[site])))
        .limit(count)
        .sorted()
        .toList();
  }

  private int fewest() {
    int[] ascending = rooms.clone();
    Arrays.sort(ascending);
    int room = 0;
    int count = 0;
    while (room < trials) {
      count++;
      room += ascending[rooms.length - count];
    }
    return count;
  }

  /**
   * Dynamic programming: the best choice of a given number of sites, starting from an index, with a
   * minimum of free slots.
   */
  private final class Table {
    private static final long NONE = Long.MIN_VALUE;

    // The weight of a staying trial, so that free slots only break ties.
    private final long perStay = 1L + Arrays.stream(rooms).asLongStream().sum();
    private final long[][][] best;
    private final int count;

    Table(int count) {
      this.count = count;
      best = new long[rooms.length + 1][count + 1][trials + 1];
      for (int from = rooms.length; from >= 0; from--) {
        for (int sitesLeft = 0; sitesLeft <= count; sitesLeft++) {
          for (int needed = 0; needed <= trials; needed++) {
            best[from][sitesLeft][needed] = value(from, sitesLeft, needed);
          }
        }
      }
    }

    private long value(int from, int sitesLeft, int needed) {
      if (sitesLeft == 0) {
        return needed == 0 ? 0 : NONE;
      }
      return from == rooms.length
          ? NONE
          : Math.max(with(from, sitesLeft, needed), best[from + 1][sitesLeft][needed]);
    }

    /** The value of the best choice that includes the site {@code from}. */
    private long with(int from, int sitesLeft, int needed) {
      int room = rooms[from];
      long others = best[from + 1][sitesLeft - 1][Math.max(0, needed - room)];
      return others == NONE ? NONE : others + Math.min(room, atHome[from]) * perStay - room;
    }

    List<Integer> chosen() {
      int[] left = {count, trials};
      return IntStream.range(0, rooms.length)
          .filter(
              site -> {
                boolean taken =
                    left[0] > 0 && with(site, left[0], left[1]) == best[site][left[0]][left[1]];
                left[0] -= taken ? 1 : 0;
                left[1] = taken ? Math.max(0, left[1] - rooms[site]) : left[1];
                return taken;
              })
          .boxed()
          .toList();
    }
  }
}
