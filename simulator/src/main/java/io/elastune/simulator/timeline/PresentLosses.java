package io.elastune.simulator.timeline;

import io.elastune.core.plan.BracketShares;
import io.elastune.core.plan.RungRule;
import io.elastune.core.search.RungState;
import io.elastune.core.search.RungState.Entry;
import io.elastune.core.search.TrialLosses;
import io.elastune.core.search.TrialResult;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Sampled losses of a search made of rungs that has results, for one sample at a time. Only ranks
 * matter, so the results so far get normal losses in their order: in the first rung those of as
 * many drawn trials, in a later one those that its trials had in the rung before. Losses of one
 * trial in two consecutive rungs have the correlation of the prediction. Not thread-safe.
 */
public final class PresentLosses implements TrialLosses {
  private final BracketShares shares;
  private final RungState known;
  private final double correlation;
  private final double own;
  private final RungLosses noise;
  private final List<Map<Integer, Double>> byRung = new ArrayList<>();
  private RungState state;

  /**
   * @param correlation of the losses of a trial in two consecutive rungs, from 0 to 1
   */
  public PresentLosses(
      RungRule rule, RungState known, double correlation, RungLosses.Tables draws) {
    this.shares = rule.shares();
    this.known = known;
    this.correlation = correlation;
    own = Math.sqrt(1 - correlation * correlation);
    noise = new RungLosses(0, draws);
    rule.targets().forEach(target -> byRung.add(new HashMap<>()));
    state = known;
  }

  /** Selects a sample. */
  public void select(int sample) {
    noise.select(sample);
    byRung.forEach(Map::clear);
    List<List<List<Entry>>> results = new ArrayList<>();
    for (List<List<Entry>> bracket : known.results()) {
      List<List<Entry>> ranked = new ArrayList<>();
      for (int rung = 0; rung < bracket.size(); rung++) {
        ranked.add(ranked(bracket.get(rung), rung));
      }
      results.add(ranked);
    }
    state =
        new RungState(
            known.phase(),
            known.begun(),
            results,
            known.tasks(),
            known.interrupted(),
            known.early());
  }

  /** Returns the state of the search with the losses of the sample instead of its metrics. */
  public RungState state() {
    return state;
  }

  private List<Entry> ranked(List<Entry> entries, int rung) {
    List<Double> losses = new ArrayList<>();
    for (Entry entry : entries) {
      if (entry.result().isValid()) {
        losses.add(before(entry.result().trial(), rung));
      }
    }
    Collections.sort(losses);
    List<Entry> ranked = new ArrayList<>();
    for (Entry entry : entries) {
      int trial = entry.result().trial();
      double loss = entry.result().isValid() ? losses.get(ranked.size()) : Double.NaN;
      byRung.get(rung).put(trial, loss);
      ranked.add(new Entry(new TrialResult(trial, loss), entry.promoted()));
    }
    return ranked;
  }

  /** The loss of a trial in the rung before; in its first rung, a drawn one. */
  private double before(int trial, int rung) {
    return rung <= shares.bracket(trial) ? noise.of(trial, rung) : loss(trial, rung - 1);
  }

  @Override
  public double loss(int trial, int rung) {
    Double present = byRung.get(rung).get(trial);
    if (present != null) {
      return present;
    }
    double loss =
        rung <= shares.bracket(trial)
            ? noise.of(trial, rung)
            : correlation * loss(trial, rung - 1) + own * noise.of(trial, rung);
    byRung.get(rung).put(trial, loss);
    return loss;
  }
}
