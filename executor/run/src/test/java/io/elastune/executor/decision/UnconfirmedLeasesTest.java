package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.job.Budget;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.StepResult;
import io.elastune.provisioner.CloudEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/**
 * A budget that only leases of unknown state would exceed: the cloud is queried before the run is
 * stopped. Rehearsal seeds that showed the cause are in the comments.
 */
class UnconfirmedLeasesTest {
  private static final Instant START = VirtualEnvironment.START;
  private static final Instant LATER = START.plusSeconds(3600);

  private RunCore core = core(1.5);
  private final List<Command> commands = new ArrayList<>();
  private RunState state = RunState.initial(definition(1.5));

  private static RunDefinition definition(double budgetUsd) {
    return WorkedExampleRun.definition(
        WorkedExampleRun.plan(new int[][] {{4, 1}, {2, 1}, {2, 2}, {2, 4}}),
        Optional.of(new Budget(budgetUsd, 0.8, Budget.OnReach.STOP)),
        OptionalDouble.empty());
  }

  private static RunCore core(double budgetUsd) {
    return new RunCore(definition(budgetUsd));
  }

  private void step(RunEvent event) {
    StepResult result = core.step(state, event);
    state = result.state();
    commands.clear();
    commands.addAll(result.commands());
  }

  private void resumeAfterRequests() {
    step(new RunEvent.Began(START));
    assertThat(requests()).hasSize(4);
    step(new RunEvent.Resumed(4, LATER));
    assertThat(state.phase()).isEqualTo(RunState.Phase.RUNNING);
    assertThat(requests()).isEmpty();
    leases().forEach(lease -> assertThat(commands).contains(adopt(lease)));
  }

  private List<Command> requests() {
    return commands.stream().filter(Command.RequestInstance.class::isInstance).toList();
  }

  private List<String> leases() {
    return state.leases().values().stream().map(LeaseState::lease).toList();
  }

  /** Seed 3155 of a job with instances at 24.48 USD per hour: nothing had been launched. */
  @Test
  void requestsAgainWhatWasNeverLaunched() {
    resumeAfterRequests();
    int requested = 0;
    for (String lease : leases()) {
      step(new RunEvent.FromCloud(new CloudEvent.Terminated(lease, LATER)));
      requested += requests().size();
    }
    assertThat(state.phase()).isEqualTo(RunState.Phase.RUNNING);
    assertThat(requested).isEqualTo(4);
  }

  @Test
  void stopsOnceRunningLeasesAreConfirmed() {
    resumeAfterRequests();
    step(
        new RunEvent.FromCloud(
            new CloudEvent.Running(leases().get(0), "i-1", START.plusSeconds(5))));
    assertThat(state.ending().outcome()).isEqualTo(RunOutcome.BUDGET_REACHED);
    assertThat(state.phase()).isNotEqualTo(RunState.Phase.RUNNING);
  }

  @Test
  void queriesAgainWithoutAnswer() {
    resumeAfterRequests();
    step(new RunEvent.Ticked(LATER.plusSeconds(31)));
    assertThat(state.phase()).isEqualTo(RunState.Phase.RUNNING);
    assertThat(requests()).isEmpty();
    leases().forEach(lease -> assertThat(commands).contains(adopt(lease)));
  }

  /**
   * Seed 25104 of another job: the reports of the loss and the end of an instance were lost. It
   * takes 75 s on average to start.
   */
  @Test
  void queriesInstanceThatBootsLongerThanExpected() {
    core = core(100);
    step(new RunEvent.Began(START));
    String lease = leases().get(0);
    step(new RunEvent.FromCloud(new CloudEvent.Running(lease, "i-1", START.plusSeconds(1))));
    step(new RunEvent.Ticked(START.plusSeconds(149)));
    assertThat(commands).doesNotContain(adopt(lease));
    step(new RunEvent.Ticked(START.plusSeconds(151)));
    assertThat(commands).contains(adopt(lease));
  }

  private Command adopt(String lease) {
    return new Command.AdoptInstance(lease, WorkedExampleRun.OFFER.name());
  }
}
