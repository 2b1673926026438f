package io.elastune.executor.decision;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Places trials away from the instances on which they hung: in a free slot of another site, or in
 * exchange with another trial. A trial without an alternative stays, because the trial itself may
 * be the cause.
 */
final class HungTrialPlacement {
  private final List<TrialSite> sites;
  private final List<Set<String>> shunned;

  /** {@code shunned}: by trial, the instances on which it hung. */
  HungTrialPlacement(List<TrialSite> sites, List<Set<String>> shunned) {
    this.sites = sites;
    this.shunned = shunned;
  }

  /** Returns the index of each trial's site, starting from the sites in {@code placed}. */
  int[] place(int[] placed) {
    int[] moved = placed.clone();
    for (int trial = 0; trial < moved.length; trial++) {
      if (isShunned(trial, moved[trial])) {
        move(trial, moved);
      }
    }
    return moved;
  }

  private boolean isShunned(int trial, int site) {
    return sites.get(site).isHome(shunned.get(trial));
  }

  private void move(int trial, int[] moved) {
    for (int site = 0; site < sites.size(); site++) {
      if (!isShunned(trial, site) && taken(site, moved) < sites.get(site).room()) {
        moved[trial] = site;
        return;
      }
    }
    IntStream.range(0, moved.length)
        .filter(other -> !isShunned(trial, moved[other]) && !isShunned(other, moved[trial]))
        .findFirst()
        .ifPresent(other -> exchange(trial, other, moved));
  }

  private static void exchange(int trial, int other, int[] moved) {
    int site = moved[trial];
    moved[trial] = moved[other];
    moved[other] = site;
  }

  private static long taken(int site, int[] moved) {
    return Arrays.stream(moved).filter(at -> at == site).count();
  }
}
