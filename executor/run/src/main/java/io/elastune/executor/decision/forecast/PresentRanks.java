package io.elastune.executor.decision.forecast;

import io.elastune.core.plan.BracketShares;
import io.elastune.core.search.RungState;
import io.elastune.core.search.TrialLosses;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The ranks of trials in the rungs that they have not reached: a trial keeps its rank from rung to
 * rung, and the ranks of trials without a result are spread evenly.
 */
final class PresentRanks implements TrialLosses {
  private final List<List<Rung>> brackets;
  private final BracketShares shares;

  /**
   * The results of a rung in a bracket.
   *
   * @param valid how many of them, from the first, are results of trials that have not failed
   * @param places the place of each trial among them, from 0
   */
  private record Rung(List<RungState.Entry> ranked, int valid, Map<Integer, Integer> places) {
    static Rung of(List<RungState.Entry> ranked) {
      Map<Integer, Integer> places = new HashMap<>();
      int valid = 0;
      for (RungState.Entry entry : ranked) {
        places.put(entry.result().trial(), places.size());
        valid += entry.result().isValid() ? 1 : 0;
      }
      return new Rung(ranked, valid, places);
    }
  }

  PresentRanks(RungState rungs, BracketShares shares) {
    this(rungs.results(), shares);
  }

  /**
   * @param results by bracket and rung, the results so far, best first
   */
  PresentRanks(List<List<List<RungState.Entry>>> results, BracketShares shares) {
    this.brackets =
        results.stream().map(bracket -> bracket.stream().map(Rung::of).toList()).toList();
    this.shares = shares;
  }

  @Override
  public double loss(int trial, int rung) {
    List<Rung> rungs = brackets.get(shares.bracket(trial));
    double share = share(trial, rungs.subList(0, rung));
    Rung known = rungs.get(rung);
    return known.valid() == 0
        ? share
        : known.ranked().get((int) (share * known.valid())).result().loss();
  }

  /** The share of trials that are better: the rank in the last rung that it has reached. */
  private static double share(int trial, List<Rung> lower) {
    for (int k = lower.size() - 1; k >= 0; k--) {
      Integer place = lower.get(k).places().get(trial);
      if (place != null) {
        return (double) place / lower.get(k).places().size();
      }
    }
    return evenly(trial);
  }

  /** The bits of a number after the binary point in reverse: consecutive numbers are far apart. */
  static double evenly(int trial) {
    return (Integer.reverse(trial) >>> 1) / (double) (1 << 30) / 2;
  }
}
