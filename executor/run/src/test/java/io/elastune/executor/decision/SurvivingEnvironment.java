package io.elastune.executor.decision;

import io.elastune.executor.decision.KillableTestController.Died;
import io.elastune.executor.decision.KillableTestController.Kill;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.runtime.CommandExecutor;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.Tags;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A cloud and an engine in virtual time whose controller is killed. Either everything ends with it,
 * as on the local machine, or everything continues, as in a cloud, until the dead-man time has
 * passed.
 */
final class SurvivingEnvironment {
  private static final int DEAD_MAN_S = 900;
  private static final double LOCAL_END_S = 2;
  private static final double TICK_S = 5;
  private static final int MOST_EVENTS = 100_000;
  private static final Kill NEVER = new Kill(-1, 0);

  /**
   * The behavior of the environment.
   *
   * @param livesOn whether instances and workers outlive their controller
   * @param reportsKept whether missed reports are still available later
   * @param checkpointEvery units between two checkpoints; the last unit's is always written
   */
  record Nature(boolean livesOn, boolean reportsKept, int checkpointEvery) {}

  private final RunDefinition definition;
  private final Nature nature;
  private final VirtualClock clock = new VirtualClock();
  private final SurvivingEngine engine;
  private final SurvivingCloud cloud;
  private final CommandExecutor commandExecutor;
  private final KillableTestController controller;
  private final Deque<Kill> kills;
  private final double awayS;
  private int session;
  private boolean controlled = true;
  private int stopAfter = Integer.MAX_VALUE;

  /** Whether the run is being stopped, or is stopped and waits to be resumed. */
  private boolean stopped;

  SurvivingEnvironment(RunDefinition definition, Nature nature, double awayS, Kill... kills) {
    this.definition = definition;
    this.nature = nature;
    this.awayS = awayS;
    this.kills = new ArrayDeque<>(List.of(kills));
    controller = new KillableTestController(definition);
    engine = new SurvivingEngine(nature, clock, e -> tell(new RunEvent.FromEngine(e)));
    cloud =
        new SurvivingCloud(definition, clock, e -> tell(new RunEvent.FromCloud(e)), engine::endOn);
    commandExecutor =
        new CommandExecutor(
            definition.run(),
            cloud,
            engine,
            Duration.ofSeconds(DEAD_MAN_S),
            this::lease,
            this::attempt,
            new NobodyToAsk());
  }

  /** Requests for a new plan are ignored. */
  private static final class NobodyToAsk implements CommandExecutor.AdvisorRequests {
    @Override
    public void replan(Command.Replan command) {
      throw new IllegalStateException("this run keeps to its plan");
    }

    @Override
    public void chooseMeasurement(Command.ChooseMeasurement command) {
      throw new IllegalStateException("this run measures nothing");
    }

    @Override
    public void askBudget(Command.AskBudget command) {
      throw new IllegalStateException("this run keeps to its plan");
    }

    @Override
    public void configure(Command.ConfigureTrials command) {
      throw new IllegalStateException("this run has no sampler");
    }
  }

  /** Stops the run after {@code steps} steps, and resumes it after its end. */
  SurvivingEnvironment stopping(int afterSteps) {
    stopAfter = afterSteps;
    return this;
  }

  KillableTestController controller() {
    return controller;
  }

  SurvivingCloud cloud() {
    return cloud;
  }

  SurvivingEngine engine() {
    return engine;
  }

  /** Runs until the run is finished; fails if it never is. */
  SurvivingEnvironment run() {
    clock.later(0, () -> tell(new RunEvent.Began(clock.now())));
    tick();
    for (int i = 0; !controller.finished() || !controlled || stopped; i++) {
      if (!clock.next() || i > MOST_EVENTS) {
        throw new AssertionError("it never ends: " + controller.state.chains());
      }
    }
    return this;
  }

  private void tick() {
    int mine = session;
    clock.later(
        TICK_S,
        () -> {
          if (controlled && session == mine) {
            tell(new RunEvent.Ticked(clock.now()));
            tick();
          }
        });
  }

  private void tell(RunEvent event) {
    if (!controlled || (controller.finished() && !(event instanceof RunEvent.Resumed))) {
      return;
    }
    try {
      controller.take(event, kills.isEmpty() ? NEVER : kills.peek(), commandExecutor);
    } catch (Died e) {
      die();
      return;
    }
    if (controller.commandsByStep().size() > stopAfter) {
      stopAfter = Integer.MAX_VALUE;
      stopped = true;
      clock.later(
          0,
          () -> tell(new RunEvent.StopAsked(RunOutcome.INTERRUPTED, false, "a test", clock.now())));
    }
    if (stopped && controller.finished()) {
      leave();
      clock.later(awayS, this::resume);
    }
  }

  private void leave() {
    controlled = false;
    session++;
  }

  private void die() {
    kills.remove();
    leave();
    int mine = session;
    if (nature.livesOn()) {
      clock.later(
          DEAD_MAN_S,
          () -> {
            if (!controlled && session == mine) {
              cloud.endAll();
            }
          });
    } else {
      engine.endAll();
      clock.later(LOCAL_END_S, cloud::endAll);
    }
    clock.later(Math.max(awayS, LOCAL_END_S), this::resume);
  }

  private void resume() {
    controlled = true;
    stopped = false;
    tick();
    tell(controller.restore(clock.now()));
  }

  private LeaseRequest lease(String lease, String offer) {
    Map<String, String> tags =
        Tags.ALL.stream().collect(Collectors.toMap(tag -> tag, tag -> lease));
    return new LeaseRequest(
        definition.run(),
        lease,
        definition.offer(offer),
        Optional.empty(),
        tags,
        Duration.ofSeconds(DEAD_MAN_S));
  }

  private AttemptSpec attempt(Command.StartAttempt command) {
    return AttemptSpec.builder()
        .attempt(command.attempt())
        .run(definition.run())
        .trial(command.trial())
        .config(Map.of())
        .unit("unit")
        .from(command.from())
        .to(command.to())
        .seed(command.trial())
        .command("train")
        .workdir(".")
        .checkpointDir(".")
        .log("log")
        .environment(Map.of())
        .keep(2)
        .workers(
            command.places().stream()
                .map(gpuSlot -> new AttemptSpec.Worker(gpuSlot.lease(), "here", "0", gpuSlot.gpu()))
                .toList())
        .build();
  }
}
