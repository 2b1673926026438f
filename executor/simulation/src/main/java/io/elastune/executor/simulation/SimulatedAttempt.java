package io.elastune.executor.simulation;

import io.elastune.core.time.Seconds;
import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.EngineEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Simulates the workers of one attempt, independent of any controller's view. */
final class SimulatedAttempt {
  private static final int KILLED = 137;
  private static final int RETRY = 75;
  private static final int TERMINATED = 143;

  /** The parts of the simulated environment that an attempt uses. */
  record Context(
      VirtualTime time,
      TrainingModel training,
      SimulatedCheckpointStore checkpoints,
      SimulatedProvider provider,
      GroundTruth groundTruth) {}

  private final int number;
  private final AttemptSpec spec;
  private final AttemptScript attemptScript;
  private final Context world;
  private final long startedAt;
  private final List<EngineEvent.Reported> reports = new ArrayList<>();
  private final Runnable whenEnded;
  private final List<SimulatedInstance> simulatedInstances;
  private Consumer<EngineEvent> watcher;
  private Optional<EngineEvent.Ended> end = Optional.empty();
  private int unit;
  private int lastReported;
  private boolean stopping;
  private boolean hanging;
  private Instant hangsSince = Instant.EPOCH;
  private boolean silent;

  /**
   * @param number its number in the order of all starts, from 1
   */
  SimulatedAttempt(
      int number,
      AttemptSpec spec,
      AttemptScript attemptScript,
      Context world,
      Consumer<EngineEvent> watcher,
      Runnable whenEnded) {
    this.number = number;
    this.spec = spec;
    this.attemptScript = attemptScript;
    this.world = world;
    this.watcher = watcher;
    this.whenEnded = whenEnded;
    this.startedAt = world.time().nanos();
    this.unit = spec.from();
    this.lastReported = spec.from();
    this.simulatedInstances =
        spec.workers().stream()
            .map(AttemptSpec.Worker::lease)
            .distinct()
            .flatMap(lease -> world.provider().find(lease).stream())
            .toList();
  }

  AttemptSpec spec() {
    return spec;
  }

  /** Whether it has trained and reported all its units, and saved a complete checkpoint. */
  boolean hasReachedItsEnd() {
    return end.filter(event -> event.exitCode() == 0 && !event.torn()).isPresent()
        && unit == spec.to()
        && lastReported == spec.to();
  }

  boolean isEnded() {
    return end.isPresent();
  }

  boolean uses(String lease) {
    return spec.workers().stream().anyMatch(worker -> worker.lease().equals(lease));
  }

  /** Starts training if the instances and the checkpoint are available. */
  void start() {
    world.groundTruth().attemptStarted(simulatedInstances);
    world.groundTruth().training().attemptStarted(spec);
    if (!simulatedInstances.stream().allMatch(SimulatedInstance::acceptsWorkers)) {
      end(
          KILLED,
          TrainingGroundTruth.AttemptOutcome.INSTANCE_LOST,
          "an instance of the attempt is unreachable");
      return;
    }
    spec.shared()
        .parent()
        .ifPresent(from -> world.checkpoints().copy(from.trial(), spec.trial(), spec.from()));
    world.checkpoints().drawLoss(spec.trial(), spec.from());
    if (!world.checkpoints().isAvailable(spec.trial(), spec.from())) {
      end(
          1,
          TrainingGroundTruth.AttemptOutcome.CHECKPOINT_OR_CONTROLLER_LOST,
          "cannot read the checkpoint of unit " + spec.from());
      return;
    }
    continueTraining();
  }

  private void continueTraining() {
    int done = unit - spec.from();
    AttemptBehavior attemptBehavior = attemptScript.behavior();
    if (attemptBehavior.misbehavesAfter(done)) {
      if (attemptBehavior.kind() == AttemptBehavior.Kind.HANGS) {
        hanging = true;
        hangsSince = world.time().instant();
        count(FaultKind.TRIAL_HUNG);
        return;
      }
      if (attemptBehavior.kind() == AttemptBehavior.Kind.CRASHES) {
        schedule(timeOf(done + 0.5), () -> crash(attemptBehavior.exitCode()));
        return;
      }
      fallSilent();
    }
    schedule(timeOf(done + 1), this::unitEnds);
  }

  private void schedule(long nanos, Runnable action) {
    world.time().schedule(nanos, number, action);
  }

  private void fallSilent() {
    if (!silent && attemptScript.behavior().kind() == AttemptBehavior.Kind.STOPS_REPORTING) {
      silent = true;
      count(FaultKind.TRIAL_SILENT);
    }
  }

  private void count(FaultKind faultKind) {
    world.groundTruth().faultCounts().count(faultKind);
  }

  private long timeOf(double units) {
    return startedAt + VirtualTime.nanos(attemptScript.startupS() + units * attemptScript.unitS());
  }

  private void crash(int exitCode) {
    if (!isEnded() && !stopping) {
      count(FaultKind.TRIAL_CRASHED);
      end(exitCode, TrainingGroundTruth.AttemptOutcome.FAILED, "exit " + exitCode);
    }
  }

  private void unitEnds() {
    if (isEnded() || stopping) {
      return;
    }
    unit++;
    world.groundTruth().training().unitTrained(spec, unit);
    int done = unit - spec.from();
    boolean last = unit == spec.to() || (unit < spec.to() && unit >= attemptScript.doneAt());
    boolean due = attemptScript.savesEvery() > 0 && done % attemptScript.savesEvery() == 0;
    if ((last || due) && unit <= spec.to() && !save()) {
      return;
    }
    if (!silent) {
      report(done);
    }
    boolean runsOn = last && attemptScript.behavior().kind() == AttemptBehavior.Kind.OVERRUNS;
    if (runsOn) {
      count(FaultKind.TRIAL_OVERRAN);
    }
    if (last && !runsOn) {
      boolean whole = !world.checkpoints().isNewestTorn(spec.trial(), unit);
      end(
          0,
          whole
              ? TrainingGroundTruth.AttemptOutcome.COMPLETED
              : TrainingGroundTruth.AttemptOutcome.TORN,
          "exit 0");
    } else {
      continueTraining();
    }
  }

  private boolean save() {
    if (!spec.resumable()) {
      return true;
    }
    if (simulatedInstances.stream().anyMatch(simulatedInstance -> simulatedInstance.diskFull)) {
      end(1, TrainingGroundTruth.AttemptOutcome.FAILED, "exit 1: no space left on device");
      return false;
    }
    world
        .checkpoints()
        .save(spec.trial(), unit, spec.keep(), spec.neededCheckpoints(), attemptScript.torn());
    return true;
  }

  private void report(int done) {
    if (attemptScript.behavior().kind() == AttemptBehavior.Kind.SENDS_INVALID_REPORTS
        && attemptScript.behavior().misbehavesAfter(done - 1)
        && !attemptScript.behavior().misbehavesAfter(done - 2)) {
      count(FaultKind.INVALID_REPORTS);
      post(new EngineEvent.Faulted(spec.attempt(), "not a report", world.time().instant()));
      post(reported(Math.max(1, unit - 1)));
      postAndRecord(reported(unit));
    }
    postAndRecord(reported(unit));
  }

  private EngineEvent.Reported reported(int of) {
    return new EngineEvent.Reported(
        spec.attempt(),
        of,
        world.training().metrics(spec.trial(), of),
        of >= attemptScript.doneAt() && of <= spec.to(),
        world.time().instant());
  }

  private void postAndRecord(EngineEvent.Reported report) {
    lastReported = Math.max(lastReported, report.unit());
    reports.add(report);
    post(report);
  }

  /** Requests a checkpoint and the exit of the workers; kills them after {@code graceS} seconds. */
  void stop(double graceS) {
    if (isEnded()) {
      return;
    }
    world.time().scheduleAfter(graceS, this::kill);
    if (!hanging && !stopping) {
      stopping = true;
      schedule(world.time().nanos() + VirtualTime.nanos(attemptScript.stopS()), this::stopped);
    }
  }

  private void stopped() {
    if (isEnded()) {
      return;
    }
    boolean trained = unit > spec.from();
    if (!trained) {
      end(TERMINATED, TrainingGroundTruth.AttemptOutcome.STOPPED, "exit " + TERMINATED);
    } else if (unit > spec.to() || save()) {
      end(RETRY, TrainingGroundTruth.AttemptOutcome.STOPPED, "exit " + RETRY);
    }
  }

  /** Answers a check: an attempt that does not hang uses the CPU. */
  void check() {
    if (!isEnded() && reachable()) {
      Instant now = world.time().instant();
      double silenceS = hanging ? Seconds.between(hangsSince, now) : 0;
      post(new EngineEvent.Active(spec.attempt(), silenceS, now));
    }
  }

  /** Kills the workers immediately, unless their instance is unreachable. */
  void kill() {
    kill(TrainingGroundTruth.AttemptOutcome.STOPPED);
  }

  /** Ends the attempt together with its controller. */
  void endWithController() {
    kill(TrainingGroundTruth.AttemptOutcome.CHECKPOINT_OR_CONTROLLER_LOST);
  }

  private void kill(TrainingGroundTruth.AttemptOutcome why) {
    if (!isEnded() && reachable()) {
      end(KILLED, why, "exit " + KILLED);
    }
  }

  private boolean reachable() {
    return simulatedInstances.stream()
        .noneMatch(
            simulatedInstance -> simulatedInstance.isAlive() && !simulatedInstance.reachable);
  }

  /** Ends the attempt because one of its instances has ended. */
  void endWithInstance() {
    if (!isEnded()) {
      end(
          KILLED,
          TrainingGroundTruth.AttemptOutcome.INSTANCE_LOST,
          "an instance of the attempt has ended");
    }
  }

  private void end(int exitCode, TrainingGroundTruth.AttemptOutcome how, String message) {
    int limit = lastReported >= spec.to() ? spec.to() : spec.to() - 1;
    world.groundTruth().attemptEnded(spec.attempt(), simulatedInstances);
    world.groundTruth().training().attemptEnded(spec, unit, how);
    EngineEvent.Ended event =
        new EngineEvent.Ended(
                spec.attempt(),
                exitCode,
                world.checkpoints().newest(spec.trial(), limit),
                world.checkpoints().isNewestTorn(spec.trial(), limit),
                message,
                world.time().instant(),
                how == TrainingGroundTruth.AttemptOutcome.INSTANCE_LOST)
            .withStart(world.time().instantAt(startedAt));
    end = Optional.of(event);
    whenEnded.run();
    post(event);
  }

  private void post(EngineEvent event) {
    watcher.accept(event);
  }

  /**
   * Sends all further events to another consumer, and first those that it missed: reports after
   * {@code reported}, and the end.
   */
  void setConsumer(Consumer<EngineEvent> other, int reported) {
    watcher = other;
    reports.stream().filter(report -> report.unit() > reported).forEach(other);
    end.ifPresent(other);
  }

  /** Discards all further events. */
  void clearConsumer() {
    watcher = event -> {};
  }
}
