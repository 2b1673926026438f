package io.elastune.cli.text;

import io.elastune.core.allocation.SlotCounts;
import io.elastune.core.job.SamplerOptions;
import io.elastune.core.job.Search;
import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import java.util.List;
import java.util.Optional;

/** Says that a sampler proposes nothing from results, because none exists when it is asked. */
final class SamplerNote {
  private SamplerNote() {}

  /** Returns one line; empty if some proposals follow from results. */
  static Optional<String> of(Search search, Problem problem, Plan plan) {
    Optional<SamplerOptions> sampler =
        search
            .sampler()
            .filter(it -> search.usesSampler() && it.sampler() != SamplerOptions.Sampler.QMC);
    if (sampler.isEmpty()) {
      return Optional.empty();
    }
    List<TrialGroup> fresh =
        problem.workload().groups().stream().filter(group -> group.fromUnit() == 0).toList();
    int trials = problem.workload().trials();
    int startup = sampler.get().startup();
    if (trials <= startup) {
      return Optional.of(
          "sampler: all %d configurations are random, because it learns from results after %d trials (search.sampler.startup)"
              .formatted(trials, startup));
    }
    boolean atOnce =
        problem.workload().rungs().isEmpty()
            && fresh.size() == 1
            && slots(problem, plan.of(fresh.get(0))) >= fresh.get(0).trials();
    return atOnce
        ? Optional.of(
            "sampler: all %d trials start at the same time, so it has no results to learn from; resources.max_instances limits how many do"
                .formatted(trials))
        : Optional.empty();
  }

  private static int slots(Problem problem, Allocation allocation) {
    return problem
        .offer(allocation.offer())
        .map(offer -> SlotCounts.concurrentTrials(offer, allocation))
        .orElse(0);
  }
}
