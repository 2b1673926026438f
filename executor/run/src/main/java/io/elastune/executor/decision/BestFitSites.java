package io.elastune.executor.decision;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Chooses the sites for trials that start now: as few as possible, then those on which most trials
 * can stay, then those with the fewest free slots, then the lowest numbers. Exact for trials that
 * ran on one instance each, or if all sites are needed.
 */
final class BestFitSites {
  private final List<TrialSite> sites;
  private final int trials;
  private final int[] atHome;

  BestFitSites(List<TrialSite> sites, List<Set<String>> homes) {
    this.sites = sites;
    this.trials = homes.size();
    this.atHome =
        sites.stream()
            .mapToInt(site -> (int) homes.stream().filter(site::isHome).count())
            .toArray();
  }

  /** Returns the indices of the sites, ascending. */
  List<Integer> choose() {
    int count = fewest();
    return count == sites.size()
        ? IntStream.range(0, count).boxed().toList()
        : new Table(count).chosen();
  }

  private int fewest() {
    List<Integer> rooms =
        sites.stream().map(TrialSite::room).sorted(Comparator.reverseOrder()).toList();
    int room = 0;
    int count = 0;
    while (room < trials) {
      room += rooms.get(count++);
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
    private final long perStay = 1L + sites.stream().mapToLong(TrialSite::room).sum();
    private final long[][][] best;
    private final int count;

    Table(int count) {
      this.count = count;
      best = new long[sites.size() + 1][count + 1][trials + 1];
      for (int from = sites.size(); from >= 0; from--) {
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
      return from == sites.size()
          ? NONE
          : Math.max(with(from, sitesLeft, needed), best[from + 1][sitesLeft][needed]);
    }

    /** The value of the best choice that includes the site {@code from}. */
    private long with(int from, int sitesLeft, int needed) {
      int room = sites.get(from).room();
      long others = best[from + 1][sitesLeft - 1][Math.max(0, needed - room)];
      return others == NONE ? NONE : others + Math.min(room, atHome[from]) * perStay - room;
    }

    List<Integer> chosen() {
      int[] left = {count, trials};
      return IntStream.range(0, sites.size())
          .filter(
              site -> {
                boolean taken =
                    left[0] > 0 && with(site, left[0], left[1]) == best[site][left[0]][left[1]];
                left[0] -= taken ? 1 : 0;
                left[1] = taken ? Math.max(0, left[1] - sites.get(site).room()) : left[1];
                return taken;
              })
          .boxed()
          .toList();
    }
  }
}
