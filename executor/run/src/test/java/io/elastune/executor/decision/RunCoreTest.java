package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.job.Budget;
import io.elastune.core.plan.Plan;
import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.forecast.Ledger;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.JournalNote;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.StepResult;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.decision.model.TrialState.Status;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.InstanceInfo;
import io.elastune.provisioner.LossReason;
import io.elastune.provisioner.RefusalReason;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunCoreTest {
  private static final int[][] SHRINKING = {{4, 1}, {2, 1}, {2, 2}, {2, 4}};

  @ParameterizedTest
  @CsvSource({
    "'4,1 2,1 2,2 2,4', 242.163, 2.2304",
    "'2,1 1,1 2,2 2,4', 364.249, 2.0570",
    "'3,1 3,1 3,3 2,4', 305.438, 2.7030",
    "'8,2 4,2 4,4 4,8', 186.061, 3.5224",
    "'2,1 2,1 1,1 1,2', 339.171, 1.7170",
  })
  void matchesTheWorkedExamples(String plan, double seconds, double usd) {
    VirtualEnvironment world = run(WorkedExampleRun.definition(parse(plan)));

    assertThat(exit(world)).isZero();
    assertThat(completion(world)).isEqualTo(seconds, within(0.0006));
    assertThat(Ledger.of(WorkedExampleRun.definition(parse(plan)), world.state).spentUsd())
        .isEqualTo(usd, within(0.00006));
  }

  @Test
  void groupUsesOnlyItsAllocation() {
    VirtualEnvironment world = run(WorkedExampleRun.definition(parse("4,8 1,1 1,1 1,1")));
    List<Command.StartAttempt> second =
        world.commands.stream()
            .filter(command -> command instanceof Command.StartAttempt)
            .map(command -> (Command.StartAttempt) command)
            .filter(attempt -> attempt.group().equals("2"))
            .toList();

    assertThat(second).hasSize(8);
    assertThat(second.stream().map(attempt -> attempt.places().get(0).lease()).distinct())
        .hasSize(1);
  }

  @Test
  void bestTrialsArePromoted() {
    VirtualEnvironment world = run(WorkedExampleRun.definition(WorkedExampleRun.plan(SHRINKING)));

    assertThat(trials(world, Status.COMPLETED)).containsExactly(15, 16);
    assertThat(trials(world, Status.STOPPED)).hasSize(14);
    assertThat(world.state.ending().instancesLeft()).isZero();
  }

  @Test
  void replayGivesTheSameState() {
    RunDefinition definition = WorkedExampleRun.definition(WorkedExampleRun.plan(SHRINKING));
    VirtualEnvironment world = run(definition);

    RunState again = RunState.initial(definition);
    for (RunEvent event : world.told) {
      again = new RunCore(definition).step(again, event).state();
    }

    assertThat(again).isEqualTo(world.state);
  }

  @Test
  void failingTrialIsDropped() {
    VirtualEnvironment world =
        new VirtualEnvironment(
                WorkedExampleRun.definition(WorkedExampleRun.plan(SHRINKING)),
                (attempt, script) -> {
                  if (attempt.trial() == 16) {
                    script.end(5, 1, 0, false);
                  } else {
                    WorkedExampleRun.punctual(attempt, script);
                  }
                })
            .run();

    assertThat(exit(world)).isZero();
    assertThat(trials(world, Status.FAILED)).containsExactly(16);
    assertThat(trials(world, Status.COMPLETED)).containsExactly(14, 15);
    assertThat(attemptsOf(world, 16)).hasSize(3);
  }

  @Test
  void aGroupWithoutASingleSuccessEndsTheRunWith16() {
    VirtualEnvironment world =
        new VirtualEnvironment(
                WorkedExampleRun.definition(WorkedExampleRun.plan(SHRINKING)),
                (attempt, script) -> script.end(1, 1, 0, false))
            .run();

    assertThat(exit(world)).isEqualTo(16);
    assertThat(world.state.leases().values()).allMatch(l -> l.phase() == LeaseState.Phase.GONE);
  }

  @Test
  void tornCheckpointIsAFailure() {
    Set<String> torn = new HashSet<>();
    VirtualEnvironment world =
        new VirtualEnvironment(
                WorkedExampleRun.definition(WorkedExampleRun.plan(SHRINKING)),
                (attempt, script) -> {
                  if (attempt.trial() == 16 && attempt.group().equals("2") && torn.add("once")) {
                    script.report(40, 2, 0.9).end(41, 0, 1, true);
                  } else {
                    WorkedExampleRun.punctual(attempt, script);
                  }
                })
            .run();

    assertThat(exit(world)).isZero();
    assertThat(attemptsOf(world, 16).stream().filter(a -> a.group().equals("2")))
        .extracting(Command.StartAttempt::from)
        .containsExactly(1, 1);
    assertThat(faults(world)).anyMatch(fault -> fault.contains("torn checkpoint"));
  }

  @Test
  void trialWithoutCheckpointStartsOver() {
    VirtualEnvironment world =
        new VirtualEnvironment(
                WorkedExampleRun.definition(WorkedExampleRun.plan(SHRINKING)),
                (attempt, script) -> script.report(10, attempt.to(), 0.5).end(10, 0, 0, false))
            .run();

    assertThat(exit(world)).isZero();
    assertThat(attemptsOf(world, 1)).extracting(Command.StartAttempt::from).containsOnly(0);
    assertThat(faults(world)).anyMatch(fault -> fault.contains("no checkpoint for unit 1"));
  }

  @Test
  void invalidReportsAreIgnoredAndReported() {
    VirtualEnvironment world =
        new VirtualEnvironment(
                WorkedExampleRun.definition(WorkedExampleRun.plan(SHRINKING)),
                (attempt, script) -> {
                  if (attempt.trial() == 1 && attempt.group().equals("1")) {
                    script.report(5, 1, 0.99).report(6, 1, 0.1).report(7, 2, 0.2);
                  } else {
                    WorkedExampleRun.punctual(attempt, script);
                  }
                })
            .run();

    assertThat(exit(world)).isZero();
    assertThat(trials(world, Status.COMPLETED)).contains(16);
    assertThat(attemptsOf(world, 1)).hasSizeGreaterThan(1);
    assertThat(faults(world))
        .anyMatch(fault -> fault.contains("reported unit 1 after unit 1"))
        .anyMatch(fault -> fault.contains("beyond its limit 1"));
  }

  @Test
  void hungTrialIsStoppedAndRetried() {
    VirtualEnvironment world =
        new VirtualEnvironment(
                WorkedExampleRun.definition(WorkedExampleRun.plan(SHRINKING)),
                (attempt, script) -> {
                  if (!attempt.attempt().equals("3-1-1")) {
                    WorkedExampleRun.punctual(attempt, script);
                  }
                })
            .ticking(800)
            .run();

    assertThat(exit(world)).isZero();
    assertThat(attemptsOf(world, 3).get(1).attempt()).isEqualTo("3-1-2");
    assertThat(attemptsOf(world, 3).get(1).places().get(0).lease())
        .as("its instance may be the cause")
        .isNotEqualTo(attemptsOf(world, 3).get(0).places().get(0).lease());
    assertThat(faults(world)).anyMatch(fault -> fault.contains("stopped as hung after unit 0"));
  }

  @Test
  void lostInstanceIsReplaced() {
    RunDefinition definition = WorkedExampleRun.definition(WorkedExampleRun.plan(SHRINKING));
    VirtualEnvironment world = new VirtualEnvironment(definition, WorkedExampleRun::punctual);
    world.post(
        new RunEvent.FromCloud(
            new CloudEvent.Lost(
                "test-1-2",
                LossReason.FAILED,
                "gone",
                VirtualEnvironment.after(VirtualEnvironment.START, 80))));
    world.run();

    assertThat(exit(world)).isZero();
    assertThat(world.state.leases()).hasSize(5);
    assertThat(world.state.trials().values()).allMatch(trial -> trial.failures() == 0);
  }

  @Test
  void ledgerUsesTheChargedPrice() {
    RunDefinition definition = WorkedExampleRun.definition(WorkedExampleRun.plan(SHRINKING));
    VirtualEnvironment world = new VirtualEnvironment(definition, WorkedExampleRun::punctual);
    double planned = 12.24;
    world.post(
        new RunEvent.FromCloud(
            new CloudEvent.Priced(
                "test-1-2", planned / 2, VirtualEnvironment.after(VirtualEnvironment.START, 80))));
    world.run();

    assertThat(exit(world)).isZero();
    LeaseState lease = world.state.leases().get(2);
    assertThat(lease.usdPerHour()).isEqualTo(planned / 2);
    double seconds =
        lease.terminatedAt().orElseThrow().getEpochSecond()
            - lease.runningAt().orElseThrow().getEpochSecond();
    assertThat(Ledger.of(definition, world.state).leaseUsd(lease))
        .isEqualTo(seconds * planned / 2 / 3600, within(2 * planned / 3600));
    assertThat(decisions(world)).contains("price");
  }

  /** All its trials have started by then: the replacement must not count as surplus. */
  @Test
  void lostInstanceOfTheLastGroupIsReplaced() {
    RunDefinition definition = WorkedExampleRun.definition(WorkedExampleRun.plan(SHRINKING));
    VirtualEnvironment world = new VirtualEnvironment(definition, WorkedExampleRun::punctual);
    world.watcher =
        command -> {
          if (command instanceof Command.StartAttempt start && start.attempt().equals("16-4-4")) {
            String lease = start.places().get(0).lease();
            world.post(
                new RunEvent.FromCloud(
                    new CloudEvent.Lost(
                        lease, LossReason.FAILED, "gone", world.now.plusSeconds(1))));
          }
        };
    world.run();

    assertThat(exit(world)).isZero();
    assertThat(world.state.leases()).hasSize(5);
  }

  @Test
  void aRefusalOfEverythingEndsTheRunWith14() {
    VirtualEnvironment world =
        new VirtualEnvironment(
            WorkedExampleRun.definition(WorkedExampleRun.plan(SHRINKING)),
            WorkedExampleRun::punctual);
    for (int i = 1; i <= 4; i++) {
      world.post(
          new RunEvent.FromCloud(
              new CloudEvent.Refused(
                  "test-1-" + i,
                  RefusalReason.CAPACITY,
                  "none free",
                  VirtualEnvironment.after(VirtualEnvironment.START, 1))));
    }
    world.ticking(30).run();

    assertThat(exit(world)).isEqualTo(14);
    assertThat(world.commands).noneMatch(command -> command instanceof Command.StartAttempt);
  }

  @Test
  void costStaysBelowTheBudget() {
    RunDefinition definition =
        WorkedExampleRun.definition(
            WorkedExampleRun.plan(SHRINKING),
            Optional.of(new Budget(1.5, 0.8, Budget.OnReach.STOP)),
            OptionalDouble.empty());
    VirtualEnvironment world =
        new VirtualEnvironment(definition, WorkedExampleRun::punctual).ticking(400).run();

    assertThat(exit(world)).isEqualTo(11);
    assertThat(Ledger.of(definition, world.state).spentUsd()).isBetween(1.0, 1.5);
    assertThat(decisions(world)).contains("warned", "budget");
  }

  @Test
  void slowStopsEndBeforeTheBudget() {
    RunDefinition definition =
        WorkedExampleRun.definition(
            WorkedExampleRun.plan(SHRINKING),
            Optional.of(new Budget(1.5, 0.8, Budget.OnReach.STOP)),
            OptionalDouble.empty());
    VirtualEnvironment world =
        new VirtualEnvironment(definition, (attempt, script) -> {}).deaf().ticking(400).run();

    assertThat(exit(world)).isEqualTo(11);
    assertThat(world.commands).anyMatch(command -> command instanceof Command.KillAttempt);
    assertThat(Ledger.of(definition, world.state).spentUsd()).isBetween(1.4, 1.5);
  }

  @Test
  void missedDeadlineIsReported() {
    RunDefinition definition =
        WorkedExampleRun.definition(
            WorkedExampleRun.plan(SHRINKING), Optional.empty(), OptionalDouble.of(200));
    VirtualEnvironment world =
        new VirtualEnvironment(definition, WorkedExampleRun::punctual).ticking(400).run();

    assertThat(exit(world)).isEqualTo(13);
    assertThat(trials(world, Status.COMPLETED)).hasSize(2);
  }

  @Test
  void stopWritesCheckpointsAndReleases() {
    VirtualEnvironment world =
        new VirtualEnvironment(
            WorkedExampleRun.definition(WorkedExampleRun.plan(SHRINKING)),
            WorkedExampleRun::punctual);
    world.post(
        new RunEvent.StopAsked(
            RunOutcome.INTERRUPTED,
            false,
            "Ctrl-C",
            VirtualEnvironment.after(VirtualEnvironment.START, 90)));
    world.run();

    assertThat(exit(world)).isEqualTo(130);
    assertThat(world.commands).filteredOn(c -> c instanceof Command.StopAttempt).hasSize(16);
    assertThat(world.state.ending().instancesLeft()).isZero();
  }

  @Test
  void stopBeforeTheStartLaunchesNothing() {
    RunDefinition definition = WorkedExampleRun.definition(WorkedExampleRun.plan(SHRINKING));
    RunCore core = new RunCore(definition);
    RunState initial = RunState.initial(definition);

    StepResult stopped =
        core.step(
            initial,
            new RunEvent.StopAsked(
                RunOutcome.INTERRUPTED, false, "Ctrl-C", VirtualEnvironment.START));
    StepResult begun = core.step(stopped.state(), new RunEvent.Began(VirtualEnvironment.START));

    assertThat(stopped.commands()).hasOnlyElementsOfType(Command.ListInstances.class);
    assertThat(begun.commands()).isEmpty();
    assertThat(begun.state().leases()).isEmpty();
  }

  @Test
  void listedInstancesAreReleasedAgain() {
    VirtualEnvironment world =
        new VirtualEnvironment(
            WorkedExampleRun.definition(WorkedExampleRun.plan(SHRINKING)),
            WorkedExampleRun::punctual);
    Set<String> asked = new HashSet<>();
    world.watcher =
        command -> {
          if (command instanceof Command.ListInstances && asked.add("once")) {
            world.post(
                new RunEvent.FromCloud(
                    new CloudEvent.Listed(
                        "test-1", List.of(new InstanceInfo("i", "x", "running")), world.now)));
          }
        };
    world.ticking(500).run();

    assertThat(exit(world)).isZero();
  }

  private static VirtualEnvironment run(RunDefinition definition) {
    return new VirtualEnvironment(definition, WorkedExampleRun::punctual).run();
  }

  private static Plan parse(String plan) {
    String[] groups = plan.split(" ", -1);
    int[][] sizes = new int[groups.length][];
    for (int i = 0; i < groups.length; i++) {
      String[] size = groups[i].split(",", -1);
      sizes[i] = new int[] {Integer.parseInt(size[0]), Integer.parseInt(size[1])};
    }
    return WorkedExampleRun.plan(sizes);
  }

  private static double completion(VirtualEnvironment world) {
    return Seconds.between(VirtualEnvironment.START, world.state.completedAt().orElseThrow());
  }

  private static int exit(VirtualEnvironment world) {
    assertThat(world.state.phase()).isEqualTo(RunState.Phase.FINISHED);
    return world.state.ending().exitCode();
  }

  private static List<Integer> trials(VirtualEnvironment world, Status status) {
    return world.state.trials().values().stream()
        .filter(trial -> trial.status() == status)
        .map(TrialState::trial)
        .toList();
  }

  private static List<Command.StartAttempt> attemptsOf(VirtualEnvironment world, int trial) {
    return world.commands.stream()
        .filter(command -> command instanceof Command.StartAttempt)
        .map(command -> (Command.StartAttempt) command)
        .filter(attempt -> attempt.trial() == trial)
        .toList();
  }

  private static List<String> faults(VirtualEnvironment world) {
    return world.notes.stream()
        .filter(journalNote -> journalNote instanceof JournalNote.TrialFault)
        .map(journalNote -> ((JournalNote.TrialFault) journalNote).message())
        .toList();
  }

  private static List<String> decisions(VirtualEnvironment world) {
    return world.notes.stream()
        .filter(journalNote -> journalNote instanceof JournalNote.Decision)
        .map(journalNote -> ((JournalNote.Decision) journalNote).decision())
        .toList();
  }
}
