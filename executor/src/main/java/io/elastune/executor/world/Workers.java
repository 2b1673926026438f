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

/** Manages all simulated workers. When an instance ends, its workers end with it. */
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

  /** Starts an attempt, and returns true; returns false if its instance does not exist. */
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

  /** Returns the attempts that have not ended, in the order of their start. */
  List<SimulatedAttempt> running() {
    return List.copyOf(running.values());
  }

  @Override
  public void running(Instance instance) {
    // No attempt can run on it yet.
  }

  @Override
  public void ready(Instance instance) {
    // No attempt runs on it yet.
  }

  @Override
  public void leaving(Instance instance) {
    // Attempts continue until the controller stops them.
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
