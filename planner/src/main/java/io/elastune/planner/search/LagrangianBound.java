package io.elastune.planner.search;

import io.elastune.core.billing.Billing;
import io.elastune.planner.model.HeldInstances;
import io.elastune.planner.model.LowerBound;
import io.elastune.planner.model.MeanGroupRun;
import io.elastune.planner.model.MeanValueModel;
import io.elastune.planner.model.OfferChoice;
import io.elastune.planner.model.TrialShape;
import java.util.Arrays;
import java.util.function.BooleanSupplier;

/**
 * Lower bounds of the cost of the remaining groups of a chain when every second has a price: a
 * shortest path over (group, instances held) for each of a set of prices. By linear duality no
 * continuation that takes t seconds costs less than {@code value − price × t}, for every price. The
 * bounds guide the exact search, and they bound the optimum where that search does not complete.
 *
 * <p>Relaxed are: the bills (by the exact second, without increments or minimums), the order of
 * offers, and instances that are held but not yet ready: what follows those is bounded by the work
 * alone. All else is exact, so the bound is close.
 */
final class LagrangianBound {
  /** Tolerance for rounding; not tunable. */
  private static final double ROUNDING_USD = 1e-8;

  private final MeanValueModel model;
  private final MeanGroupRun run;
  private final int[][] useful;
  private final double[] prices;
  private boolean solvable;
  private final double[][] anything;
  private final double[][] nothing;
  private final double[][][][] held;
  private final double[][][] afterUse;
  private final double[][] worthUsd;
  private final double[] best;
  private double[] keptUsd = new double[0];
  private int unreadyUpTo;

  /**
   * Solves the relaxed problem. If that takes more than {@code effort} steps, or the time limit is
   * reached, bounds the remaining groups by their work.
   */
  LagrangianBound(
      MeanValueModel model, TimePrices prices, long effort, BooleanSupplier timeLimitReached) {
    this(model, prices, Double.POSITIVE_INFINITY, 0, effort, timeLimitReached);
  }

  /**
   * The same for plans that take at most {@code latestS} and cost at most {@code mostUsd}: the
   * bound of a continuation that belongs to no such plan is infinite.
   */
  LagrangianBound(
      MeanValueModel model,
      TimePrices prices,
      double mostUsd,
      double latestS,
      long effort,
      BooleanSupplier timeLimitReached) {
    this.model = model;
    this.run = new MeanGroupRun(model).withoutLaterStartups();
    this.useful = usefulInstances(model);
    this.prices = prices.dollarsPerS();
    this.best = new double[this.prices.length];
    this.solvable = steps(model) <= effort;
    int groups = model.groups();
    anything = new double[groups + 1][best.length];
    nothing = new double[groups + 1][best.length];
    held = new double[groups + 1][model.choiceSet().offerChoices().size()][][];
    afterUse = new double[groups + 1][model.choiceSet().offerChoices().size()][best.length];
    for (int group = groups - 1; group >= 0; group--) {
      relaxToWork(group);
    }
    worthUsd = new double[groups][best.length];
    for (int group = 0; group < groups; group++) {
      for (int p = 0; p < best.length; p++) {
        double beforeUsd = anything[0][p] - anything[group][p];
        worthUsd[group][p] = mostUsd + ROUNDING_USD + this.prices[p] * latestS - beforeUsd;
      }
    }
    for (int group = groups - 1; group >= 0; group--) {
      solvable = solvable && !timeLimitReached.getAsBoolean();
      if (solvable) {
        solve(group);
      } else {
        nothing[group] = anything[group];
      }
    }
  }

  /** Whether the relaxed problem was solved. */
  boolean isSolved() {
    return solvable;
  }

  /** Returns how many runs of a group the solution takes. */
  static long steps(MeanValueModel model) {
    int[][] useful = usefulInstances(model);
    long steps = 0;
    for (int group = 0; group < model.groups(); group++) {
      for (TrialShape trialShape : model.choiceSet().trialShapes()) {
        long most = useful[group][trialShape.offerChoice().index()];
        steps += (most + 1) * (most + 2) / 2;
      }
    }
    return steps;
  }

  /** More instances than all trials at once can fill, now or later, are useless. */
  private static int[][] usefulInstances(MeanValueModel model) {
    int[][] useful = new int[model.groups() + 1][model.choiceSet().offerChoices().size()];
    for (int group = model.groups() - 1; group >= 0; group--) {
      useful[group] = useful[group + 1].clone();
      for (TrialShape trialShape : model.choiceSet().trialShapes()) {
        int room =
            Math.min(
                trialShape.instancesFor(model.trials(group)),
                trialShape.offerChoice().maxInstances());
        int offerChoice = trialShape.offerChoice().index();
        useful[group][offerChoice] = Math.max(useful[group][offerChoice], room);
      }
    }
    return useful;
  }

  /** The most instances of a offer that are useful when {@code group} begins. */
  int useful(int group, OfferChoice offerChoice) {
    return useful[group][offerChoice.index()];
  }

  private void relaxToWork(int group) {
    for (int p = 0; p < prices.length; p++) {
      double least = Double.POSITIVE_INFINITY;
      for (TrialShape trialShape : model.choiceSet().trialShapes()) {
        double perS = prices[p] + model.clockUsdPerS();
        double timeUsd = perS * LowerBound.shortestS(model, group, trialShape);
        least = Math.min(least, model.leastUsd(group, trialShape) + timeUsd);
      }
      anything[group][p] = least + anything[group + 1][p];
    }
  }

  private void solve(int group) {
    Arrays.fill(nothing[group], Double.POSITIVE_INFINITY);
    for (OfferChoice offerChoice : model.choiceSet().offerChoices()) {
      int most = useful[group][offerChoice.index()];
      // Values of held instances are never needed for the first group.
      int mostHeld = group == 0 ? 0 : most;
      double[][] values = new double[mostHeld + 1][prices.length];
      held[group][offerChoice.index()] = values;
      for (int have = 0; have <= mostHeld; have++) {
        Arrays.fill(values[have], Double.POSITIVE_INFINITY);
        HeldInstances before = HeldInstances.ready(offerChoice.index(), have);
        for (TrialShape trialShape : model.sizesOf(offerChoice.index())) {
          for (int count = Math.max(have, trialShape.team()); count <= most; count++) {
            if (mayLower(values[have], group, trialShape, have, count)) {
              run.run(before, group, trialShape, count);
              relax(values[have], group, offerChoice, have, count);
            }
          }
        }
      }
      for (int p = 0; p < prices.length; p++) {
        nothing[group][p] = Math.min(nothing[group][p], values[0][p]);
      }
    }
    for (OfferChoice offerChoice : model.choiceSet().offerChoices()) {
      double[] least = afterUse[group][offerChoice.index()];
      System.arraycopy(nothing[group], 0, least, 0, prices.length);
      for (double[] some : held[group][offerChoice.index()]) {
        lower(least, 0, some, false);
      }
    }
  }

  /**
   * Whether so many instances may be better at some price, by their work alone, and are useful at
   * all prices.
   */
  private boolean mayLower(double[] values, int group, TrialShape trialShape, int have, int count) {
    double leastUsd = model.leastUsd(group, trialShape);
    double leastS = LowerBound.shortestS(model, group, trialShape, count);
    boolean ready = count == have || trialShape.offerChoice().readyAfterS() <= leastS;
    double[] rest =
        ready ? afterUse[group + 1][trialShape.offerChoice().index()] : anything[group + 1];
    boolean better = false;
    for (int p = 0; p < prices.length; p++) {
      double usd = leastUsd + rest[p] + (prices[p] + model.clockUsdPerS()) * leastS;
      if (usd > worthUsd[group][p]) {
        return false;
      }
      better |= usd < values[p];
    }
    return better;
  }

  /** Lowers {@code values} to the result of the group just run. */
  private void relax(double[] values, int group, OfferChoice offerChoice, int have, int count) {
    bill(offerChoice, have, count);
    boolean last = group == model.groups() - 1;
    int kept = last ? 0 : Math.min(count, useful[group + 1][offerChoice.index()]);
    lower(best, keptUsd[0], nothing[group + 1], true);
    for (int keep = 1; keep <= kept; keep++) {
      double[] next =
          keep > unreadyUpTo ? anything[group + 1] : held[group + 1][offerChoice.index()][keep];
      lower(best, keptUsd[keep], next, false);
    }
    double endS = run.endS();
    double clockUsd = model.clockUsdPerS() * endS;
    for (int p = 0; p < prices.length; p++) {
      values[p] = Math.min(values[p], best[p] + prices[p] * endS + clockUsd);
    }
  }

  /** By price, the lesser of {@code into} and {@code usd + next}: the innermost loop. */
  private static void lower(double[] into, double usd, double[] next, boolean first) {
    for (int p = 0; p < into.length; p++) {
      double value = usd + next[p];
      into[p] = first ? value : Math.min(into[p], value);
    }
  }

  /** Dollars by the second of the group just run, by the number of instances kept at its end. */
  private void bill(OfferChoice offerChoice, int have, int count) {
    if (keptUsd.length <= count) {
      keptUsd = new double[2 * count + 1];
    }
    double sum = (count - have) * offerChoice.offer().dataInUsd();
    for (int piece = 0; piece < run.pieces().size(); piece++) {
      sum +=
          run.pieces().countOf(piece) * secondsUsd(offerChoice, piece, run.pieces().idleS(piece));
    }
    keptUsd[0] = sum;
    unreadyUpTo = count;
    int keep = 0;
    for (int position = run.pieces().size() - 1; position >= 0; position--) {
      int piece = run.pieces().releasedAt(position);
      double moreUsd =
          secondsUsd(offerChoice, piece, run.endS())
              - secondsUsd(offerChoice, piece, run.pieces().idleS(piece));
      if (run.pieces().readyS(piece) > run.endS() && unreadyUpTo == count) {
        unreadyUpTo = keep;
      }
      for (int i = 0; i < run.pieces().countOf(piece); i++) {
        sum += moreUsd;
        keptUsd[++keep] = sum;
      }
    }
  }

  /** Dollars from now on; instances held before are billed since time 0. */
  private double secondsUsd(OfferChoice offerChoice, int piece, double untilS) {
    double fromS = run.pieces().runningS(piece);
    if (untilS <= fromS) {
      return 0;
    }
    double heldS = untilS - fromS;
    double countedS = offerChoice.billedByUse() ? run.pieces().usedS(piece) : heldS;
    // Before time 0 only the instances of Held.ready are held.
    double perUseUsd = run.isFresh(piece) ? offerChoice.offer().billing().perUseUsd() : 0;
    return countedS * offerChoice.usdPerS()
        + heldS * offerChoice.offer().diskUsdPerHour() / Billing.SECONDS_PER_HOUR
        + perUseUsd;
  }

  /**
   * Returns, by price, the least of dollars + price × seconds from a barrier to the end.
   *
   * @param count instances held of the offer
   * @param ready whether all of them are ready
   */
  double[] values(int group, int offerChoice, int count, boolean ready) {
    if (count == 0) {
      return nothing[group];
    }
    return solvable && ready ? held[group][offerChoice][count] : anything[group];
  }

  /** Returns the same for any number of instances held of the offer, or none. */
  double[] values(int group, int offerChoice, boolean ready) {
    return solvable && ready ? afterUse[group][offerChoice] : anything[group];
  }

  /** Returns least dollars of a continuation of these values that takes at most {@code seconds}. */
  double leastUsd(double[] values, double seconds) {
    double least = values[0];
    for (int p = 1; p < prices.length; p++) {
      least = Math.max(least, values[p] - prices[p] * seconds);
    }
    return least;
  }

  /** Returns a lower bound, in USD, of the cost of every plan of the chain within the deadline. */
  double leastUsd(double deadlineS) {
    return leastUsd(nothing[0], deadlineS);
  }
}
