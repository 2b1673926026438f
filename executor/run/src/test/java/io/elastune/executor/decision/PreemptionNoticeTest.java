package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.decision.model.TrialState.Status;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.LossReason;
import io.elastune.provisioner.Node;
import java.time.Instant;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The cloud announces the preemption of an instance while its trials are training. */
class PreemptionNoticeTest {
  private static final int[][] SHRINKING = {{4, 1}, {2, 1}, {2, 2}, {2, 4}};
  private static final String TAKEN = "test-1-2";

  /** All four instances are ready by then, and each trains four trials. */
  private static final Instant AT = VirtualEnvironment.after(VirtualEnvironment.START, 80);

  private final VirtualEnvironment world =
      new VirtualEnvironment(
          WorkedExampleRun.definition(WorkedExampleRun.plan(SHRINKING)),
          WorkedExampleRun::punctual);
  private final Set<String> asked = new HashSet<>();
  private int most;

  @BeforeEach
  void watch() {
    world.watcher =
        command -> {
          if (command instanceof Command.RequestInstance request) {
            asked.add(request.lease());
          } else if (command instanceof Command.ReleaseInstance release) {
            asked.remove(release.lease());
          }
          most = Math.max(most, asked.size());
        };
  }

  @Test
  void trialsMoveAndInstanceIsReplaced() {
    List<String> there = trialsOnIt();
    world.post(notice(AT));
    world.run();

    assertThat(there).hasSize(4);
    assertThat(stopped()).containsExactlyInAnyOrderElementsOf(there);
    assertThat(started(TAKEN)).as("no trial is started on it").hasSize(4);
    assertThat(world.commands).noneMatch(command -> command instanceof Command.KillAttempt);
    assertThat(world.state.leases()).hasSize(5);
    assertThat(most).as("never more than the plan's number").isEqualTo(4);
    assertThat(world.state.trials().values()).allMatch(trial -> trial.failures() == 0);
    assertThat(world.state.trials().values().stream().map(TrialState::status))
        .filteredOn(Status.COMPLETED::equals)
        .hasSize(2);
    assertThat(world.state.ending().exitCode()).isZero();
  }

  @Test
  void releasedAfterItsTrialsHaveEnded() {
    world.post(notice(AT));
    world.run();

    Instant release = world.state.leases().get(2).releasedAt().orElseThrow();
    assertThat(release).isEqualTo(AT.plusSeconds(1));
    assertThat(world.state.leases().get(5).requestedAt()).isEqualTo(release);
  }

  @Test
  void repeatedNoticeOrLateReadyIsIgnored() {
    world.post(notice(AT));
    world.post(notice(AT.plusMillis(100)));
    Node node = new Node("127.0.0.1", Collections.nCopies(4, "0"));
    world.post(new RunEvent.FromCloud(new CloudEvent.Ready(TAKEN, node, AT.plusMillis(200))));
    world.run();

    assertThat(stopped()).hasSize(4);
    assertThat(started(TAKEN)).hasSize(4);
    assertThat(world.state.leases()).hasSize(5);
    assertThat(world.state.ending().exitCode()).isZero();
  }

  @Test
  void earlyPreemptionIsALoss() {
    world.post(notice(AT));
    world.post(
        new RunEvent.FromCloud(
            new CloudEvent.Lost(TAKEN, LossReason.PREEMPTED, "gone", AT.plusMillis(500))));
    world.run();

    assertThat(world.state.leases()).hasSize(5);
    assertThat(most).isEqualTo(4);
    assertThat(world.state.trials().values()).allMatch(trial -> trial.failures() == 0);
    assertThat(world.state.ending().exitCode()).isZero();
  }

  @Test
  void bootingInstanceIsReplacedAtOnce() {
    Instant booting = VirtualEnvironment.after(VirtualEnvironment.START, 30);
    world.post(notice(booting));
    world.run();

    assertThat(started(TAKEN)).isEmpty();
    assertThat(world.state.leases().get(5).requestedAt()).isEqualTo(booting);
    assertThat(world.state.ending().exitCode()).isZero();
  }

  private List<String> trialsOnIt() {
    VirtualEnvironment calm =
        new VirtualEnvironment(
                WorkedExampleRun.definition(WorkedExampleRun.plan(SHRINKING)),
                WorkedExampleRun::punctual)
            .run();
    return started(calm, TAKEN).stream()
        .filter(start -> start.group().equals("1"))
        .map(Command.StartAttempt::attempt)
        .toList();
  }

  private List<Command.StartAttempt> started(String lease) {
    return started(world, lease);
  }

  private static List<Command.StartAttempt> started(VirtualEnvironment world, String lease) {
    return world.commands.stream()
        .filter(command -> command instanceof Command.StartAttempt)
        .map(command -> (Command.StartAttempt) command)
        .filter(start -> start.places().get(0).lease().equals(lease))
        .toList();
  }

  private List<String> stopped() {
    return world.commands.stream()
        .filter(command -> command instanceof Command.StopAttempt)
        .map(command -> ((Command.StopAttempt) command).attempt())
        .toList();
  }

  private static RunEvent notice(Instant at) {
    return new RunEvent.FromCloud(new CloudEvent.Leaving(TAKEN, "in two minutes", at));
  }
}
