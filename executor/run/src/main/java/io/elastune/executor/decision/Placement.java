package io.elastune.executor.decision;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Assigns trials that start now to sites. All have the same size, and each takes one free slot of
 * an instance, or the only slot of a team.
 *
 * <p>The trials take as few sites as possible, so that the other instances can be released, as the
 * prediction assumes. Among such placements, the one with the most trials on an instance where they
 * ran last is chosen, then the one with the fewest free slots left (best fit), then the one with
 * the lowest numbers.
 */
final class Placement {
  private final List<TrialSite> sites;
  private final List<Set<String>> homes;
  // By trial, the index of its site; by site, the trials that stay on it.
  private final int[] siteOf;
  private final List<List<Integer>> staying;

  private Placement(List<TrialSite> sites, List<Set<String>> homes) {
    this.sites = sites;
    this.homes = homes;
    this.siteOf = new int[homes.size()];
    Arrays.fill(siteOf, -1);
    this.staying = sites.stream().<List<Integer>>map(site -> new ArrayList<>()).toList();
  }

  /**
   * Returns the index of each trial's site.
   *
   * @param sites in the order of their numbers, with enough free slots for all trials
   * @param homes by trial, the instances on which it ran last; none if it has not run
   */
  static int[] of(List<TrialSite> sites, List<Set<String>> homes) {
    return new Placement(sites, homes).place();
  }

  private int[] place() {
    List<Integer> chosen = new BestFitSites(sites, homes).choose();
    for (int trial = 0; trial < homes.size(); trial++) {
      stay(trial, chosen, new boolean[sites.size()]);
    }
    int[] room = IntStream.range(0, sites.size()).map(i -> roomLeft(i)).toArray();
    for (int trial = 0; trial < siteOf.length; trial++) {
      if (siteOf[trial] < 0) {
        int site = chosen.stream().filter(i -> room[i] > 0).findFirst().orElseThrow();
        siteOf[trial] = site;
        room[site]--;
      }
    }
    return siteOf;
  }

  private int roomLeft(int site) {
    return sites.get(site).room() - staying.get(site).size();
  }

  /**
   * Keeps {@code trial} on its site if possible, by moving other trials that can also stay on
   * another site: an augmenting path of a bipartite matching (Kuhn's algorithm).
   */
  private boolean stay(int trial, List<Integer> chosen, boolean[] tried) {
    for (int site : chosen) {
      if (tried[site] || !sites.get(site).isHome(homes.get(trial))) {
        continue;
      }
      tried[site] = true;
      if (roomLeft(site) > 0) {
        take(trial, site);
        return true;
      }
      for (Integer other : List.copyOf(staying.get(site))) {
        if (stay(other, chosen, tried)) {
          staying.get(site).remove(other);
          take(trial, site);
          return true;
        }
      }
    }
    return false;
  }

  private void take(int trial, int site) {
    staying.get(site).add(trial);
    siteOf[trial] = site;
  }
}
