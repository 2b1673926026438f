package io.elastune.executor.world;

import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.Engine;
import io.elastune.executor.engine.EngineEvent;
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

  private final Workers workers;
  private final Wire<EngineEvent> wire;
  private final double graceS;
  private final Consumer<EngineEvent> watcher = this::post;
  private final Set<String> watched = new HashSet<>();

  /** Creates an engine that kills a stopped attempt after {@code graceS} seconds. */
  SimulatedEngine(Workers workers, Wire<EngineEvent> wire, double graceS) {
    this.workers = workers;
    this.wire = wire;
    this.graceS = graceS;
  }

  @Override
  public void start(AttemptSpec spec) {
    if (workers.find(spec.attempt()).isEmpty() && watched.add(spec.attempt())) {
      if (!workers.start(spec, watcher)) {
        end(spec, "the instance does not exist", true);
      }
    }
  }

  private void end(AttemptSpec spec, String why, boolean lost) {
    SimulatedAttempt.Surroundings world = workers.world();
    OptionalInt newest = world.shelf().newest(spec.trial(), spec.to() - 1);
    boolean torn = world.shelf().torn(spec.trial(), spec.to() - 1);
    post(
        new EngineEvent.Ended(
            spec.attempt(), KILLED, newest, torn, why, world.time().instant(), lost));
  }

  @Override
  public void adopt(AttemptSpec spec, int reported) {
    if (watched.add(spec.attempt())) {
      workers
          .find(spec.attempt())
          .ifPresentOrElse(
              known -> known.watchedBy(watcher, reported),
              () -> end(spec, "the attempt never started", true));
    }
  }

  @Override
  public void stop(String attempt) {
    workers.find(attempt).ifPresent(known -> known.stop(graceS));
  }

  @Override
  public void kill(String attempt) {
    workers.find(attempt).ifPresent(SimulatedAttempt::kill);
  }

  private void post(EngineEvent event) {
    wire.sendInOrder(event.attempt(), event, event instanceof EngineEvent.Ended);
  }

  /** Simulates a failed controller whose workers continue unobserved. */
  void abandon() {
    wire.cut();
    workers.running().forEach(SimulatedAttempt::unwatched);
  }

  @Override
  public void close() {
    workers.running().forEach(SimulatedAttempt::dieWithController);
    abandon();
  }
}
