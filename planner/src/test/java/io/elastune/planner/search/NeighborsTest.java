package io.elastune.planner.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.Chain;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import io.elastune.planner.ScoredPlans;
import io.elastune.planner.TestJobs;
import io.elastune.planner.model.CandidateScorer;
import io.elastune.planner.model.ChainCandidate;
import io.elastune.planner.model.MeanValueModel;
import io.elastune.planner.model.TrialShape;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Enumerates the neighbors of static plans of chains with few and with very many groups. */
class NeighborsTest {
  private static final int CAP = 8;

  /** Returns the model of a population of 16 trials with a comparison after each unit. */
  private static MeanValueModel population(int groups) {
    List<TrialGroup> chain =
        IntStream.range(0, groups)
            .mapToObj(at -> new TrialGroup(Integer.toString(at + 1), 16, at, at + 1))
            .toList();
    return ScoredPlans.model(
        TestJobs.workedExampleWithSpread(TestJobs.deadline(1e6, CAP))
            .withWorkload(new Workload(List.of(new Chain("", chain)))));
  }

  private static ChainCandidate staticPlan(MeanValueModel model) {
    TrialShape[] sizes = new TrialShape[model.groups()];
    Arrays.fill(sizes, model.choiceSet().trialShapes().get(0));
    int[] instances = new int[model.groups()];
    Arrays.fill(instances, 2);
    return new CandidateScorer(model).score(sizes, instances);
  }

  private static Set<Integer> changed(int groups) {
    MeanValueModel model = population(groups);
    Set<Integer> changed = new TreeSet<>();
    new Neighbors(model)
        .visitNeighbors(
            staticPlan(model),
            offerChoice -> true,
            CAP,
            (sizes, instances, from) -> changed.add(from));
    return changed;
  }

  @Test
  void everyGroupOfAShortChainIsChanged() {
    assertThat(changed(48)).isEqualTo(new TreeSet<>(IntStream.range(0, 48).boxed().toList()));
  }

  @Test
  void consecutiveGroupsOfALongChainAreChangedTogether() {
    assertThat(changed(400)).hasSize(45).contains(0, 9, 396).doesNotContain(1, 399);
    MeanValueModel model = population(400);
    new Neighbors(model)
        .visitOneMoreOrLess(
            staticPlan(model),
            CAP,
            (sizes, instances, from) -> {
              int[] part = Arrays.copyOfRange(instances, from, Math.min(400, from + 9));
              assertThat(part).containsOnly(instances[from]).doesNotContain(2);
              assertThat(Arrays.copyOf(instances, from)).doesNotContain(1, 3);
            });
  }
}
