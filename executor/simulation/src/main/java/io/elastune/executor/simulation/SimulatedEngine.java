package io.elastune.executor.simulation;

import io.elastune.core.time.Seconds;
import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.Engine;
import io.elastune.executor.engine.EngineEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Connects one controller to the simulated workers. Reports may be lost, as lines of output may;
 * the end of an attempt may be delayed, but always arrives, after its reports.
 */
final class SimulatedEngine implements Engine {
  private static final int KILLED = 137;

  private final SimulatedWorkers simulatedWorkers;
  private final FaultyChannel<EngineEvent> faultyChannel;
  private final double graceS;
  private final Consumer<EngineEvent> watcher = this::post;
  private final Set<String> watched = new HashSet<>();

  /** Creates an engine that kills a stopped attempt after {@code graceS} seconds. */
  SimulatedEngine(
      SimulatedWorkers simulatedWorkers, FaultyChannel<EngineEvent> faultyChannel, double graceS) {
    this.simulatedWorkers = simulatedWorkers;
    this.faultyChannel = faultyChannel;
    this.graceS = graceS;
  }

  @Override
  public void start(AttemptSpec spec) {
    if (simulatedWorkers.find(spec.attempt()).isEmpty() && watched.add(spec.attempt())) {
      if (!simulatedWorkers.start(spec, watcher)) {
        end(spec, "the instance does not exist", true);
      }
    }
  }

  private void end(AttemptSpec spec, String why, boolean lost) {
    SimulatedAttempt.Context world = simulatedWorkers.context();
    OptionalInt newest = world.checkpoints().newest(spec.trial(), spec.to() - 1);
    boolean torn = world.checkpoints().isNewestTorn(spec.trial(), spec.to() - 1);
    Instant now = world.time().instant();
    post(
        new EngineEvent.Ended(spec.attempt(), KILLED, newest, torn, why, now, lost).withStart(now));
  }

  @Override
  public void adopt(AttemptSpec spec, int reported) {
    if (watched.add(spec.attempt())) {
      simulatedWorkers
          .find(spec.attempt())
          .ifPresentOrElse(
              known -> known.setConsumer(watcher, reported),
              () -> end(spec, "the attempt never started", true));
    }
  }

  @Override
  public void stop(String attempt) {
    simulatedWorkers.find(attempt).ifPresent(known -> known.stop(graceS));
  }

  @Override
  public void stop(String attempt, Duration grace) {
    simulatedWorkers.find(attempt).ifPresent(known -> known.stop(Seconds.of(grace)));
  }

  @Override
  public void kill(String attempt) {
    simulatedWorkers.find(attempt).ifPresent(SimulatedAttempt::kill);
  }

  @Override
  public void check(String attempt) {
    simulatedWorkers.find(attempt).ifPresent(SimulatedAttempt::check);
  }

  private void post(EngineEvent event) {
    faultyChannel.sendInOrder(event.attempt(), event, event instanceof EngineEvent.Ended);
  }

  /** Simulates a failed controller whose workers continue unobserved. */
  void detach() {
    faultyChannel.close();
    simulatedWorkers.endWaiting();
    simulatedWorkers.running().forEach(SimulatedAttempt::clearConsumer);
  }

  @Override
  public void close() {
    simulatedWorkers.running().forEach(SimulatedAttempt::endWithController);
    detach();
  }
}
