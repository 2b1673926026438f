package io.elastune.planner.search;

import io.elastune.planner.model.CandidateScorer;
import io.elastune.planner.model.ChainCandidate;
import io.elastune.planner.model.MeanValueModel;
import io.elastune.planner.model.OfferChoice;
import io.elastune.planner.model.TrialShape;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The plans of one chain that hold one number of instances from start to end: as static clusters
 * (nothing is released before the end), and as starts for the search (instances are released as
 * soon as they have no more work).
 */
final class StaticPlans {
  private final List<StaticAndElastic> staticAndElastics = new ArrayList<>();

  /** The same allocations, held to the end and released early. */
  record StaticAndElastic(ChainCandidate held, ChainCandidate elastic) {
    OfferChoice offerChoice() {
      return elastic.sizes().get(0).offerChoice();
    }

    int instances() {
      return elastic.instances().get(0);
    }
  }

  StaticPlans(MeanValueModel model, CandidateScorer candidateScorer, Neighbors neighbors) {
    for (OfferChoice offerChoice : model.choiceSet().offerChoices()) {
      int least =
          model.sizesOf(offerChoice.index()).stream().mapToInt(TrialShape::team).min().orElse(1);
      for (int instances : counts(model, offerChoice, neighbors)) {
        if (instances >= least) {
          for (ChainCandidate held : clusters(model, candidateScorer, offerChoice, instances)) {
            ChainCandidate elastic = candidateScorer.score(held.sizeArray(), held.instanceArray());
            staticAndElastics.add(new StaticAndElastic(held, elastic));
          }
        }
      }
    }
  }

  /** Where held instances are billed, the fastest sizes are also the cheapest. */
  private static List<ChainCandidate> clusters(
      MeanValueModel model,
      CandidateScorer candidateScorer,
      OfferChoice offerChoice,
      int instances) {
    return offerChoice.billedByUse()
        ? new UseBilledStaticPlans(model, offerChoice, instances).all()
        : List.of(candidateScorer.scoreStatic(offerChoice, instances));
  }

  private static int[] counts(MeanValueModel model, OfferChoice offerChoice, Neighbors neighbors) {
    int dense = model.parameters().offerMixing().denseClusterInstances();
    IntStream counts = IntStream.rangeClosed(1, Math.min(dense, offerChoice.maxInstances()));
    if (offerChoice.maxInstances() > dense) {
      counts = IntStream.concat(counts, IntStream.of(offerChoice.maxInstances()));
      for (TrialShape trialShape : model.sizesOf(offerChoice.index())) {
        for (int group = 0; group < model.groups(); group++) {
          counts = IntStream.concat(counts, IntStream.of(neighbors.counts(group, trialShape)));
        }
      }
    }
    return counts.sorted().distinct().toArray();
  }

  List<StaticAndElastic> pairs() {
    return staticAndElastics;
  }
}
