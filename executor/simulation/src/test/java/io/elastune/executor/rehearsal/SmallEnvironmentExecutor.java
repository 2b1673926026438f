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
record SmallEnvironmentExecutor(SmallEnvironment world) implements Command.Visitor<Optional<Void>> {
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
  public Optional<Void> request(Command.RequestInstance command) {
    world.known.add(command.lease());
    world.instances.putIfAbsent(command.lease(), Stage.PENDING);
    return Optional.empty();
  }

  @Override
  public Optional<Void> adopt(Command.AdoptInstance command) {
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
    return Optional.empty();
  }

  @Override
  public Optional<Void> release(Command.ReleaseInstance command) {
    world.known.add(command.lease());
    if (world.instances.getOrDefault(command.lease(), Stage.GONE) == Stage.GONE) {
      world.addCloudEvent(new CloudEvent.Terminated(command.lease(), world.now()));
    } else {
      world.end(command.lease());
    }
    return Optional.empty();
  }

  @Override
  public Optional<Void> start(Command.StartAttempt command) {
    String attempt = command.attempt();
    if (!world.watched.add(attempt)) {
      return Optional.empty();
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
      return Optional.empty();
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
    return Optional.empty();
  }

  @Override
  public Optional<Void> adopt(Command.AdoptAttempt command) {
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
      return Optional.empty();
    }
    for (int unit = command.reported() + 1; unit <= pendingWork.unit(); unit++) {
      world.addEngineEvent(attempt, world.reported(attempt, start.trial(), unit));
    }
    if (pendingWork.over()) {
      int exitCode = world.isLast(pendingWork) ? 0 : SmallEnvironment.KILLED;
      world.addEngineEvent(attempt, world.ended(attempt, pendingWork, exitCode, false));
    }
    return Optional.empty();
  }

  @Override
  public Optional<Void> stop(Command.StopAttempt command) {
    world.stop(command.attempt(), RETRY);
    return Optional.empty();
  }

  @Override
  public Optional<Void> kill(Command.KillAttempt command) {
    world.stop(command.attempt(), SmallEnvironment.KILLED);
    return Optional.empty();
  }

  @Override
  public Optional<Void> check(Command.CheckAttempt command) {
    // No answer counts as a sign of life.
    return Optional.empty();
  }

  @Override
  public Optional<Void> list(Command.ListInstances command) {
    world.addCloudEvent(new CloudEvent.Listed("small-1", world.list(), world.now()));
    return Optional.empty();
  }

  @Override
  public Optional<Void> replan(Command.Replan command) {
    throw new IllegalStateException("this run never re-plans");
  }

  @Override
  public Optional<Void> chooseMeasurement(Command.ChooseMeasurement command) {
    throw new IllegalStateException("this run measures nothing");
  }

  @Override
  public Optional<Void> askBudget(Command.AskBudget command) {
    throw new IllegalStateException("this run never re-plans");
  }

  @Override
  public Optional<Void> configure(Command.ConfigureTrials command) {
    throw new IllegalStateException("this run has no sampler");
  }

  @Override
  public Optional<Void> finish(Command.Finish command) {
    return Optional.empty();
  }
}
