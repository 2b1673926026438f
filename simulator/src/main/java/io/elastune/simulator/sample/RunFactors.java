package io.elastune.simulator.sample;

import io.elastune.core.Spread;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.profile.Profile;
import io.elastune.core.random.RandomStreams;
import io.elastune.simulator.draw.DrawDistribution;
import io.elastune.simulator.draw.DrawDistributions;

/**
 * The factor by which a whole run is slower than its profile, by sample: log-normal with mean 1 and
 * {@code run_cv}. It is the same in all plans.
 */
public final class RunFactors {
  private final DrawDistribution law;
  private final RandomStreams streams;

  private RunFactors(double cv, RandomStreams streams) {
    this.law = DrawDistributions.of(new Spread(1, cv));
    this.streams = streams;
  }

  /** Returns the factors of a plan; constant for a search that ends at a time. */
  public static RunFactors of(Problem problem, Plan plan) {
    boolean ends = problem.workload().endsAtTime() || problem.endsAtS().isPresent();
    double cv =
        plan.allocations().values().stream()
            .map(Allocation::offer)
            .flatMap(name -> problem.offer(name).stream())
            .flatMap((Offer offer) -> problem.profile(offer).stream())
            .mapToDouble(Profile::runCv)
            .max()
            .orElse(0);
    return new RunFactors(ends ? 0 : cv, RandomStreams.of(problem.seed()).at("run"));
  }

  /** Returns factors of 1. */
  static RunFactors none() {
    return new RunFactors(0, RandomStreams.of(0));
  }

  boolean vary() {
    return law.varies();
  }

  public double of(int sample) {
    if (!law.varies()) {
      return 1;
    }
    double[] drawn = new double[1];
    law.open(streams.at(sample)).fill(drawn, 0, 1);
    return drawn[0];
  }
}
