package io.elastune.planner.rung;

import io.elastune.core.plan.Plan;
import io.elastune.core.plan.RungRule;
import io.elastune.planner.model.ChoiceSet;
import io.elastune.planner.model.OfferChoice;
import io.elastune.planner.sampled.PlanKind;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The plans of a search made of rungs (docs/searches.md, "The planner"). Which trials are promoted
 * is random, so that no plan is found without sampling.
 */
public final class RungChoices implements PlanKind<RungCandidate> {
  /** The most plans, weighted by the number of trials, that are all evaluated. */
  private static final long MOST_ENUMERATED = 20_000;

  /** Instances up to which a static cluster of each size is a candidate. */
  private static final int DENSE_UP_TO = 4;

  /** The ratio of the sizes of larger static clusters. */
  private static final double SPARSE_RATIO = 1.4;

  private static final double LARGE_STEP = 0.25;

  private final ChoiceSet choiceSet;
  private final RungRule rule;

  public RungChoices(ChoiceSet choiceSet, RungRule rule) {
    this.choiceSet = choiceSet;
    this.rule = rule;
  }

  @Override
  public ChoiceSet choiceSet() {
    return choiceSet;
  }

  @Override
  public String refusal() {
    return "no offer has a measured size of a trial that fits on one of its instances,"
        + " which an asynchronous search needs";
  }

  @Override
  public Plan plan(RungCandidate candidate, boolean hold) {
    return candidate.plan(hold);
  }

  /** Returns the GPUs per trial that are legal on an offer: a trial never uses two instances. */
  List<Integer> sizes(OfferChoice offer) {
    return choiceSet.sizes(offer);
  }

  /** The most instances of which each can have a trial. */
  int most(OfferChoice offer, int gpus) {
    int perInstance = Math.max(1, offer.offer().gpus() / gpus);
    int concurrent = Math.min(rule.trials(), rule.concurrency().orElse(Integer.MAX_VALUE));
    return Math.min(offer.maxInstances(), (concurrent + perInstance - 1) / perInstance);
  }

  /** Returns the static clusters: the same instances in both phases. */
  @Override
  public List<List<RungCandidate>> statics() {
    List<RungCandidate> all = new ArrayList<>();
    for (OfferChoice offer : choiceSet.offerChoices()) {
      for (int gpus : sizes(offer)) {
        for (int instances : counts(most(offer, gpus))) {
          for (int closing : closingSizes(offer, gpus)) {
            all.add(new RungCandidate(offer, instances, gpus, instances, closing));
          }
        }
      }
    }
    return List.of(all);
  }

  /** Returns each offer with each size of the trials of both phases, on one instance. */
  List<RungCandidate> singles() {
    List<RungCandidate> all = new ArrayList<>();
    for (OfferChoice offer : choiceSet.offerChoices()) {
      for (int gpus : sizes(offer)) {
        for (int closing : closingSizes(offer, gpus)) {
          all.add(new RungCandidate(offer, 1, gpus, 1, closing));
        }
      }
    }
    return all;
  }

  private List<Integer> closingSizes(OfferChoice offer, int gpus) {
    return rule.isStopping() ? List.of(gpus) : sizes(offer);
  }

  private static Set<Integer> counts(int most) {
    Set<Integer> counts = new TreeSet<>();
    for (double count = 1; count < most; count *= count < DENSE_UP_TO ? 1 : SPARSE_RATIO) {
      counts.add((int) Math.round(count));
      count += count < DENSE_UP_TO ? 1 : 0;
    }
    counts.add(most);
    return counts;
  }

  @Override
  public Optional<List<RungCandidate>> all() {
    return count() * rule.trials() <= MOST_ENUMERATED
        ? Optional.of(everything())
        : Optional.empty();
  }

  /** Returns all plans that release instances. */
  public List<RungCandidate> everything() {
    List<RungCandidate> all = new ArrayList<>();
    for (OfferChoice offer : choiceSet.offerChoices()) {
      for (int gpus : sizes(offer)) {
        for (int open = 1; open <= most(offer, gpus); open++) {
          for (int closing = 1; closing <= open; closing++) {
            for (int closingGpus : closingSizes(offer, gpus)) {
              all.add(new RungCandidate(offer, open, gpus, closing, closingGpus));
            }
          }
        }
      }
    }
    return all;
  }

  /** Returns how many plans {@link #everything} has. */
  private long count() {
    long count = 0;
    for (OfferChoice offer : choiceSet.offerChoices()) {
      for (int gpus : sizes(offer)) {
        long most = most(offer, gpus);
        count += most * (most + 1) / 2 * closingSizes(offer, gpus).size();
      }
    }
    return count;
  }

  @Override
  public List<RungCandidate> neighbors(RungCandidate from, int part) {
    return neighbors(from);
  }

  /** Returns the candidates that differ from one by a step. */
  public List<RungCandidate> neighbors(RungCandidate from) {
    Set<RungCandidate> near = new LinkedHashSet<>();
    int step = Math.max(1, (int) Math.round(from.open() * LARGE_STEP));
    for (int open :
        new int[] {from.open() - 1, from.open() + 1, from.open() - step, from.open() + step}) {
      boolean whole = from.closing() == from.open();
      add(
          near,
          from.offer(),
          open,
          from.openGpus(),
          whole ? open : from.closing(),
          from.closingGpus());
    }
    for (int closing : new int[] {from.closing() - 1, from.closing() + 1}) {
      add(near, from.offer(), from.open(), from.openGpus(), closing, from.closingGpus());
    }
    for (int gpus : sizes(from.offer())) {
      add(near, from.offer(), from.open(), gpus, from.closing(), from.closingGpus());
      add(near, from.offer(), from.open(), from.openGpus(), from.closing(), gpus);
      add(near, from.offer(), from.open(), gpus, from.closing(), gpus);
    }
    for (OfferChoice offer : choiceSet.offerChoices()) {
      add(near, offer, from.open(), from.openGpus(), from.closing(), from.closingGpus());
    }
    near.remove(from);
    return List.copyOf(near);
  }

  private void add(
      Set<RungCandidate> near,
      OfferChoice offer,
      int open,
      int gpus,
      int closing,
      int closingGpus) {
    List<Integer> sizes = sizes(offer);
    int most = sizes.contains(gpus) ? most(offer, gpus) : 0;
    boolean legal =
        sizes.contains(closingGpus)
            && open >= 1
            && open <= most
            && closing >= 1
            && (!rule.isStopping() || gpus == closingGpus);
    if (legal) {
      near.add(new RungCandidate(offer, open, gpus, Math.min(open, closing), closingGpus));
    }
  }

  @Override
  public Bounds<RungCandidate> bounds() {
    RungBounds of = new RungBounds(rule, choiceSet, this::sizes);
    return new Bounds<>(of::staticS, of::staticUsd, of.shortestS(), of.leastUsd());
  }

  @Override
  public String remark(boolean isBestOfAll) {
    return isBestOfAll
        ? "the best of all "
            + count()
            + " plans within the sampling error, because which trials are promoted is random"
        : "found step by step, because which trials are promoted is random; the bound counts only"
            + " the work that no order of trials avoids";
  }
}
