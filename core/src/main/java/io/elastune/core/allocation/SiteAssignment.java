package io.elastune.core.allocation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Assigns trials that start now to sites: instances, or teams of instances. All have the same size,
 * and each takes one free slot of an instance, or the only slot of a team.
 *
 * <p>The trials take as few sites as possible, so that the other instances can be released, as the
 * prediction assumes. Among such placements, the one with the most trials on an instance where they
 * ran last is chosen, then the one with the fewest free slots left (best fit), then the one with
 * the lowest numbers.
 */
public final class SiteAssignment {
  private final int[] rooms;
  private final int[][] homes;
  private final boolean[] isChosen;
  // By trial, the index of its site; by site, the trials that stay on it.
  private final int[] siteOf;
  private final List<List<Integer>> staying = new ArrayList<>();

  private SiteAssignment(int[] rooms, int[][] homes) {
    this.rooms = rooms;
    this.homes = homes;
    this.isChosen = new boolean[rooms.length];
    this.siteOf = new int[homes.length];
    Arrays.fill(siteOf, -1);
    for (int site = 0; site < rooms.length; site++) {
      staying.add(new ArrayList<>());
    }
  }

  /**
   * Returns the index of each trial's site.
   *
   * @param rooms the free slots of the sites, in the order of their numbers; enough for all trials
   * @param homes by trial, the sites with an instance on which it ran last, ascending
   */
  public static int[] of(int[] rooms, int[][] homes) {
    return new SiteAssignment(rooms, homes).place();
  }

  private int[] place() {
    if (homes.length == 0) {
      return siteOf;
    }
    int[] atHome = new int[rooms.length];
    for (int[] home : homes) {
      for (int site : home) {
        atHome[site]++;
      }
    }
    List<Integer> chosen = new BestFitSites(rooms, homes.length, atHome).choose();
    chosen.forEach(site -> isChosen[site] = true);
    for (int trial = 0; trial < homes.length; trial++) {
      if (homes[trial].length > 0) {
        var unused = stay(trial, new boolean[rooms.length]);
      }
    }
    int next = 0;
    int room = roomLeft(chosen.get(next));
    for (int trial = 0; trial < homes.length; trial++) {
      if (siteOf[trial] < 0) {
        while (room == 0) {
          room = roomLeft(chosen.get(++next));
        }
        siteOf[trial] = chosen.get(next);
        room--;
      }
    }
    return siteOf;
  }

  private int roomLeft(int site) {
    return rooms[site] - staying.get(site).size();
  }

  /**
   * Keeps {@code trial} on its site if possible, by moving other trials that can also stay on
   * another site: an augmenting path of a bipartite matching (Kuhn's algorithm).
   */
  private boolean stay(int trial, boolean[] tried) {
    for (int site : homes[trial]) {
      if (tried[site] || !isChosen[site]) {
        continue;
      }
      tried[site] = true;
      if (roomLeft(site) > 0) {
        take(trial, site);
        return true;
      }
      for (Integer other : List.copyOf(staying.get(site))) {
        if (stay(other, tried)) {
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
