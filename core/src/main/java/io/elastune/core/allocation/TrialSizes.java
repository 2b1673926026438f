package io.elastune.core.allocation;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Problem;
import java.util.List;
import java.util.stream.IntStream;

/** The numbers of GPUs that plans may give to a trial. */
public final class TrialSizes {
  private TrialSizes() {}

  /**
   * Returns the possible numbers of GPUs per trial on {@code offer}, in ascending order: those that
   * the user allows, that are legal on the offer, that were measured, and that fit into
   * max_instances.
   */
  public static List<Integer> of(Problem problem, Offer offer) {
    return problem
        .profile(offer)
        .map(
            profile -> {
              long most = (long) problem.limits().maxInstances() * offer.gpus();
              int low = Math.max(problem.gpusPerTrial().low(), profile.secondsByGpus().firstKey());
              int high = Math.min(problem.gpusPerTrial().high(), profile.secondsByGpus().lastKey());
              return IntStream.rangeClosed(low, (int) Math.min(high, most))
                  .filter(offer::isLegalSize)
                  .boxed()
                  .toList();
            })
        .orElse(List.of());
  }
}
