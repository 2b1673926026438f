package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Chain;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.RungRule.Variant;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.core.properties.Tier;
import io.elastune.executor.decision.model.SamplerRule;
import io.elastune.executor.rehearsal.RandomRehearsals.PlannedRandomJob;
import io.elastune.executor.simulation.RandomStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/**
 * Compares executed with predicted results of brackets that follow each other, and of searches with
 * a sampler (docs/searches.md). {@code -Delastune.fidelity.sequential=40} compares 40 jobs of each.
 */
class SequentialFidelityTest {
  private static final int JOBS = Tier.runs("elastune.fidelity.sequential", 1, 20);
  private static final IndependentDraws DRAWS = IndependentDraws.of(10_000, 400);

  @Test
  void sequentialBracketsTakeThePredictedTime() {
    compare("with sequential brackets", SequentialFidelityTest::sequential, false);
  }

  /** Proposals arrive at once, or their trials get random configurations. */
  @Test
  void searchesWithASamplerTakeThePredictedTime() {
    compare("with a sampler and sequential brackets", SequentialFidelityTest::sequential, true);
    compare(
        "with a sampler and rungs", seed -> RungFidelityTest.job(seed, Variant.PROMOTION), true);
  }

  private static void compare(String what, LongFunction<PlannedRandomJob> jobs, boolean isSampled) {
    assertThat(DRAWS.off(what, JOBS, jobs, job -> isSampled ? sampled(job) : job)).isEmpty();
  }

  private static RehearsedJob sampled(RehearsedJob job) {
    return new RehearsedJob(
        job.definition().withSampler(Optional.of(new SamplerRule(2, false, true))),
        job.problem(),
        job.keep(),
        job.faults());
  }

  /** The brackets of a random pool one after the other, with instances of their own by group. */
  private static PlannedRandomJob sequential(long seed) {
    RandomStream random = RandomStream.of(seed).substream("sequential");
    Problem base = RandomPools.of(seed).problem();
    Offer offer = base.offers().get(0);
    List<TrialGroup> groups = base.workload().groups();
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    for (TrialGroup group : groups) {
      int size = 1;
      while (size < offer.gpus() && random.happens(0.5)) {
        size *= 2;
      }
      allocations.put(group.name(), new Allocation(offer.name(), 1 + random.intBelow(4), size, 1));
    }
    return new PlannedRandomJob(
        base.withWorkload(new Workload(List.of(new Chain("", groups)))),
        new Plan(false, allocations));
  }
}
