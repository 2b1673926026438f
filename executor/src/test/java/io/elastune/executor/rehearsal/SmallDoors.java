package io.elastune.executor.rehearsal;

import io.elastune.executor.decision.model.Command;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.rehearsal.SmallWorld.Stage;
import io.elastune.executor.rehearsal.SmallWorld.Work;
import io.elastune.provisioner.CloudEvent;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Executes commands in the small environment, by the contracts of cloud and engine. */
record SmallDoors(SmallWorld world) implements Command.Visitor<Optional<Void>> {
  private static final int RETRY = 75;

  /** Executes a command, or drops or defers it if a fault says so. */
  void carryOut(Command command) {
    boolean call =
        command instanceof Command.RequestInstance
            || command instanceof Command.AdoptInstance
            || command instanceof Command.ReleaseInstance
            || command instanceof Command.ListInstances;
    if (command instanceof Command.ReleaseInstance release) {
      world.released.add(release.lease());
    }
    if (call && world.nextCallInVain) {
      world.nextCallInVain = false;
      return;
    }
    if (call && (world.nextCallLate || !world.late.isEmpty())) { // calls keep their order
      world.nextCallLate = false;
      world.late.add(command);
      return;
    }
    command.match(this);
  }

  /** Executes the deferred calls. */
  void catchUp() {
    List<Command> due = List.copyOf(world.late);
    world.late.clear();
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
      world.move(command.lease(), Stage.RUNNING); // repeats both events
    }
    if (stage != Stage.PENDING) {
      boolean existed = world.instances.containsKey(command.lease());
      if (existed) {
        world.move(command.lease(), stage);
      } else {
        world.answer(new CloudEvent.Terminated(command.lease(), world.now()));
      }
    }
    return Optional.empty();
  }

  @Override
  public Optional<Void> release(Command.ReleaseInstance command) {
    world.known.add(command.lease());
    if (world.instances.getOrDefault(command.lease(), Stage.GONE) == Stage.GONE) {
      world.answer(new CloudEvent.Terminated(command.lease(), world.now()));
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
    Work work =
        new Work(
            command.trial(), lease, command.from(), command.to(), command.from(), false, false);
    boolean missing = command.from() > world.checkpoints.getOrDefault(command.trial(), 0);
    if (missing && world.robbed.filter(trial -> trial == command.trial()).isPresent()) {
      world.works.put(attempt, work.ended());
      world.tell(attempt, world.ended(attempt, work, 1, false));
      return Optional.empty();
    }
    if (missing) {
      world.broken = Optional.of("trial " + command.trial() + " resumes from a missing checkpoint");
    }
    if (world.instances.getOrDefault(lease, Stage.GONE) == Stage.READY) {
      world.works.put(attempt, work);
    } else {
      world.tell(attempt, world.ended(attempt, work, SmallWorld.KILLED, true));
    }
    return Optional.empty();
  }

  @Override
  public Optional<Void> adopt(Command.AdoptAttempt command) {
    Command.StartAttempt start = command.start();
    String attempt = start.attempt();
    world.watched.add(attempt);
    Work work = world.works.get(attempt);
    if (work == null) {
      int checkpoint = world.checkpoints.getOrDefault(start.trial(), 0);
      world.tell(
          attempt,
          new EngineEvent.Ended(
              attempt,
              SmallWorld.KILLED,
              checkpoint == 0 ? OptionalInt.empty() : OptionalInt.of(checkpoint),
              false,
              "",
              world.now(),
              true));
      return Optional.empty();
    }
    for (int unit = command.reported() + 1; unit <= work.unit(); unit++) {
      world.tell(
          attempt,
          new EngineEvent.Reported(attempt, unit, Map.of("acc", 0.1 * start.trial()), world.now()));
    }
    if (work.over()) {
      int exitCode = work.unit() == work.to() ? 0 : SmallWorld.KILLED;
      world.tell(attempt, world.ended(attempt, work, exitCode, false));
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
    world.stop(command.attempt(), SmallWorld.KILLED);
    return Optional.empty();
  }

  @Override
  public Optional<Void> list(Command.ListInstances command) {
    world.answer(new CloudEvent.Listed("small-1", world.list(), world.now()));
    return Optional.empty();
  }

  @Override
  public Optional<Void> replan(Command.Replan command) {
    throw new IllegalStateException("this run never re-plans");
  }

  @Override
  public Optional<Void> askBudget(Command.AskBudget command) {
    throw new IllegalStateException("this run never re-plans");
  }

  @Override
  public Optional<Void> finish(Command.Finish command) {
    return Optional.empty();
  }
}
