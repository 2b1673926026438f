package io.elastune.planner.search;

import io.elastune.planner.model.ChainCandidate;
import io.elastune.planner.model.HeldInstances;
import io.elastune.planner.model.MeanGroupRun;
import io.elastune.planner.model.MeanValueModel;
import io.elastune.planner.model.OfferChoice;
import io.elastune.planner.model.SearchParameters;
import io.elastune.planner.model.TrialShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Beam search over the labels of the exact search: time has a price, and for each number of
 * instances of a offer held at a barrier only the label is kept that has cost least, time included.
 * It tries only the numbers of instances that {@link Neighbors} tries. It proves nothing, but is
 * fast, and finds where to change from one offer to another.
 */
final class BeamSearch {
  private final MeanValueModel model;
  private final SearchParameters.Beam parameters;
  private final CandidatePool candidatePool;
  private final BooleanSupplier timeLimitReached;
  private final MeanGroupRun run;
  private final List<List<List<TrialShape>>> trialShapes = new ArrayList<>();
  private final int[][][] counts;
  private final int[][][] keeps;
  private double price;
  private int cap;
  // By node (the instances held at the barrier): the cheapest label and its cost so far.
  private final @Nullable SearchLabel[] searchLabels;
  private final double[] labelsUsd;
  // Nodes of one offer: two for each number of instances.
  private final int nodes;
  private Optional<ChainCandidate> best = Optional.empty();

  /** A label and its cost so far, time included. */
  private record Scored(SearchLabel label, double usd) {}

  BeamSearch(
      MeanValueModel model,
      Neighbors neighbors,
      CandidatePool candidatePool,
      BooleanSupplier timeLimitReached) {
    this.model = model;
    this.parameters = model.parameters().beam();
    this.timeLimitReached = timeLimitReached;
    this.candidatePool = candidatePool;
    this.run = new MeanGroupRun(model);
    this.nodes =
        2
            * (1
                + model.choiceSet().offerChoices().stream()
                    .mapToInt(OfferChoice::maxInstances)
                    .max()
                    .orElse(0));
    this.searchLabels = new SearchLabel[nodes * model.choiceSet().offerChoices().size()];
    this.labelsUsd = new double[searchLabels.length];
    this.keeps = new int[model.groups()][model.choiceSet().offerChoices().size()][];
    this.counts = new int[model.groups()][model.choiceSet().trialShapes().size()][];
    for (int group = 0; group < model.groups(); group++) {
      for (TrialShape trialShape : neighbors.sizes(group)) {
        counts[group][trialShape.index()] = apart(neighbors.counts(group, trialShape));
      }
      List<List<TrialShape>> byRental = new ArrayList<>();
      for (OfferChoice offerChoice : model.choiceSet().offerChoices()) {
        List<TrialShape> own =
            neighbors.sizes(group).stream()
                .filter(trialShape -> trialShape.offerChoice().equals(offerChoice))
                .toList();
        byRental.add(own);
        keeps[group][offerChoice.index()] = keeps(group, own);
      }
      trialShapes.add(byRental);
    }
  }

  /** Numbers of instances that may be worth keeping for a group. */
  private int[] keeps(int group, List<TrialShape> own) {
    Set<Integer> all = new TreeSet<>();
    for (TrialShape trialShape : own) {
      for (int count : counts[group][trialShape.index()]) {
        all.add(count);
      }
    }
    return all.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Returns, of ascending numbers, the largest and those that are some way apart. */
  private int[] apart(int[] counts) {
    IntStream.Builder some = IntStream.builder();
    double above = Double.POSITIVE_INFINITY;
    for (int i = counts.length - 1; i >= 0; i--) {
      if (counts[i] * parameters.instanceFactor() <= above) {
        some.add(counts[i]);
        above = counts[i];
      }
    }
    return some.build().sorted().toArray();
  }

  /**
   * Returns the best plan found at one price of time, and adds it and other good ones to the pool.
   *
   * @param usdPerS the price of a second
   * @param offerChoices that are tried
   * @param mostInstances that are held at once
   * @return empty if every plan needs more instances, or the time limit was reached before one was
   *     found
   */
  Optional<ChainCandidate> search(
      double usdPerS, List<OfferChoice> offerChoices, int mostInstances) {
    price = usdPerS;
    cap = mostInstances;
    best = Optional.empty();
    List<SearchLabel> some = startLabels();
    for (int group = 0; group < model.groups(); group++) {
      Arrays.fill(labelsUsd, Double.POSITIVE_INFINITY);
      for (SearchLabel searchLabel : some) {
        if (timeLimitReached.getAsBoolean()) {
          return best;
        }
        for (OfferChoice offerChoice : offerChoices) {
          if (searchLabel.mayUse(offerChoice)) {
            advance(searchLabel, group, offerChoice);
          }
        }
      }
      some = pruned();
    }
    return best;
  }

  private List<SearchLabel> startLabels() {
    List<SearchLabel> searchLabels = new ArrayList<>();
    HeldInstances all = model.start().allHeld();
    searchLabels.add(SearchLabel.beginning(model.start().noneHeld(), all.offerChoice(), false));
    for (OfferChoice offerChoice : model.choiceSet().offerChoices()) {
      if (offerChoice.index() == all.offerChoice()) {
        searchLabels.add(SearchLabel.beginning(all, -1, false));
        for (int kept : keeps[0][offerChoice.index()]) {
          if (kept < all.count()) {
            searchLabels.add(
                SearchLabel.beginning(model.start().forGroup(offerChoice, kept), -1, true));
          }
        }
      }
    }
    return searchLabels;
  }

  private void advance(SearchLabel searchLabel, int group, OfferChoice offerChoice) {
    for (TrialShape trialShape : trialShapes.get(group).get(offerChoice.index())) {
      int held = searchLabel.held().count();
      if (held >= trialShape.team()) {
        advance(searchLabel, group, trialShape, held);
      }
      if (!searchLabel.partlyReleased()) {
        for (int count : counts[group][trialShape.index()]) {
          if (count > held && count <= cap) {
            advance(searchLabel, group, trialShape, count);
          }
        }
      }
    }
  }

  private void advance(SearchLabel searchLabel, int group, TrialShape trialShape, int count) {
    run.run(searchLabel.held(), group, trialShape, count);
    if (group == model.groups() - 1) {
      finish(searchLabel, trialShape, count);
      return;
    }
    int offerChoice = trialShape.offerChoice().index();
    if (model.choiceSet().offerChoices().size() > 1) {
      offer(searchLabel, trialShape, count, 0, nodes * offerChoice);
    }
    offer(searchLabel, trialShape, count, count, nodes * offerChoice + 2 * count);
    for (int kept : keeps[group + 1][offerChoice]) {
      if (kept >= count) {
        break;
      }
      offer(searchLabel, trialShape, count, kept, nodes * offerChoice + 2 * kept + 1);
    }
  }

  private void offer(
      SearchLabel searchLabel, TrialShape trialShape, int count, int kept, int node) {
    double usd = run.spentUsd(count - kept) + (price + model.clockUsdPerS()) * run.endS();
    if (usd < labelsUsd[node]) {
      int let = kept == 0 ? trialShape.offerChoice().index() : -1;
      boolean shrunk = kept > 0 && kept < count;
      HeldInstances heldInstances = run.release(count - kept);
      searchLabels[node] = searchLabel.next(heldInstances, let, shrunk, trialShape, count);
      labelsUsd[node] = usd;
    }
  }

  /** Returns the labels that may lead to the best plan. */
  private List<SearchLabel> pruned() {
    List<Scored> all = new ArrayList<>();
    for (int node = 0; node < searchLabels.length; node++) {
      SearchLabel searchLabel = searchLabels[node];
      if (searchLabel != null && labelsUsd[node] < Double.POSITIVE_INFINITY) {
        all.add(new Scored(searchLabel, labelsUsd[node]));
      }
    }
    List<Scored> empty =
        all.stream()
            .filter(scored -> scored.label().held().count() == 0)
            .sorted(Comparator.comparingDouble(Scored::usd))
            .limit(parameters.emptyLabels())
            .toList();
    Stream<Scored> others =
        all.stream()
            .filter(scored -> scored.label().held().count() > 0)
            .filter(scored -> empty.stream().noneMatch(none -> dominates(none, scored)))
            .sorted(Comparator.comparingDouble(this::worthUsd))
            .limit(parameters.widthLabels());
    return Stream.concat(empty.stream(), others).map(Scored::label).toList();
  }

  /**
   * Whether a label without instances could request those of another label, wait for them, and
   * still not cost more.
   */
  private boolean dominates(Scored none, Scored other) {
    return none.label().releasedRental() != other.label().held().offerChoice()
        && none.usd() <= worthUsd(other);
  }

  /** The cost of a label, less the cost of requesting its instances and waiting for them. */
  private double worthUsd(Scored scored) {
    HeldInstances heldInstances = scored.label().held();
    OfferChoice offerChoice = model.choiceSet().offerChoices().get(heldInstances.offerChoice());
    return scored.usd()
        - heldInstances.count() * offerChoice.newInstanceUsd()
        - price * offerChoice.readyAfterS();
  }

  private void finish(SearchLabel searchLabel, TrialShape trialShape, int count) {
    HeldInstances end = run.release(count);
    double usd = end.costUsd() + end.timeS() * model.clockUsdPerS();
    double completionS = model.safeS(end.timeS(), end.varianceS2());
    double leastUsd = best.map(this::valueUsd).orElse(Double.POSITIVE_INFINITY);
    if (usd + price * end.timeS() < leastUsd || candidatePool.accepts(completionS, usd)) {
      ChainCandidate chainCandidate = searchLabel.candidate(model, trialShape, count, end);
      candidatePool.add(chainCandidate);
      best =
          best.filter(known -> valueUsd(known) <= valueUsd(chainCandidate))
              .or(() -> Optional.of(chainCandidate));
    }
  }

  private double valueUsd(ChainCandidate chainCandidate) {
    return chainCandidate.costUsd() + price * chainCandidate.meanS();
  }
}
