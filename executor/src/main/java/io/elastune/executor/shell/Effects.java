package io.elastune.executor.shell;

import io.elastune.core.job.Job;
import io.elastune.core.offer.Offer;
import io.elastune.executor.core.Command;
import io.elastune.executor.core.LeaseState;
import io.elastune.executor.core.Place;
import io.elastune.executor.core.RunState;
import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.Engine;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.Node;
import io.elastune.provisioner.NodeSetup;
import io.elastune.provisioner.Tags;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Carries the core's commands out through the two doors. */
final class Effects implements Command.Visitor<Optional<Void>> {
  /** An instance may live this long without a sign of its controller. */
  private static final long EXPIRES_AFTER_S = 20 * 60;

  private final RunSpec spec;
  private final Cloud cloud;
  private final Engine engine;
  private final InstantSource time;
  private final Map<String, Node> nodes = new HashMap<>();

  /** {@code before}: what the leases of an earlier controller have told of themselves. */
  Effects(RunSpec spec, Cloud cloud, Engine engine, InstantSource time, RunState before) {
    this.spec = spec;
    this.cloud = cloud;
    this.engine = engine;
    this.time = time;
    for (LeaseState lease : before.leases().values()) {
      lease.node().ifPresent(node -> nodes.put(lease.lease(), node));
    }
  }

  /** Remembers where a lease is to be reached. */
  void ready(String lease, Node node) {
    nodes.put(lease, node);
  }

  @Override
  public Optional<Void> request(Command.RequestInstance command) {
    cloud.request(lease(command.lease(), command.offer()));
    return Optional.empty();
  }

  @Override
  public Optional<Void> adopt(Command.AdoptInstance command) {
    cloud.adopt(lease(command.lease(), command.offer()));
    return Optional.empty();
  }

  private LeaseRequest lease(String lease, String offerName) {
    Job job = spec.job();
    Offer offer = spec.definition().offer(offerName);
    Map<String, String> tags = new HashMap<>(job.resources().labels());
    tags.put(Tags.RUN, spec.definition().run());
    tags.put(Tags.OWNER, spec.owner());
    tags.put(Tags.LEASE, lease);
    tags.put(Tags.EXPIRES, Long.toString(time.instant().getEpochSecond() + EXPIRES_AFTER_S));
    Optional<NodeSetup> setup =
        job.trial()
            .setup()
            .map(
                line ->
                    new NodeSetup(
                        line,
                        spec.workdir().toString(),
                        spec.environment(),
                        spec.folder().setupLog(lease).toString()));
    return new LeaseRequest(
        spec.definition().run(), lease, offer, setup, tags, job.deadMan(), inTeams(offer));
  }

  /** Whether the plan has trials on that offer that are bigger than one of its instances. */
  private boolean inTeams(Offer offer) {
    return spec.definition().plan().allocations().values().stream()
        .filter(allocation -> allocation.offer().equals(offer.name()))
        .anyMatch(allocation -> allocation.gpusPerTrial() > offer.gpus());
  }

  @Override
  public Optional<Void> release(Command.ReleaseInstance command) {
    cloud.release(command.lease());
    return Optional.empty();
  }

  @Override
  public Optional<Void> start(Command.StartAttempt command) {
    engine.start(attempt(command));
    return Optional.empty();
  }

  @Override
  public Optional<Void> adopt(Command.AdoptAttempt command) {
    engine.adopt(attempt(command.start()), command.reported());
    return Optional.empty();
  }

  private AttemptSpec attempt(Command.StartAttempt command) {
    Job job = spec.job();
    int trial = command.trial();
    return new AttemptSpec(
        command.attempt(),
        spec.definition().run(),
        trial,
        spec.configurations().of(trial),
        job.search().resource().unit(),
        command.from(),
        command.to(),
        spec.configurations().seedOf(trial),
        job.trial().run(),
        spec.workdir().toString(),
        spec.checkpoints(trial).toString(),
        spec.folder().trialLog(trial).toString(),
        spec.environment(),
        job.trial().checkpoints().keep(),
        workers(command.places()));
  }

  private List<AttemptSpec.Worker> workers(List<Place> places) {
    return places.stream().map(this::worker).toList();
  }

  private AttemptSpec.Worker worker(Place place) {
    Node node = nodes.get(place.lease());
    if (node == null) {
      throw new IllegalStateException("lease " + place.lease() + " is not ready");
    }
    return new AttemptSpec.Worker(
        place.lease(), node.address(), node.slots().get(place.gpu()), place.gpu());
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
    cloud.list(spec.definition().run());
    return Optional.empty();
  }

  @Override
  public Optional<Void> finish(Command.Finish command) {
    return Optional.empty();
  }
}
