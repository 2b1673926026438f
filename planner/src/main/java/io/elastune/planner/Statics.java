package io.elastune.planner;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The plans of one chain that hold one number of instances from start to end: as static clusters
 * (nothing is released before the end), and as starts for the search (instances are released as
 * soon as they have no more work).
 */
final class Statics {
  private final List<Pair> pairs = new ArrayList<>();

  /** The same allocations, held to the end and released early. */
  record Pair(Draft held, Draft elastic) {
    Rental rental() {
      return elastic.sizes().get(0).rental();
    }

    int instances() {
      return elastic.instances().get(0);
    }
  }

  Statics(ChainModel model, Scorer scorer, Neighbours neighbours) {
    for (Rental rental : model.menu().rentals()) {
      int least = model.sizesOf(rental.index()).stream().mapToInt(Size::team).min().orElse(1);
      for (int instances : counts(model, rental, neighbours)) {
        if (instances >= least) {
          for (Draft held : clusters(model, scorer, rental, instances)) {
            Draft elastic = scorer.score(held.sizeArray(), held.instanceArray());
            pairs.add(new Pair(held, elastic));
          }
        }
      }
    }
  }

  /** Where held instances are billed, the fastest sizes are also the cheapest. */
  private static List<Draft> clusters(
      ChainModel model, Scorer scorer, Rental rental, int instances) {
    return rental.billedByUse()
        ? new UsedClusters(model, rental, instances).all()
        : List.of(scorer.scoreStatic(rental, instances));
  }

  private static int[] counts(ChainModel model, Rental rental, Neighbours neighbours) {
    int dense = model.parameters().offerMixing().denseClusterInstances();
    IntStream counts = IntStream.rangeClosed(1, Math.min(dense, rental.most()));
    if (rental.most() > dense) {
      counts = IntStream.concat(counts, IntStream.of(rental.most()));
      for (Size size : model.sizesOf(rental.index())) {
        for (int group = 0; group < model.groups(); group++) {
          counts = IntStream.concat(counts, IntStream.of(neighbours.counts(group, size)));
        }
      }
    }
    return counts.sorted().distinct().toArray();
  }

  List<Pair> pairs() {
    return pairs;
  }
}
