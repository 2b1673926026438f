package io.elastune.executor.world;

import io.elastune.core.offer.Offer;
import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.provisioner.Loss;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** All workers of a simulated world. An instance's end is theirs, whoever watches. */
final class Workers implements Provider.Watcher {
  private final SimulatedAttempt.Surroundings world;
  private final Map<String, SimulatedAttempt> attempts = new LinkedHashMap<>();
  private final Map<String, SimulatedAttempt> running = new LinkedHashMap<>();

  Workers(SimulatedAttempt.Surroundings world) {
    this.world = world;
    world.provider().watch(this);
  }

  SimulatedAttempt.Surroundings world() {
    return world;
  }

  Optional<SimulatedAttempt> find(String attempt) {
    return Optional.ofNullable(attempts.get(attempt));
  }

  /** Starts an attempt, unless there is no such instance; says whether it did. */
  boolean start(AttemptSpec spec, Consumer<EngineEvent> watcher) {
    Optional<Offer> offer =
        world.provider().find(spec.workers().get(0).lease()).map(Instance::offer);
    if (offer.isEmpty()) {
      return false;
    }
    Course course = world.training().course(spec, offer.get());
    SimulatedAttempt attempt =
        new SimulatedAttempt(spec, course, world, watcher, () -> running.remove(spec.attempt()));
    attempts.put(spec.attempt(), attempt);
    running.put(spec.attempt(), attempt);
    attempt.begin();
    return true;
  }

  /** Those that have not ended, in the order in which they began. */
  List<SimulatedAttempt> running() {
    return List.copyOf(running.values());
  }

  @Override
  public void running(Instance instance) {
    // Nothing can run on it yet.
  }

  @Override
  public void ready(Instance instance) {
    // Nothing runs on it yet.
  }

  @Override
  public void leaving(Instance instance) {
    // What runs on it runs on, until somebody asks it to stop.
  }

  @Override
  public void lost(Instance instance, Loss loss) {
    if (loss != Loss.LOST_CONTACT) {
      terminated(instance);
    }
  }

  @Override
  public void terminated(Instance instance) {
    running().stream()
        .filter(attempt -> attempt.uses(instance.lease()))
        .forEach(SimulatedAttempt::cutOff);
  }
}
