package io.elastune.executor.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.plan.Plan;
import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.GpuSlot;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.StepResult;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.Node;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Growing, shrinking and resizing of groups (docs/model.md, "Time" and "Money"). */
class ElasticityTest {
  private static final Plan SHRINKING = plan(4, 1, 2, 1, 2, 2, 2, 4);
  private static final Plan GROWING_BACK = plan(2, 1, 1, 1, 2, 2, 2, 4);

  /** A command and its time in seconds since the start. */
  private record Given(double at, Command command) {}

  private static Plan plan(int... pairs) {
    int[][] groups = new int[pairs.length / 2][];
    for (int i = 0; i < groups.length; i++) {
      groups[i] = new int[] {pairs[2 * i], pairs[2 * i + 1]};
    }
    return WorkedExampleRun.plan(groups);
  }

  private static List<Given> run(VirtualEnvironment world) {
    List<Given> given = new ArrayList<>();
    world.watcher =
        command ->
            given.add(new Given(Seconds.between(VirtualEnvironment.START, world.now), command));
    world.run();
    assertThat(world.state.ending().exitCode()).isZero();
    return given;
  }

  private static List<Given> starts(List<Given> given, String group) {
    return given.stream()
        .filter(
            some ->
                some.command() instanceof Command.StartAttempt start && start.group().equals(group))
        .toList();
  }

  /** The first of four instances to be ready takes its trials while the others still boot. */
  @Test
  void trialsStartBeforeTheSlowestBoot() {
    RunDefinition definition = WorkedExampleRun.definition(SHRINKING);
    RunCore core = new RunCore(definition);
    StepResult begun =
        core.step(RunState.initial(definition), new RunEvent.Began(VirtualEnvironment.START));
    assertThat(begun.commands()).hasSize(4).hasOnlyElementsOfType(Command.RequestInstance.class);

    Node node = new Node("here", List.of("0", "1", "2", "3"));
    Instant at = VirtualEnvironment.after(VirtualEnvironment.START, 30);
    StepResult ready =
        core.step(
            begun.state(), new RunEvent.FromCloud(new CloudEvent.Ready("test-1-3", node, at)));

    List<Command.StartAttempt> started =
        ready.commands().stream()
            .filter(Command.StartAttempt.class::isInstance)
            .map(Command.StartAttempt.class::cast)
            .toList();
    assertThat(started).extracting(Command.StartAttempt::trial).containsExactly(1, 2, 3, 4);
    assertThat(started).allMatch(start -> start.places().get(0).lease().equals("test-1-3"));
    assertThat(ready.state().chains().get(0).waiting()).hasSize(12);
  }

  /** Workers that wait for the next group can only continue on their GPU. */
  @Test
  void trialsThatStayOnTheirInstanceStayOnTheirGpu() {
    List<Given> given =
        run(
            new VirtualEnvironment(
                WorkedExampleRun.definition(SHRINKING), WorkedExampleRun::punctual));
    Map<Integer, GpuSlot> before = new HashMap<>();
    starts(given, "1").forEach(some -> before.put(trial(some), slot(some)));
    List<Given> staying =
        starts(given, "2").stream()
            .filter(some -> slot(some).lease().equals(before.get(trial(some)).lease()))
            .toList();

    assertThat(staying).hasSizeGreaterThan(2);
    assertThat(staying)
        .allSatisfy(some -> assertThat(slot(some)).isEqualTo(before.get(trial(some))));
  }

  private static int trial(Given given) {
    return ((Command.StartAttempt) given.command()).trial();
  }

  private static GpuSlot slot(Given given) {
    return ((Command.StartAttempt) given.command()).places().get(0);
  }

  /** Instances held at a barrier are used at once; missing ones are requested only then. */
  @Test
  void growingGroupStartsOnHeldInstances() {
    List<Given> given =
        run(
            new VirtualEnvironment(
                WorkedExampleRun.definition(GROWING_BACK), WorkedExampleRun::punctual));
    double barrier = starts(given, "3").get(0).at();
    List<Given> requested =
        given.stream()
            .filter(some -> some.command() instanceof Command.RequestInstance && some.at() > 0)
            .toList();
    assertThat(requested).hasSize(1);
    assertThat(requested.get(0).at()).isEqualTo(barrier);
    assertThat(starts(given, "3")).filteredOn(start -> start.at() == barrier).hasSize(2);
    assertThat(starts(given, "3")).hasSize(4);
  }

  /**
   * An instance that the next group does not need is released as soon as it is idle, not at the
   * barrier.
   */
  @Test
  void surplusIsReleasedDuringTraining() {
    VirtualEnvironment world =
        new VirtualEnvironment(
            WorkedExampleRun.definition(SHRINKING),
            (attempt, script) -> {
              boolean straggles = attempt.trial() == 16 && attempt.group().equals("1");
              double seconds = straggles ? 190 : 40;
              script
                  .report(seconds, attempt.to(), attempt.trial() / 100.0)
                  .end(seconds, 0, attempt.to(), false);
            });
    List<Given> given = run(world);
    double barrier = starts(given, "2").get(0).at();
    assertThat(barrier).isEqualTo(75 + 190);
    assertThat(given)
        .filteredOn(some -> some.command() instanceof Command.ReleaseInstance)
        .filteredOn(some -> some.at() < barrier)
        .hasSize(2)
        .allMatch(some -> some.at() == 75 + 40);
  }

  /** A spare instance is kept although it is idle, until the group ends. */
  @Test
  void spareIsKeptUntilTheGroupEnds() {
    Plan plan = plan(4, 1, 1, 1, 2, 2, 2, 4);
    Plan spared = plan.with("1", plan.allocations().get("1").withMoreSpare(1));
    VirtualEnvironment world =
        new VirtualEnvironment(
            WorkedExampleRun.definition(spared),
            (attempt, script) -> {
              boolean straggles = attempt.trial() == 16 && attempt.group().equals("1");
              double seconds = straggles ? 190 : 40;
              script
                  .report(seconds, attempt.to(), attempt.trial() / 100.0)
                  .end(seconds, 0, attempt.to(), false);
            });
    List<Given> given = run(world);
    double barrier = starts(given, "2").get(0).at();
    assertThat(barrier).isEqualTo(75 + 190);
    List<Given> released =
        given.stream()
            .filter(some -> some.command() instanceof Command.ReleaseInstance)
            .filter(some -> some.at() <= barrier)
            .toList();
    assertThat(released).extracting(Given::at).containsExactly(115.0, 115.0, 115.0, 265.0);
    // The spare one is idle before the others, but not needed again.
    assertThat(released.get(0).command()).isEqualTo(new Command.ReleaseInstance("test-1-5"));
  }

  /**
   * A trial changes its number of GPUs as a whole: its workers write a checkpoint and end before
   * the next ones start from it.
   */
  @Test
  void trialMovesBetweenGpuCounts() {
    Map<Integer, Integer> checkpoints = new HashMap<>();
    VirtualEnvironment world =
        new VirtualEnvironment(WorkedExampleRun.definition(SHRINKING), WorkedExampleRun::punctual);
    List<Command.StartAttempt> resized = new ArrayList<>();
    world.watcher =
        command -> {
          if (command instanceof Command.StartAttempt start) {
            assertThat(
                    world.state.attempts().values().stream()
                        .filter(attempt -> attempt.trial() == start.trial()))
                .as("attempts of trial %d at a time", start.trial())
                .hasSize(1);
            if (start.from() > 0) {
              resized.add(start);
              world.told.forEach(event -> note(event, checkpoints));
              assertThat(start.from()).isEqualTo(checkpoints.get(start.trial()));
            }
          }
        };
    world.run();
    assertThat(resized).hasSize(8 + 4 + 2);
    assertThat(resized).filteredOn(start -> start.group().equals("2")).allMatch(s -> size(s) == 1);
    assertThat(resized).filteredOn(start -> start.group().equals("3")).allMatch(s -> size(s) == 2);
    assertThat(resized).filteredOn(start -> start.group().equals("4")).allMatch(s -> size(s) == 4);
  }

  /** The checkpoint with which the trial's last attempt before that time ended. */
  private static void note(RunEvent event, Map<Integer, Integer> checkpoints) {
    if (event instanceof RunEvent.FromEngine told
        && told.event() instanceof EngineEvent.Ended ended) {
      checkpoints.put(AttemptState.trialOf(ended.attempt()), ended.checkpoint().orElseThrow());
    }
  }

  private static int size(Command.StartAttempt start) {
    return start.places().size();
  }
}
