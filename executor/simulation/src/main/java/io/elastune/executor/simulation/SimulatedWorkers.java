package io.elastune.executor.simulation;

import io.elastune.core.offer.Offer;
import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.provisioner.LossReason;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Manages all simulated workers. When an instance ends, its workers end with it. */
final class SimulatedWorkers implements SimulatedProvider.Listener {
  private final SimulatedAttempt.Context world;
  private final Map<String, SimulatedAttempt> attempts = new LinkedHashMap<>();
  private final Map<String, SimulatedAttempt> running = new LinkedHashMap<>();
  private final SimulatedWaiting waiting;

  SimulatedWorkers(SimulatedAttempt.Context world) {
    this.world = world;
    waiting = new SimulatedWaiting(world.time());
    world.provider().addListener(this);
  }

  SimulatedAttempt.Context context() {
    return world;
  }

  Optional<SimulatedAttempt> find(String attempt) {
    return Optional.ofNullable(attempts.get(attempt));
  }

  /** Starts an attempt, and returns true; returns false if its instance does not exist. */
  boolean start(AttemptSpec spec, Consumer<EngineEvent> watcher) {
    Optional<Offer> offer =
        world.provider().find(spec.workers().get(0).lease()).map(SimulatedInstance::offer);
    if (offer.isEmpty()) {
      return false;
    }
    boolean continues =
        waiting.continueWith(spec, running.values().stream().map(SimulatedAttempt::spec).toList());
    AttemptScript attemptScript = world.training().script(spec, offer.get(), continues);
    SimulatedAttempt attempt =
        new SimulatedAttempt(
            attempts.size() + 1, spec, attemptScript, world, watcher, () -> ended(spec));
    attempts.put(spec.attempt(), attempt);
    running.put(spec.attempt(), attempt);
    attempt.start();
    return true;
  }

  private void ended(AttemptSpec spec) {
    SimulatedAttempt attempt = running.remove(spec.attempt());
    if (attempt != null && attempt.hasReachedItsEnd()) {
      waiting.add(spec);
    }
  }

  /** Ends the workers that wait: they end with their controller. */
  void endWaiting() {
    waiting.end();
  }

  /** Returns the attempts that have not ended, in the order of their start. */
  List<SimulatedAttempt> running() {
    return List.copyOf(running.values());
  }

  @Override
  public void running(SimulatedInstance simulatedInstance) {
    // No attempt can run on it yet.
  }

  @Override
  public void ready(SimulatedInstance simulatedInstance) {
    // No attempt runs on it yet.
  }

  @Override
  public void leaving(SimulatedInstance simulatedInstance) {
    // Attempts continue until the controller stops them.
  }

  @Override
  public void lost(SimulatedInstance simulatedInstance, LossReason lossReason) {
    if (lossReason != LossReason.LOST_CONTACT) {
      terminated(simulatedInstance);
    }
  }

  @Override
  public void terminated(SimulatedInstance simulatedInstance) {
    waiting.endOn(simulatedInstance.lease());
    running().stream()
        .filter(attempt -> attempt.uses(simulatedInstance.lease()))
        .forEach(SimulatedAttempt::endWithInstance);
  }
}
