package io.elastune.executor.rehearsal;

import io.elastune.executor.decision.model.Command;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.rehearsal.SmallEnvironment.PendingWork;
import io.elastune.executor.rehearsal.SmallEnvironment.Stage;
import io.elastune.provisioner.CloudEvent;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Executes commands in the small environment, by the contracts of cloud and engine. */
record SmallEnvironmentExecutor(SmallEnvironment world) implements Command.Visitor {
  private static final int RETRY = 75;

  /** Executes a command, or drops or defers it if a fault says so. */
  void execute(Command command) {
    boolean call =
        command instanceof Command.RequestInstance
            || command instanceof Command.AdoptInstance
            || command instanceof Command.ReleaseInstance
            || command instanceof Command.ListInstances;
    if (command instanceof Command.ReleaseInstance release) {
      world.released.add(release.lease());
    }
    if (call && world.nextCallLost) {
      world.nextCallLost = false;
      return;
    }
    if (call
        && (world.nextCallDeferred || !world.deferredCalls.isEmpty())) { // calls keep their order
      world.nextCallDeferred = false;
      world.deferredCalls.add(command);
      return;
    }
    command.match(this);
  }

  /** Executes the deferred calls. */
  void executeDeferred() {
    List<Command> due = List.copyOf(world.deferredCalls);
    world.deferredCalls.clear();
    due.forEach(command -> command.match(this));
  }

  @Override
  public void request(Command.RequestInstance command) {
    world.known.add(command.lease());
    world.instances.putIfAbsent(command.lease(), Stage.PENDING);
  }

  @Override
  public void adopt(Command.AdoptInstance command) {
    world.known.add(command.lease());
    Stage stage = world.instances.getOrDefault(command.lease(), Stage.GONE);
    if (stage == Stage.READY) {
      world.setStage(command.lease(), Stage.RUNNING); // repeats both events
    }
    if (stage != Stage.PENDING) {
      boolean existed = world.instances.containsKey(command.lease());
      if (existed) {
        world.setStage(command.lease(), stage);
      } else {
        world.addCloudEvent(new CloudEvent.Terminated(command.lease(), world.now()));
      }
    }
  }

  @Override
  public void release(Command.ReleaseInstance command) {
    world.known.add(command.lease());
    if (world.instances.getOrDefault(command.lease(), Stage.GONE) == Stage.GONE) {
      world.addCloudEvent(new CloudEvent.Terminated(command.lease(), world.now()));
    } else {
      world.end(command.lease());
    }
  }

  @Override
  public void start(Command.StartAttempt command) {
    String attempt = command.attempt();
    if (!world.watched.add(attempt)) {
      return;
    }
    String lease = command.places().get(0).lease();
    PendingWork pendingWork =
        new PendingWork(
            command.trial(), lease, command.from(), command.to(), command.from(), false, false);
    boolean missing = command.from() > world.checkpoints.getOrDefault(command.trial(), 0);
    if (missing
        && world.trialWithoutCheckpoints.filter(trial -> trial == command.trial()).isPresent()) {
      world.workers.put(attempt, pendingWork.asEnded());
      world.addEngineEvent(attempt, world.ended(attempt, pendingWork, 1, false));
      return;
    }
    if (missing) {
      world.broken = Optional.of("trial " + command.trial() + " resumes from a missing checkpoint");
    }
    if (world.instances.getOrDefault(lease, Stage.GONE) == Stage.READY) {
      world.workers.put(attempt, pendingWork);
    } else {
      world.addEngineEvent(
          attempt, world.ended(attempt, pendingWork, SmallEnvironment.KILLED, true));
    }
  }

  @Override
  public void adopt(Command.AdoptAttempt command) {
    Command.StartAttempt start = command.start();
    String attempt = start.attempt();
    world.watched.add(attempt);
    PendingWork pendingWork = world.workers.get(attempt);
    if (pendingWork == null) {
      int checkpoint = world.checkpoints.getOrDefault(start.trial(), 0);
      world.addEngineEvent(
          attempt,
          new EngineEvent.Ended(
              attempt,
              SmallEnvironment.KILLED,
              checkpoint == 0 ? OptionalInt.empty() : OptionalInt.of(checkpoint),
              false,
              "",
              world.now(),
              true));
      return;
    }
    for (int unit = command.reported() + 1; unit <= pendingWork.unit(); unit++) {
      world.addEngineEvent(attempt, world.reported(attempt, start.trial(), unit));
    }
    if (pendingWork.over()) {
      int exitCode = world.isLast(pendingWork) ? 0 : SmallEnvironment.KILLED;
      world.addEngineEvent(attempt, world.ended(attempt, pendingWork, exitCode, false));
    }
  }

  @Override
  public void stop(Command.StopAttempt command) {
    world.stop(command.attempt(), RETRY);
  }

  @Override
  public void kill(Command.KillAttempt command) {
    world.stop(command.attempt(), SmallEnvironment.KILLED);
  }

  @Override
  public void check(Command.CheckAttempt command) {
    // No answer counts as a sign of life.
  }

  @Override
  public void list(Command.ListInstances command) {
    world.addCloudEvent(new CloudEvent.Listed("small-1", world.list(), world.now()));
  }

  @Override
  public void replan(Command.Replan command) {
    throw new IllegalStateException("this run never re-plans");
  }

  @Override
  public void chooseMeasurement(Command.ChooseMeasurement command) {
    throw new IllegalStateException("this run measures nothing");
  }

  @Override
  public void askBudget(Command.AskBudget command) {
    throw new IllegalStateException("this run never re-plans");
  }

  @Override
  public void configure(Command.ConfigureTrials command) {
    throw new IllegalStateException("this run has no sampler");
  }

  @Override
  public void finish(Command.Finish command) {}
}
