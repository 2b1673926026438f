package io.elastune.executor.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.decision.RunCore;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.GpuSlot;
import io.elastune.executor.decision.model.StepResult;
import java.util.HashMap;
import java.util.Map;

/** Checks that no GPU has more trials than fit. */
final class GpuUse {
  private GpuUse() {}

  /** Returns a decision core that fails if a step puts more on a GPU than fits. */
  static DecisionFunction checked(RunCore core) {
    return (state, event) -> {
      StepResult step = core.step(state, event);
      Map<GpuSlot, Double> used = new HashMap<>();
      for (AttemptState attempt : step.state().attempts().values()) {
        double share = 1.0 / attempt.trialsPerGpu();
        attempt.places().forEach(gpu -> used.merge(gpu, share, Double::sum));
      }
      assertThat(used.values()).as("use of GPUs after %s", event).allMatch(sum -> sum < 1.001);
      return step;
    };
  }
}
