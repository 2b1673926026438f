package io.elastune.planner;

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
 * instances of a rental held at a barrier only the label is kept that has cost least, time
 * included. It tries only the numbers of instances that {@link Neighbours} tries. It proves
 * nothing, but is fast, and finds where to change from one rental to another.
 */
final class Sweep {
  private final ChainModel model;
  private final SearchParameters.Beam parameters;
  private final Pool pool;
  private final BooleanSupplier timeLimitReached;
  private final GroupRun run;
  private final List<List<List<Size>>> sizes = new ArrayList<>();
  private final int[][][] counts;
  private final int[][][] keeps;
  private double price;
  private int cap;
  // By node (the instances held at the barrier): the cheapest label and its cost so far.
  private final @Nullable Label[] labels;
  private final double[] labelsUsd;
  // Nodes of one rental: two for each number of instances.
  private final int nodes;
  private Optional<Draft> best = Optional.empty();

  /** A label and its cost so far, time included. */
  private record Scored(Label label, double usd) {}

  Sweep(ChainModel model, Neighbours neighbours, Pool pool, BooleanSupplier timeLimitReached) {
    this.model = model;
    this.parameters = model.parameters().beam();
    this.timeLimitReached = timeLimitReached;
    this.pool = pool;
    this.run = new GroupRun(model);
    this.nodes = 2 * (1 + model.menu().rentals().stream().mapToInt(Rental::most).max().orElse(0));
    this.labels = new Label[nodes * model.menu().rentals().size()];
    this.labelsUsd = new double[labels.length];
    this.keeps = new int[model.groups()][model.menu().rentals().size()][];
    this.counts = new int[model.groups()][model.menu().sizes().size()][];
    for (int group = 0; group < model.groups(); group++) {
      for (Size size : neighbours.sizes(group)) {
        counts[group][size.index()] = apart(neighbours.counts(group, size));
      }
      List<List<Size>> byRental = new ArrayList<>();
      for (Rental rental : model.menu().rentals()) {
        List<Size> own =
            neighbours.sizes(group).stream().filter(size -> size.rental().equals(rental)).toList();
        byRental.add(own);
        keeps[group][rental.index()] = keeps(group, own);
      }
      sizes.add(byRental);
    }
  }

  /** Numbers of instances that may be worth keeping for a group. */
  private int[] keeps(int group, List<Size> own) {
    Set<Integer> all = new TreeSet<>();
    for (Size size : own) {
      for (int count : counts[group][size.index()]) {
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
   * @param rentals that are tried
   * @param mostInstances that are held at once
   * @return empty if every plan needs more instances, or the time limit was reached before one was
   *     found
   */
  Optional<Draft> at(double usdPerS, List<Rental> rentals, int mostInstances) {
    price = usdPerS;
    cap = mostInstances;
    best = Optional.empty();
    List<Label> some = startLabels();
    for (int group = 0; group < model.groups(); group++) {
      Arrays.fill(labelsUsd, Double.POSITIVE_INFINITY);
      for (Label label : some) {
        if (timeLimitReached.getAsBoolean()) {
          return best;
        }
        for (Rental rental : rentals) {
          if (label.mayUse(rental)) {
            advance(label, group, rental);
          }
        }
      }
      some = pruned();
    }
    return best;
  }

  private List<Label> startLabels() {
    List<Label> labels = new ArrayList<>();
    Held all = model.start().all();
    labels.add(Label.beginning(model.start().none(), all.rental(), false));
    for (Rental rental : model.menu().rentals()) {
      if (rental.index() == all.rental()) {
        labels.add(Label.beginning(all, -1, false));
        for (int kept : keeps[0][rental.index()]) {
          if (kept < all.count()) {
            labels.add(Label.beginning(model.start().forGroup(rental, kept), -1, true));
          }
        }
      }
    }
    return labels;
  }

  private void advance(Label label, int group, Rental rental) {
    for (Size size : sizes.get(group).get(rental.index())) {
      int held = label.held().count();
      if (held >= size.team()) {
        advance(label, group, size, held);
      }
      if (!label.shrunk()) {
        for (int count : counts[group][size.index()]) {
          if (count > held && count <= cap) {
            advance(label, group, size, count);
          }
        }
      }
    }
  }

  private void advance(Label label, int group, Size size, int count) {
    run.run(label.held(), group, size, count);
    if (group == model.groups() - 1) {
      finish(label, size, count);
      return;
    }
    int rental = size.rental().index();
    if (model.menu().rentals().size() > 1) {
      offer(label, size, count, 0, nodes * rental);
    }
    offer(label, size, count, count, nodes * rental + 2 * count);
    for (int kept : keeps[group + 1][rental]) {
      if (kept >= count) {
        break;
      }
      offer(label, size, count, kept, nodes * rental + 2 * kept + 1);
    }
  }

  private void offer(Label label, Size size, int count, int kept, int node) {
    double usd = run.spentUsd(count - kept) + (price + model.clockUsdPerS()) * run.endS();
    if (usd < labelsUsd[node]) {
      int let = kept == 0 ? size.rental().index() : -1;
      boolean shrunk = kept > 0 && kept < count;
      Held held = run.release(count - kept);
      labels[node] = label.next(held, let, shrunk, size, count);
      labelsUsd[node] = usd;
    }
  }

  /** Returns the labels that may lead to the best plan. */
  private List<Label> pruned() {
    List<Scored> all = new ArrayList<>();
    for (int node = 0; node < labels.length; node++) {
      Label label = labels[node];
      if (label != null && labelsUsd[node] < Double.POSITIVE_INFINITY) {
        all.add(new Scored(label, labelsUsd[node]));
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
    return none.label().let() != other.label().held().rental() && none.usd() <= worthUsd(other);
  }

  /** The cost of a label, less the cost of requesting its instances and waiting for them. */
  private double worthUsd(Scored scored) {
    Held held = scored.label().held();
    Rental rental = model.menu().rentals().get(held.rental());
    return scored.usd() - held.count() * rental.freshUsd() - price * rental.readyAfterS();
  }

  private void finish(Label label, Size size, int count) {
    Held end = run.release(count);
    double usd = end.costUsd() + end.timeS() * model.clockUsdPerS();
    double completionS = model.safeS(end.timeS(), end.varianceS2());
    double leastUsd = best.map(this::valueUsd).orElse(Double.POSITIVE_INFINITY);
    if (usd + price * end.timeS() < leastUsd || pool.wants(completionS, usd)) {
      Draft draft = label.draft(model, size, count, end);
      pool.add(draft);
      best = best.filter(known -> valueUsd(known) <= valueUsd(draft)).or(() -> Optional.of(draft));
    }
  }

  private double valueUsd(Draft draft) {
    return draft.costUsd() + price * draft.meanS();
  }
}
