package io.elastune.planner.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.allocation.OtherProgramsExample;
import io.elastune.core.plan.Problem;
import io.elastune.core.profile.MachineLoad;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Plays the worked example "Other programs" of docs/model.md with mean values. */
class MeanGroupRunTest {
  @Test
  void fewerTrialsAtOnceAreFasterBesideOtherPrograms() {
    MeanValueModel model = model(Optional.of(OtherProgramsExample.LOAD));

    assertThat(endS(model, 2)).isCloseTo(75, within(1e-9));
    assertThat(endS(model, 1)).isCloseTo(105, within(1e-9));
    assertThat(model.leastUsd(0, shape(model))).isCloseTo(105 * 1e-3, within(1e-9));
  }

  @Test
  void withoutLoadAllAreAsFastAsProfiled() {
    MeanValueModel model = model(Optional.empty());

    assertThat(endS(model, 2)).isEqualTo(80);
    assertThat(endS(model, 1)).isEqualTo(120);
    assertThat(model.leastUsd(0, shape(model))).isCloseTo(120 * 1e-3, within(1e-9));
  }

  private static double endS(MeanValueModel model, int instances) {
    MeanGroupRun run = new MeanGroupRun(model);
    run.run(HeldInstances.NOTHING, 0, shape(model), instances);
    return run.endS();
  }

  private static TrialShape shape(MeanValueModel model) {
    return model.choiceSet().trialShapes().get(0);
  }

  private static MeanValueModel model(Optional<MachineLoad> load) {
    Problem problem = OtherProgramsExample.problem(load);
    return new MeanValueModel(
        problem.workload().chains().get(0),
        ChoiceSet.of(problem),
        MeanValueModel.SpreadMode.NONE,
        0.95,
        0,
        InitialHoldings.NOTHING,
        SearchParameters.DEFAULT);
  }
}
