package io.elastune.executor.rehearsal;

import io.elastune.executor.core.Command;
import io.elastune.executor.core.Place;
import io.elastune.executor.core.RunDefinition;
import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.Engine;
import io.elastune.executor.world.SimulatedWorld;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.Tags;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Carries the core's commands out through the two doors of a simulated world. */
final class Hands implements Command.Visitor<Optional<Void>> {
  private static final Duration DEAD_MAN = Duration.ofMinutes(15);

  private final RehearsedJob job;
  private final Cloud cloud;
  private final Engine engine;

  Hands(RehearsedJob job, Cloud cloud, Engine engine) {
    this.job = job;
    this.cloud = cloud;
    this.engine = engine;
  }

  /** The controller dies: on some machines with all workers, on others they go on. */
  void die(SimulatedWorld world, boolean withWorkers) {
    if (withWorkers) {
      engine.close();
    }
    world.abandon(cloud, engine);
  }

  @Override
  public Optional<Void> request(Command.RequestInstance command) {
    cloud.request(request(command.lease(), command.offer()));
    return Optional.empty();
  }

  private LeaseRequest request(String lease, String offer) {
    RunDefinition definition = job.definition();
    Map<String, String> tags =
        Map.of(
            Tags.RUN,
            definition.run(),
            Tags.OWNER,
            "rehearsal",
            Tags.LEASE,
            lease,
            Tags.EXPIRES,
            "0");
    return new LeaseRequest(
        definition.run(), lease, definition.offer(offer), Optional.empty(), tags, DEAD_MAN);
  }

  @Override
  public Optional<Void> adopt(Command.AdoptInstance command) {
    cloud.adopt(request(command.lease(), command.offer()));
    return Optional.empty();
  }

  @Override
  public Optional<Void> release(Command.ReleaseInstance command) {
    cloud.release(command.lease());
    return Optional.empty();
  }

  @Override
  public Optional<Void> start(Command.StartAttempt command) {
    engine.start(spec(command));
    return Optional.empty();
  }

  private AttemptSpec spec(Command.StartAttempt command) {
    return new AttemptSpec(
        command.attempt(),
        job.definition().run(),
        command.trial(),
        Map.of(),
        "unit",
        command.from(),
        command.to(),
        command.trial(),
        "train",
        ".",
        ".",
        "log",
        Map.of(),
        job.keep(),
        workers(command.places()));
  }

  private static List<AttemptSpec.Worker> workers(List<Place> places) {
    return places.stream()
        .map(place -> new AttemptSpec.Worker(place.lease(), place.lease(), "0", place.gpu()))
        .toList();
  }

  @Override
  public Optional<Void> adopt(Command.AdoptAttempt command) {
    engine.adopt(spec(command.start()), command.reported());
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
    cloud.list(job.definition().run());
    return Optional.empty();
  }

  @Override
  public Optional<Void> finish(Command.Finish command) {
    return Optional.empty();
  }
}
