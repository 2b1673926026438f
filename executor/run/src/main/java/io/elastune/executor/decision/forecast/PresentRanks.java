package io.elastune.executor.decision.forecast;

import io.elastune.core.plan.BracketShares;
import io.elastune.core.search.RungState;
import io.elastune.core.search.RungTaskSource;
import java.util.List;

/**
 * The ranks of trials in the rungs that they have not reached: a trial keeps its rank from rung to
 * rung, and the ranks of trials without a result are spread evenly.
 */
record PresentRanks(RungState rungs, BracketShares shares) implements RungTaskSource.Losses {
  @Override
  public double loss(int trial, int rung) {
    double share = share(trial, rung);
    List<RungState.Entry> known = results(trial).get(rung);
    long valid = known.stream().filter(entry -> entry.result().isValid()).count();
    return valid == 0 ? share : known.get((int) (share * valid)).result().loss();
  }

  /** The results of the bracket of a trial, by rung. */
  private List<List<RungState.Entry>> results(int trial) {
    return rungs.results().get(shares.bracket(trial));
  }

  /** The share of trials that are better: the rank in the last rung that it has reached. */
  private double share(int trial, int rung) {
    for (int k = rung - 1; k >= 0; k--) {
      List<RungState.Entry> known = results(trial).get(k);
      for (int i = 0; i < known.size(); i++) {
        if (known.get(i).result().trial() == trial) {
          return (double) i / known.size();
        }
      }
    }
    return evenly(trial);
  }

  /** The bits of a number after the binary point in reverse: consecutive numbers are far apart. */
  private static double evenly(int trial) {
    return (Integer.reverse(trial) >>> 1) / (double) (1 << 30) / 2;
  }
}
