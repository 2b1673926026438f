package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.job.Budget;
import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.StepResult;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.Node;
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
    assertThat(state.phase())
        .as("it may have ended since; the answer follows")
        .isEqualTo(RunState.Phase.RUNNING);
    step(ready(0));
    assertThat(state.ending().outcome()).isEqualTo(RunOutcome.BUDGET_REACHED);
    assertThat(state.phase()).isNotEqualTo(RunState.Phase.RUNNING);
  }

  /** The nodes had shut themselves down long before the next controller. */
  @Test
  void continuesIfLeasesEndedWhileThereWasNoController() {
    core = core(3);
    runAll();
    assertThat(state.phase()).isEqualTo(RunState.Phase.RUNNING);
    step(new RunEvent.Resumed(0, START.plusSeconds(36_000)));
    step(new RunEvent.Ticked(START.plusSeconds(36_001)));
    assertThat(state.phase()).isEqualTo(RunState.Phase.RUNNING);
    for (int lease = 0; lease < 4; lease++) {
      step(ended(lease, 60));
    }
    assertThat(state.phase()).isEqualTo(RunState.Phase.RUNNING);
    assertThat(requests()).hasSize(4);
  }

  /** Seed 833000236 of job h1: it had failed in its boot, and the answer to a query was lost. */
  @Test
  void queriesALateInstanceEveryHalfMinute() {
    core = core(100);
    step(new RunEvent.Began(START));
    step(
        new RunEvent.FromCloud(
            new CloudEvent.Running(leases().get(0), "i-1", START.plusSeconds(5))));
    List<Double> asked = new ArrayList<>();
    for (int next = 0; next < 12 && asked.size() < 4; next++) {
      Instant at = state.now().plusNanos(Math.round(1e9 * nextQueryS()));
      step(new RunEvent.Ticked(at));
      if (commands.contains(adopt(leases().get(0)))) {
        asked.add(Seconds.between(START, at));
      }
    }
    double first = asked.get(0);
    assertThat(first).isGreaterThanOrEqualTo(60);
    assertThat(asked).containsExactly(first, first + 30, first + 60, first + 90);
  }

  private double nextQueryS() {
    LeaseState lease = List.copyOf(state.leases().values()).get(0);
    return RetryTimer.nextS(definition(100), lease, state.now());
  }

  @Test
  void stopsIfTheCloudDoesNotAnswer() {
    core = core(3);
    runAll();
    Instant resumed = START.plusSeconds(36_000);
    step(new RunEvent.Resumed(0, resumed));
    step(new RunEvent.Ticked(resumed.plusSeconds(119)));
    assertThat(state.phase()).isEqualTo(RunState.Phase.RUNNING);
    step(new RunEvent.Ticked(resumed.plusSeconds(121)));
    assertThat(state.ending().outcome()).isEqualTo(RunOutcome.BUDGET_REACHED);
  }

  /**
   * Seed 40011878 of a third job: all instances had shut themselves down at times that the clock of
   * the next controller had not reached. It replaced the first before it knew of the others.
   */
  @Test
  void replacesNothingBeforeTheBillsOfAllLeasesAreKnown() {
    core = core(budgetForTwoMinutes());
    runAll();
    step(new RunEvent.Resumed(0, state.now()));
    step(ended(0, 30));
    assertThat(requests()).isEmpty();
    assertThat(state.phase()).isEqualTo(RunState.Phase.RUNNING);
    step(ready(1));
    step(ready(2));
    assertThat(requests()).isEmpty();
    step(ready(3));
    assertThat(requests()).hasSize(1);
  }

  @Test
  void stopsIfTheBillsOfAllLeasesLeaveTooLittle() {
    core = core(budgetForTwoMinutes());
    runAll();
    step(new RunEvent.Resumed(0, state.now()));
    for (int lease = 0; lease < 4; lease++) {
      step(ended(lease, 125));
      assertThat(requests()).isEmpty();
    }
    assertThat(state.ending().outcome()).isEqualTo(RunOutcome.BUDGET_REACHED);
  }

  /** A budget for two minutes of four instances and the minimum bill of one more. */
  private static double budgetForTwoMinutes() {
    double perMinute = WorkedExampleRun.OFFER.usdPerHour() / 60;
    return 4 * 2 * perMinute + perMinute;
  }

  private void runAll() {
    step(new RunEvent.Began(START));
    for (int lease = 0; lease < 4; lease++) {
      step(
          new RunEvent.FromCloud(new CloudEvent.Running(leases().get(lease), "i-" + lease, START)));
      step(ready(lease));
    }
  }

  private RunEvent ready(int lease) {
    return new RunEvent.FromCloud(
        new CloudEvent.Ready(
            leases().get(lease), new Node("i-" + lease, List.of("0")), START.plusSeconds(1)));
  }

  private RunEvent ended(int lease, long afterS) {
    return new RunEvent.FromCloud(
        new CloudEvent.Terminated(leases().get(lease), START.plusSeconds(afterS)));
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

  /**
   * Seed 60053397 of a fourth job: the report of the end of a preempted instance was lost. Minutes
   * later, what it would have cost stopped the run.
   */
  @Test
  void queriesInstanceThatIsPreempted() {
    core = core(100);
    runAll();
    String lease = leases().get(0);
    step(new RunEvent.Ticked(START.plusSeconds(31)));
    assertThat(commands).doesNotContain(adopt(lease));
    step(new RunEvent.FromCloud(new CloudEvent.Leaving(lease, "notice", START.plusSeconds(40))));
    assertThat(commands).doesNotContain(adopt(lease));
    step(new RunEvent.Ticked(START.plusSeconds(61)));
    assertThat(commands).contains(adopt(lease));
  }

  private Command adopt(String lease) {
    return new Command.AdoptInstance(lease, WorkedExampleRun.OFFER.name());
  }
}
