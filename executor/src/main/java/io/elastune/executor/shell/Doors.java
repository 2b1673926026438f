package io.elastune.executor.shell;

import io.elastune.executor.core.Command;
import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.Engine;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.LeaseRequest;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Carries the core's commands out through the two doors, be the world behind them real or
 * simulated.
 */
public final class Doors implements Command.Visitor<Optional<Void>> {
  private final String run;
  private final Cloud cloud;
  private final Engine engine;
  private final BiFunction<String, String, LeaseRequest> leases;
  private final Function<Command.StartAttempt, AttemptSpec> attempts;

  /**
   * The doors of one controller.
   *
   * @param run the run's id
   * @param leases all about a lease, by its id and the name of its offer
   * @param attempts all about an attempt
   */
  public Doors(
      String run,
      Cloud cloud,
      Engine engine,
      BiFunction<String, String, LeaseRequest> leases,
      Function<Command.StartAttempt, AttemptSpec> attempts) {
    this.run = run;
    this.cloud = cloud;
    this.engine = engine;
    this.leases = leases;
    this.attempts = attempts;
  }

  @Override
  public Optional<Void> request(Command.RequestInstance command) {
    cloud.request(leases.apply(command.lease(), command.offer()));
    return Optional.empty();
  }

  @Override
  public Optional<Void> adopt(Command.AdoptInstance command) {
    cloud.adopt(leases.apply(command.lease(), command.offer()));
    return Optional.empty();
  }

  @Override
  public Optional<Void> release(Command.ReleaseInstance command) {
    cloud.release(command.lease());
    return Optional.empty();
  }

  @Override
  public Optional<Void> start(Command.StartAttempt command) {
    engine.start(attempts.apply(command));
    return Optional.empty();
  }

  @Override
  public Optional<Void> adopt(Command.AdoptAttempt command) {
    engine.adopt(attempts.apply(command.start()), command.reported());
    return Optional.empty();
  }

  @Override
  public Optional<Void> stop(Command.StopAttempt command) {
    engine.stop(command.attempt());
    return Optional.empty();
  }

  @Override
  public Optional<Void> kill(Command.KillAttempt command) {
    engine.kill(command.attempt());
    return Optional.empty();
  }

  @Override
  public Optional<Void> list(Command.ListInstances command) {
    cloud.list(run);
    return Optional.empty();
  }

  @Override
  public Optional<Void> finish(Command.Finish command) {
    return Optional.empty(); // The journal says so; nothing outside has to be told.
  }
}
