package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.Allocation;
import io.elastune.core.properties.Tier;
import io.elastune.executor.decision.RunCore;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.GpuSlot;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.StepResult;
import io.elastune.executor.simulation.FaultRates;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests the placement of trials in all states of random jobs, with and without faults. */
class TrialPlacementTest {
  private static final int JOBS = Tier.runs(25, 60);
  private static final int MIN_STATES = 80 * JOBS;

  private int states;

  @Test
  void placementRespectsGpusAndInstances() {
    for (int seed = 1; seed <= JOBS; seed++) {
      FaultRates faultRates = seed % 2 == 0 ? FaultRates.HEAVY : FaultRates.NONE;
      RehearsedJob job = RandomRehearsals.of(seed).rehearsed(OptionalDouble.empty(), faultRates);
      String name = "job " + seed;
      new Rehearsal(job, definition -> checked(definition, name)).run(seed);
    }
    assertThat(states).isGreaterThan(MIN_STATES);
  }

  private DecisionFunction checked(RunDefinition definition, String name) {
    RunCore core = new RunCore(definition);
    return (state, event) -> {
      StepResult stepResult = core.step(state, event);
      check(definition, stepResult.state(), name);
      return stepResult;
    };
  }

  private void check(RunDefinition definition, RunState state, String name) {
    states += state.attempts().isEmpty() ? 0 : 1;
    Map<GpuSlot, Integer> trials = new HashMap<>();
    for (AttemptState attempt : state.attempts().values()) {
      Allocation allocation = definition.plan().allocations().get(attempt.group());
      int gpus = definition.offer(allocation.offer()).gpus();
      checkShape(attempt.places(), allocation.gpusPerTrial(), gpus, name + ": " + attempt);
      for (GpuSlot gpuSlot : attempt.places()) {
        assertThat(trials.merge(gpuSlot, 1, Integer::sum))
            .as("%s: trials on %s", name, gpuSlot)
            .isLessThanOrEqualTo(allocation.trialsPerGpu());
      }
    }
  }

  /**
   * Checks that a trial that fits uses adjacent GPUs of one instance, and a larger one all GPUs of
   * its instances.
   */
  private static void checkShape(List<GpuSlot> gpuSlots, int size, int gpus, String name) {
    Set<String> leases = gpuSlots.stream().map(GpuSlot::lease).collect(Collectors.toSet());
    assertThat(new HashSet<>(gpuSlots)).as(name).hasSize(size);
    assertThat(leases).as(name).hasSize(Math.max(1, size / gpus));
    for (String lease : leases) {
      TreeSet<Integer> taken =
          gpuSlots.stream()
              .filter(gpuSlot -> gpuSlot.lease().equals(lease))
              .map(GpuSlot::gpu)
              .collect(Collectors.toCollection(TreeSet::new));
      int first = taken.first();
      assertThat(taken)
          .as(name)
          .containsExactlyElementsOf(
              IntStream.range(first, first + Math.min(size, gpus)).boxed().toList());
      assertThat(taken.last()).as(name).isLessThan(gpus);
    }
  }
}
