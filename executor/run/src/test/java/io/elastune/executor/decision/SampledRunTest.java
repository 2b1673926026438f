package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.Workload;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.Command.ConfigureTrials;
import io.elastune.executor.decision.model.Command.StartAttempt;
import io.elastune.executor.decision.model.JournalNote;
import io.elastune.executor.decision.model.Reason;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.SamplerRule;
import io.elastune.executor.decision.model.TrialProposal;
import io.elastune.executor.decision.model.TrialState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests runs whose configurations a sampler proposes. */
class SampledRunTest {
  private static final Workload RUNGS =
      Workload.of(
          new RungRule(
              List.of(1, 2),
              8,
              2,
              RungRule.Variant.PROMOTION,
              true,
              OptionalInt.empty(),
              OptionalInt.empty(),
              false));

  /** All proposals were random, because none had a result to follow from. */
  @Test
  void groupRequestsConfigurationsAsItsTrialsCanStart() {
    RunDefinition three =
        WorkedExampleRun.definition(
                WorkedExampleRun.plan(new int[][] {{3, 4}, {1, 4}, {1, 4}, {1, 4}}))
            .withSampler(Optional.of(new SamplerRule(2, false, true)));
    VirtualEnvironment world = run(three, false);

    assertThat(requests(world).get(0)).isEqualTo(new ConfigureTrials(1, List.of(3)));
    assertThat(requests(world).stream().flatMap(request -> request.trials().stream()))
        .containsExactlyElementsOf(IntStream.rangeClosed(3, 16).boxed().toList());
    RunCore core = new RunCore(three);
    RunState state = RunState.initial(three);
    for (RunEvent event : world.told) {
      var step = core.step(state, event);
      state = step.state();
      for (Command command : step.commands()) {
        if (command instanceof ConfigureTrials request) {
          long open =
              state.trials().values().stream()
                  .filter(trial -> trial.trial() < request.trials().get(0))
                  .filter(trial -> trial.metric().isEmpty())
                  .count();
          assertThat(open + request.trials().size()).isLessThanOrEqualTo(3);
        }
      }
    }
    assertThat(world.state.ending().outcome()).isEqualTo(RunOutcome.COMPLETED);
    assertThat(state).as("a replay without a sampler").isEqualTo(world.state);
  }

  /** As in runs of earlier versions, and under policies that divide instances among all trials. */
  @Test
  void groupRequestsAllItsConfigurationsAtOnce() {
    VirtualEnvironment world =
        run(WorkedExampleRun.WORKLOAD, new SamplerRule(3, false, false), false);

    assertThat(requests(world))
        .containsExactly(new ConfigureTrials(1, IntStream.rangeClosed(4, 16).boxed().toList()));
    assertThat(world.state.trials().get(3).proposal()).isEmpty();
    assertThat(world.state.trials().get(4).proposal())
        .contains(new TrialProposal(1, TrialProposal.Status.PROPOSED, "{\"lr\":4}"));
    assertThat(world.state.ending().outcome()).isEqualTo(RunOutcome.COMPLETED);
  }

  @Test
  void asynchronousSearchRequestsEachConfigurationWhenItsTaskFits() {
    VirtualEnvironment world = run(RUNGS, new SamplerRule(0, false, true), false);

    assertThat(requests(world)).hasSize(8).allMatch(request -> request.trials().size() == 1);
    assertThat(world.state.ending().outcome()).isEqualTo(RunOutcome.COMPLETED);
    assertThat(world.state.trials().values()).allMatch(TrialState::isConfigured);
  }

  /** The search closes when the last trial is issued, before the sampler has answered. */
  @Test
  void lastNewTrialStartsWithTheGpusOfTheOpenPhase() {
    VirtualEnvironment world = run(RUNGS, new SamplerRule(0, false, true), false);

    assertThat(world.commands)
        .filteredOn(StartAttempt.class::isInstance)
        .map(StartAttempt.class::cast)
        .filteredOn(start -> start.to() == 1)
        .hasSize(8)
        .allMatch(start -> start.group().equals(Workload.OPEN));
  }

  /** Trials that wait for the sampler need two of three instances, the phase closing needs one. */
  @Test
  void instancesWithoutWaitingTrialsAreReleasedWhileTheSamplerIsAsked() {
    RunDefinition definition = closing(new int[] {3, 1}, new int[] {1, 4});
    VirtualEnvironment world = run(definition, false);
    RunCore core = new RunCore(definition);
    RunState state = RunState.initial(definition);
    List<String> early = new ArrayList<>();
    for (RunEvent event : world.told) {
      var step = core.step(state, event);
      state = step.state();
      if (!state.trials().values().stream().allMatch(TrialState::isConfigured)) {
        early.addAll(released(step.commands()));
      }
    }
    assertThat(early).containsExactly("test-1-3");
    assertThat(world.state.ending().outcome()).isEqualTo(RunOutcome.COMPLETED);
  }

  /** Otherwise a run with a sampler would not take the time of the prediction. */
  @Test
  void samplerThatAnswersAtOnceChangesNoStartAndNoRelease() {
    for (int[] open : sizes(4)) {
      for (int[] closing : sizes(open[0])) {
        RunDefinition definition = closing(open, closing);
        List<String> proposed = startsAndReleases(environment(definition, false, 0).run());
        VirtualEnvironment random =
            environment(definition.withSampler(Optional.empty()), false, 0).run();

        assertThat(proposed)
            .as(Arrays.toString(open) + Arrays.toString(closing))
            .containsExactlyInAnyOrderElementsOf(startsAndReleases(random));
      }
    }
  }

  /** The instances and GPUs per trial of plans. */
  private static List<int[]> sizes(int most) {
    return IntStream.rangeClosed(1, most)
        .boxed()
        .flatMap(instances -> Stream.of(1, 2, 4).map(gpus -> new int[] {instances, gpus}))
        .toList();
  }

  private static RunDefinition closing(int[] open, int[] closing) {
    String offer = WorkedExampleRun.OFFER.name();
    Plan plan =
        new Plan(
            false,
            Map.of(
                Workload.OPEN, new Allocation(offer, open[0], open[1], 1),
                Workload.CLOSING, new Allocation(offer, closing[0], closing[1], 1)));
    return WorkedExampleRun.forecasting(RUNGS, plan, Map.of())
        .withSampler(Optional.of(new SamplerRule(0, false, true)));
  }

  /** Without the instances: tasks that end at the same time do so in the order of their start. */
  private static List<String> startsAndReleases(VirtualEnvironment world) {
    RunCore core = new RunCore(world.definition);
    RunState state = RunState.initial(world.definition);
    List<String> found = new ArrayList<>();
    for (RunEvent event : world.told) {
      var step = core.step(state, event);
      state = step.state();
      for (Command command : step.commands()) {
        if (command instanceof StartAttempt start) {
          found.add(event.at() + " " + start.attempt());
        }
      }
      released(step.commands()).forEach(lease -> found.add(event.at() + " release"));
    }
    return found;
  }

  private static List<String> released(List<Command> commands) {
    return commands.stream()
        .filter(Command.ReleaseInstance.class::isInstance)
        .map(command -> ((Command.ReleaseInstance) command).lease())
        .toList();
  }

  @Test
  void noTrialStartsBeforeItsConfiguration() {
    for (Workload workload : List.of(WorkedExampleRun.WORKLOAD, RUNGS)) {
      VirtualEnvironment world = run(workload, new SamplerRule(0, false, true), false);
      RunCore core = new RunCore(definition(workload, new SamplerRule(0, false, true)));
      RunState state = RunState.initial(definition(workload, new SamplerRule(0, false, true)));
      for (RunEvent event : world.told) {
        var step = core.step(state, event);
        state = step.state();
        for (Command command : step.commands()) {
          if (command instanceof StartAttempt start) {
            assertThat(state.trials().get(start.trial()).isConfigured()).isTrue();
          }
        }
      }
      assertThat(state).as("a replay without a sampler").isEqualTo(world.state);
    }
  }

  @Test
  void failedRequestsGiveRandomConfigurationsUntilTheSamplerIsAbandoned() {
    VirtualEnvironment world = run(RUNGS, new SamplerRule(0, false, true), true);

    assertThat(requests(world)).hasSizeBetween(3, 7);
    assertThat(world.state.trials()).hasSize(8);
    assertThat(world.state.ending().outcome()).isEqualTo(RunOutcome.COMPLETED);
    assertThat(reasons(world)).contains(ReasonCode.SAMPLER_FAILED, ReasonCode.SAMPLER_ABANDONED);
  }

  @Test
  void runStopsOnAnErrorIfTheJobSaysSo() {
    VirtualEnvironment world = run(RUNGS, new SamplerRule(0, true, true), true);

    assertThat(world.state.ending().outcome()).isEqualTo(RunOutcome.TRIALS_FAILED);
    assertThat(reasons(world)).contains(ReasonCode.STOPPED_WITHOUT_PROPOSAL);
  }

  @Test
  void answersThatAreRepeatedOrLateChangeNothing() {
    RunDefinition definition = definition(RUNGS, new SamplerRule(0, false, true));
    VirtualEnvironment world = run(RUNGS, new SamplerRule(0, false, true), false);
    RunCore core = new RunCore(definition);
    RunState state = RunState.initial(definition);
    for (RunEvent event : world.told) {
      state = core.step(state, event).state();
      if (event instanceof RunEvent.Configured answer) {
        RunState again = core.step(state, answer).state();
        assertThat(again.trials()).isEqualTo(state.trials());
        assertThat(core.step(state, answer).commands()).isEmpty();
      }
    }
  }

  @Test
  void resumedRunRepeatsOpenRequests() {
    RunDefinition definition =
        definition(WorkedExampleRun.WORKLOAD, new SamplerRule(0, false, false));
    RunCore core = new RunCore(definition);
    RunState begun =
        core.step(RunState.initial(definition), new RunEvent.Began(VirtualEnvironment.START))
            .state();
    var resumed =
        core.step(begun, new RunEvent.Resumed(1, VirtualEnvironment.START.plusSeconds(9)));

    List<Integer> all = IntStream.rangeClosed(1, 16).boxed().toList();
    assertThat(resumed.commands()).contains(new ConfigureTrials(2, all));
    RunEvent old =
        new RunEvent.Configured(1, all.stream().map(t -> "{}").toList(), "", begun.now());
    assertThat(core.step(resumed.state(), old).state().trials().get(1).isConfigured()).isFalse();
  }

  /** Trials that were not asked for yet are no open request. */
  @Test
  void resumedRunRepeatsOnlyWhatItHasAsked() {
    RunDefinition definition =
        WorkedExampleRun.definition(
                WorkedExampleRun.plan(new int[][] {{2, 4}, {1, 4}, {1, 4}, {1, 4}}))
            .withSampler(Optional.of(new SamplerRule(0, false, true)));
    RunCore core = new RunCore(definition);
    RunState begun =
        core.step(RunState.initial(definition), new RunEvent.Began(VirtualEnvironment.START))
            .state();
    var resumed =
        core.step(begun, new RunEvent.Resumed(1, VirtualEnvironment.START.plusSeconds(9)));

    assertThat(resumed.commands())
        .filteredOn(ConfigureTrials.class::isInstance)
        .containsExactly(new ConfigureTrials(2, List.of(1, 2)));
  }

  @Test
  void abandonedSamplerLeavesRandomConfigurationsToAGroup() {
    VirtualEnvironment world =
        run(
            WorkedExampleRun.definition(
                    WorkedExampleRun.plan(new int[][] {{1, 4}, {1, 4}, {1, 4}, {1, 4}}))
                .withSampler(Optional.of(new SamplerRule(0, false, true))),
            true);

    assertThat(requests(world)).hasSize(3);
    assertThat(world.state.trials()).hasSize(16);
    assertThat(world.state.ending().outcome()).isEqualTo(RunOutcome.COMPLETED);
  }

  private static VirtualEnvironment run(Workload workload, SamplerRule rule, boolean fails) {
    return run(definition(workload, rule), fails);
  }

  private static VirtualEnvironment run(RunDefinition definition, boolean fails) {
    return environment(definition, fails, 2).run();
  }

  /** The sampler answers after {@code answerS} seconds. */
  private static VirtualEnvironment environment(
      RunDefinition definition, boolean fails, double answerS) {
    VirtualEnvironment world =
        new VirtualEnvironment(
            definition,
            (attempt, script) -> {
              double atS = 15;
              for (int unit = attempt.from() + 1; unit <= attempt.to(); unit++) {
                atS += 30;
                script.report(atS, unit, Map.of("acc", unit - 0.01 * attempt.trial()));
              }
              script.end(atS, 0, attempt.to(), false);
            });
    world.sampler =
        command ->
            world.propose(
                command,
                fails
                    ? List.of()
                    : command.trials().stream().map(t -> "{\"lr\":" + t + "}").toList(),
                fails ? "its process has ended" : "",
                answerS);
    return world;
  }

  private static RunDefinition definition(Workload workload, SamplerRule rule) {
    return WorkedExampleRun.definition(workload).withSampler(Optional.of(rule));
  }

  private static List<ConfigureTrials> requests(VirtualEnvironment world) {
    return world.commands.stream()
        .filter(ConfigureTrials.class::isInstance)
        .map(ConfigureTrials.class::cast)
        .toList();
  }

  private static List<Reason> reasons(VirtualEnvironment world) {
    return world.notes.stream()
        .filter(JournalNote.Decision.class::isInstance)
        .map(note -> ((JournalNote.Decision) note).reason().code())
        .toList();
  }
}
