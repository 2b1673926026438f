package io.elastune.executor.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.job.Budget;
import io.elastune.core.plan.Plan;
import io.elastune.core.time.Seconds;
import io.elastune.executor.core.TrialState.Status;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.InstanceInfo;
import io.elastune.provisioner.Loss;
import io.elastune.provisioner.Refusal;
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
    VirtualWorld world = run(Scenario.definition(parse(plan)));

    assertThat(exit(world)).isZero();
    assertThat(completion(world)).isEqualTo(seconds, within(0.0006));
    assertThat(Ledger.of(Scenario.definition(parse(plan)), world.state).spentUsd())
        .isEqualTo(usd, within(0.00006));
  }

  @Test
  void groupUsesOnlyItsAllocation() {
    VirtualWorld world = run(Scenario.definition(parse("4,8 1,1 1,1 1,1")));
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
    VirtualWorld world = run(Scenario.definition(Scenario.plan(SHRINKING)));

    assertThat(trials(world, Status.COMPLETED)).containsExactly(15, 16);
    assertThat(trials(world, Status.STOPPED)).hasSize(14);
    assertThat(world.state.ending().instancesLeft()).isZero();
  }

  @Test
  void replayGivesTheSameState() {
    RunDefinition definition = Scenario.definition(Scenario.plan(SHRINKING));
    VirtualWorld world = run(definition);

    RunState again = RunState.initial(definition);
    for (RunEvent event : world.told) {
      again = new RunCore(definition).step(again, event).state();
    }

    assertThat(again).isEqualTo(world.state);
  }

  @Test
  void failingTrialIsDropped() {
    VirtualWorld world =
        new VirtualWorld(
                Scenario.definition(Scenario.plan(SHRINKING)),
                (attempt, script) -> {
                  if (attempt.trial() == 16) {
                    script.end(5, 1, 0, false);
                  } else {
                    Scenario.punctual(attempt, script);
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
    VirtualWorld world =
        new VirtualWorld(
                Scenario.definition(Scenario.plan(SHRINKING)),
                (attempt, script) -> script.end(1, 1, 0, false))
            .run();

    assertThat(exit(world)).isEqualTo(16);
    assertThat(world.state.leases().values()).allMatch(l -> l.phase() == LeaseState.Phase.GONE);
  }

  @Test
  void tornCheckpointIsAFailure() {
    Set<String> torn = new HashSet<>();
    VirtualWorld world =
        new VirtualWorld(
                Scenario.definition(Scenario.plan(SHRINKING)),
                (attempt, script) -> {
                  if (attempt.trial() == 16 && attempt.group().equals("2") && torn.add("once")) {
                    script.report(40, 2, 0.9).end(41, 0, 1, true);
                  } else {
                    Scenario.punctual(attempt, script);
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
    VirtualWorld world =
        new VirtualWorld(
                Scenario.definition(Scenario.plan(SHRINKING)),
                (attempt, script) -> script.report(10, attempt.to(), 0.5).end(10, 0, 0, false))
            .run();

    assertThat(exit(world)).isZero();
    assertThat(attemptsOf(world, 1)).extracting(Command.StartAttempt::from).containsOnly(0);
    assertThat(faults(world)).anyMatch(fault -> fault.contains("no checkpoint for unit 1"));
  }

  @Test
  void invalidReportsAreIgnoredAndReported() {
    VirtualWorld world =
        new VirtualWorld(
                Scenario.definition(Scenario.plan(SHRINKING)),
                (attempt, script) -> {
                  if (attempt.trial() == 1 && attempt.group().equals("1")) {
                    script.report(5, 1, 0.99).report(6, 1, 0.1).report(7, 2, 0.2);
                  } else {
                    Scenario.punctual(attempt, script);
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
    VirtualWorld world =
        new VirtualWorld(
                Scenario.definition(Scenario.plan(SHRINKING)),
                (attempt, script) -> {
                  if (!attempt.attempt().equals("3-1-1")) {
                    Scenario.punctual(attempt, script);
                  }
                })
            .ticking(800)
            .run();

    assertThat(exit(world)).isZero();
    assertThat(attemptsOf(world, 3).get(1).attempt()).isEqualTo("3-1-2");
    assertThat(attemptsOf(world, 3).get(1).places().get(0).lease())
        .as("its instance may be the cause")
        .isNotEqualTo(attemptsOf(world, 3).get(0).places().get(0).lease());
    assertThat(faults(world)).anyMatch(fault -> fault.contains("no report for too long"));
  }

  @Test
  void lostInstanceIsReplaced() {
    RunDefinition definition = Scenario.definition(Scenario.plan(SHRINKING));
    VirtualWorld world = new VirtualWorld(definition, Scenario::punctual);
    world.post(
        new RunEvent.FromCloud(
            new CloudEvent.Lost(
                "test-1-2", Loss.FAILED, "gone", VirtualWorld.after(VirtualWorld.START, 80))));
    world.run();

    assertThat(exit(world)).isZero();
    assertThat(world.state.leases()).hasSize(5);
    assertThat(world.state.trials().values()).allMatch(trial -> trial.failures() == 0);
  }

  @Test
  void ledgerUsesTheChargedPrice() {
    RunDefinition definition = Scenario.definition(Scenario.plan(SHRINKING));
    VirtualWorld world = new VirtualWorld(definition, Scenario::punctual);
    double planned = 12.24;
    world.post(
        new RunEvent.FromCloud(
            new CloudEvent.Priced(
                "test-1-2", planned / 2, VirtualWorld.after(VirtualWorld.START, 80))));
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
    RunDefinition definition = Scenario.definition(Scenario.plan(SHRINKING));
    VirtualWorld world = new VirtualWorld(definition, Scenario::punctual);
    world.watcher =
        command -> {
          if (command instanceof Command.StartAttempt start && start.attempt().equals("16-4-4")) {
            String lease = start.places().get(0).lease();
            world.post(
                new RunEvent.FromCloud(
                    new CloudEvent.Lost(lease, Loss.FAILED, "gone", world.now.plusSeconds(1))));
          }
        };
    world.run();

    assertThat(exit(world)).isZero();
    assertThat(world.state.leases()).hasSize(5);
  }

  @Test
  void aRefusalOfEverythingEndsTheRunWith14() {
    VirtualWorld world =
        new VirtualWorld(Scenario.definition(Scenario.plan(SHRINKING)), Scenario::punctual);
    for (int i = 1; i <= 4; i++) {
      world.post(
          new RunEvent.FromCloud(
              new CloudEvent.Refused(
                  "test-1-" + i,
                  Refusal.CAPACITY,
                  "none free",
                  VirtualWorld.after(VirtualWorld.START, 1))));
    }
    world.ticking(30).run();

    assertThat(exit(world)).isEqualTo(14);
    assertThat(world.commands).noneMatch(command -> command instanceof Command.StartAttempt);
  }

  @Test
  void costStaysBelowTheBudget() {
    RunDefinition definition =
        Scenario.definition(
            Scenario.plan(SHRINKING),
            Optional.of(new Budget(1.5, 0.8, Budget.OnReach.STOP)),
            OptionalDouble.empty());
    VirtualWorld world = new VirtualWorld(definition, Scenario::punctual).ticking(400).run();

    assertThat(exit(world)).isEqualTo(11);
    assertThat(Ledger.of(definition, world.state).spentUsd()).isBetween(1.0, 1.5);
    assertThat(decisions(world)).contains("warned", "budget");
  }

  @Test
  void slowStopsEndBeforeTheBudget() {
    RunDefinition definition =
        Scenario.definition(
            Scenario.plan(SHRINKING),
            Optional.of(new Budget(1.5, 0.8, Budget.OnReach.STOP)),
            OptionalDouble.empty());
    VirtualWorld world =
        new VirtualWorld(definition, (attempt, script) -> {}).deaf().ticking(400).run();

    assertThat(exit(world)).isEqualTo(11);
    assertThat(world.commands).anyMatch(command -> command instanceof Command.KillAttempt);
    assertThat(Ledger.of(definition, world.state).spentUsd()).isBetween(1.4, 1.5);
  }

  @Test
  void missedDeadlineIsReported() {
    RunDefinition definition =
        Scenario.definition(Scenario.plan(SHRINKING), Optional.empty(), OptionalDouble.of(200));
    VirtualWorld world = new VirtualWorld(definition, Scenario::punctual).ticking(400).run();

    assertThat(exit(world)).isEqualTo(13);
    assertThat(trials(world, Status.COMPLETED)).hasSize(2);
  }

  @Test
  void stopWritesCheckpointsAndReleases() {
    VirtualWorld world =
        new VirtualWorld(Scenario.definition(Scenario.plan(SHRINKING)), Scenario::punctual);
    world.post(
        new RunEvent.StopAsked(
            RunOutcome.INTERRUPTED, false, "Ctrl-C", VirtualWorld.after(VirtualWorld.START, 90)));
    world.run();

    assertThat(exit(world)).isEqualTo(130);
    assertThat(world.commands).filteredOn(c -> c instanceof Command.StopAttempt).hasSize(16);
    assertThat(world.state.ending().instancesLeft()).isZero();
  }

  @Test
  void stopBeforeTheStartLaunchesNothing() {
    RunDefinition definition = Scenario.definition(Scenario.plan(SHRINKING));
    RunCore core = new RunCore(definition);
    RunState initial = RunState.initial(definition);

    Step stopped =
        core.step(
            initial,
            new RunEvent.StopAsked(RunOutcome.INTERRUPTED, false, "Ctrl-C", VirtualWorld.START));
    Step begun = core.step(stopped.state(), new RunEvent.Began(VirtualWorld.START));

    assertThat(stopped.commands()).hasOnlyElementsOfType(Command.ListInstances.class);
    assertThat(begun.commands()).isEmpty();
    assertThat(begun.state().leases()).isEmpty();
  }

  @Test
  void listedInstancesAreReleasedAgain() {
    VirtualWorld world =
        new VirtualWorld(Scenario.definition(Scenario.plan(SHRINKING)), Scenario::punctual);
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

  private static VirtualWorld run(RunDefinition definition) {
    return new VirtualWorld(definition, Scenario::punctual).run();
  }

  private static Plan parse(String plan) {
    String[] groups = plan.split(" ", -1);
    int[][] sizes = new int[groups.length][];
    for (int i = 0; i < groups.length; i++) {
      String[] size = groups[i].split(",", -1);
      sizes[i] = new int[] {Integer.parseInt(size[0]), Integer.parseInt(size[1])};
    }
    return Scenario.plan(sizes);
  }

  private static double completion(VirtualWorld world) {
    return Seconds.between(VirtualWorld.START, world.state.completedAt().orElseThrow());
  }

  private static int exit(VirtualWorld world) {
    assertThat(world.state.phase()).isEqualTo(RunState.Phase.FINISHED);
    return world.state.ending().exitCode();
  }

  private static List<Integer> trials(VirtualWorld world, Status status) {
    return world.state.trials().values().stream()
        .filter(trial -> trial.status() == status)
        .map(TrialState::trial)
        .toList();
  }

  private static List<Command.StartAttempt> attemptsOf(VirtualWorld world, int trial) {
    return world.commands.stream()
        .filter(command -> command instanceof Command.StartAttempt)
        .map(command -> (Command.StartAttempt) command)
        .filter(attempt -> attempt.trial() == trial)
        .toList();
  }

  private static List<String> faults(VirtualWorld world) {
    return world.notes.stream()
        .filter(note -> note instanceof Note.TrialFault)
        .map(note -> ((Note.TrialFault) note).message())
        .toList();
  }

  private static List<String> decisions(VirtualWorld world) {
    return world.notes.stream()
        .filter(note -> note instanceof Note.Decision)
        .map(note -> ((Note.Decision) note).decision())
        .toList();
  }
}
