package io.elastune.provisioner.local;

import io.elastune.core.time.Seconds;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.LossReason;
import io.elastune.provisioner.Node;
import io.elastune.provisioner.NodePreparation;
import io.elastune.provisioner.PreparationFailure;
import io.elastune.provisioner.RefusalReason;
import io.elastune.provisioner.process.InstanceFolder;
import io.elastune.provisioner.process.OwnedProcesses;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Manages one instance from request to confirmed termination. Used in the event loop only. */
final class LocalInstance {
  private static final Logger LOG = LoggerFactory.getLogger(LocalInstance.class);

  /** The time between SIGTERM and SIGKILL, as in the guard. Trials end before a release. */
  private static final Duration GRACE = Duration.ofSeconds(1);

  /** The time after which a guard is considered hung. */
  private static final Duration GUARD_PATIENCE = Duration.ofSeconds(5);

  /** Errors in the work on an instance after which only its guard ends it. */
  private static final int MOST_ERRORS = 20;

  private static final String ADDRESS = "127.0.0.1";
  private static final Duration WAIT_STEP = Duration.ofMillis(500);

  /** One minute: the end of an instance, with a checkpoint, takes less. */
  private static final int REFUSED_AFTER_STEPS = 120;

  private final LeaseRequest request;
  private final LocalCloudContext localCloudContext;
  private final InstanceFolder folder;
  private final BiConsumer<LocalInstance, Optional<Instant>> onEnd;
  private final BooleanSupplier hasOtherInstances;
  private Optional<Instant> running = Optional.empty();
  private State state = State.PENDING;
  private Optional<Instant> booted = Optional.empty();

  /** The report that it is ready, or that its setup has failed. */
  private Optional<CloudEvent> outcome = Optional.empty();

  private Optional<DeviceAssignment> devices = Optional.empty();
  private int waitedSteps;
  private int errors;
  private boolean ended;
  private @Nullable InstanceGuard instanceGuard;

  /** The state of the instance, as {@code list} reports it. */
  enum State {
    PENDING,
    BOOTING,
    READY,
    SETUP_FAILED,
    ENDING
  }

  /**
   * Creates an instance that is not requested yet.
   *
   * @param left is called before the terminal event with the time of termination, or with an empty
   *     time if nothing was rented
   * @param hasOtherInstances whether the run has instances that are not pending
   */
  LocalInstance(
      LeaseRequest request,
      LocalCloudContext localCloudContext,
      BiConsumer<LocalInstance, Optional<Instant>> left,
      BooleanSupplier hasOtherInstances) {
    this.request = request;
    this.localCloudContext = localCloudContext;
    this.onEnd = left;
    this.hasOtherInstances = hasOtherInstances;
    folder = InstanceFolder.of(localCloudContext.home(), request.lease());
  }

  String lease() {
    return request.lease();
  }

  String run() {
    return request.run();
  }

  State state() {
    return state;
  }

  /** Runs a command for this instance: whatever fails in it ends the instance. */
  private void own(Runnable command) {
    localCloudContext.loop().own(this::broken, command);
  }

  /** Ends the instance after an error in the work on it, whatever it was. */
  private void broken(Throwable error) {
    LOG.warn("Instance {} cannot be used: {}", lease(), error.toString());
    errors++;
    if (errors > MOST_ERRORS) {
      return; // the controller repeats the release, and the guard ends the processes
    }
    if (state == State.PENDING && instanceGuard == null) {
      refuse("starting a local instance failed: " + error);
      return;
    }
    if (state != State.ENDING) {
      state = State.ENDING;
      localCloudContext.emit(
          new CloudEvent.Lost(
              lease(), LossReason.FAILED, String.valueOf(error), localCloudContext.now()));
      stopGuard();
    }
    InstanceTermination.terminate(localCloudContext.loop(), this::family, GRACE, this::end);
  }

  /** Writes the tags and starts the queueing time. */
  void request() {
    own(this::write);
  }

  private void write() {
    try {
      InstanceRecords.create(folder, request.tags());
    } catch (IOException e) {
      refuse("starting a local instance failed: " + e);
      return;
    }
    after(request.offer().queueS().mean(), this::start);
  }

  private void start() {
    if (state != State.PENDING) {
      return;
    }
    Instant now = localCloudContext.now();
    try {
      devices =
          Optional.of(
              localCloudContext
                  .devices()
                  .assign(folder, run(), request.offer(), () -> startGuard(now)));
    } catch (IOException e) {
      refuse("starting a local instance failed: " + e);
      return;
    } catch (DeviceShortageException e) {
      waitFor(e);
      return;
    }
    state = State.BOOTING;
    running = Optional.of(now);
    reportRunning();
    after(request.offer().bootS().mean(), this::boot);
  }

  private void reportRunning() {
    running.ifPresent(
        at ->
            localCloudContext.emit(
                new CloudEvent.Running(lease(), InstanceRecords.id(lease()), at)));
  }

  /** Reports the state again. */
  void repeat() {
    reportRunning();
    if (state == State.READY || state == State.SETUP_FAILED) {
      outcome.ifPresent(localCloudContext::emit);
    }
  }

  private void startGuard(Instant now) throws IOException {
    InstanceGuard started = InstanceGuard.start(folder, marks());
    instanceGuard = started;
    InstanceRecords.record(folder, started.pid(), now);
    localCloudContext.loop().whenComplete(started.onExit(), (exit, failure) -> guardEnded());
  }

  /**
   * Stays pending while other instances hold the devices. After a while, the request is refused if
   * the run has another instance to continue with: two runs could wait for each other.
   */
  private void waitFor(DeviceShortageException shortage) {
    boolean tooLong = waitedSteps >= REFUSED_AFTER_STEPS && hasOtherInstances.getAsBoolean();
    if (!shortage.isTemporary() || tooLong) {
      refuse(String.valueOf(shortage.getMessage()));
      return;
    }
    if (waitedSteps == 0) {
      LOG.warn(
          "Instance {} waits: {}. To free them: elastune stop RUN", lease(), shortage.getMessage());
    }
    waitedSteps++;
    localCloudContext.loop().schedule(WAIT_STEP, this::start);
  }

  private void boot() {
    if (state != State.BOOTING) {
      return;
    }
    booted = Optional.of(localCloudContext.now());
    request
        .setup()
        .ifPresentOrElse(
            setup -> localCloudContext.setups().run(folder, setup, marks(), this::setUp),
            () -> setUp(Optional.empty()));
  }

  private void setUp(Optional<PreparationFailure> problem) {
    if (state != State.BOOTING) {
      return;
    }
    state = problem.isEmpty() ? State.READY : State.SETUP_FAILED;
    CloudEvent reported =
        problem.isEmpty()
            ? new CloudEvent.Ready(lease(), node(), localCloudContext.now(), preparation())
            : problem.get().event(lease(), localCloudContext.now());
    outcome = Optional.of(reported);
    localCloudContext.emit(reported);
  }

  /** Ends the instance in any state. */
  void release() {
    own(this::endOnce);
  }

  private void endOnce() {
    if (state == State.ENDING) {
      return;
    }
    state = State.ENDING;
    if (instanceGuard == null) {
      end();
      return;
    }
    instanceGuard.stop();
    InstanceTermination.await(localCloudContext.loop(), this::family, GUARD_PATIENCE, this::end);
  }

  /** Stops the guard without waiting for it. */
  void stopGuard() {
    if (instanceGuard != null) {
      instanceGuard.stop();
    }
  }

  private void guardEnded() {
    if (state == State.ENDING) {
      return;
    }
    state = State.ENDING;
    String message = "another process ended the guard of this local instance";
    localCloudContext.emit(
        new CloudEvent.Lost(lease(), LossReason.FAILED, message, localCloudContext.now()));
    InstanceTermination.terminate(localCloudContext.loop(), this::family, GRACE, this::end);
  }

  private void end() {
    if (ended) {
      return;
    }
    ended = true;
    Instant at = localCloudContext.now();
    localCloudContext
        .graveyard()
        .store(lease(), new TerminatedInstanceStore.TerminatedInstance(running, at));
    InstanceRecords.remove(folder);
    onEnd.accept(this, Optional.of(at));
    localCloudContext.emit(new CloudEvent.Terminated(lease(), running, at));
  }

  private NodePreparation preparation() {
    return request
        .setup()
        .map(
            setup ->
                NodePreparation.of(
                    Optional.empty(),
                    setup,
                    Seconds.between(booted.orElseThrow(), localCloudContext.now())))
        .orElse(NodePreparation.withoutSetup(Optional.empty()));
  }

  private Node node() {
    return devices
        .map(assigned -> new Node(ADDRESS, assigned.slots(), assigned.visibleDevices()))
        .orElseThrow();
  }

  private void refuse(String message) {
    state = State.ENDING;
    InstanceRecords.remove(folder);
    onEnd.accept(this, Optional.empty());
    localCloudContext.emit(
        new CloudEvent.Refused(lease(), RefusalReason.CAPACITY, message, localCloudContext.now()));
  }

  private OwnedProcesses family() {
    Set<Long> leaders = new HashSet<>(folder.registered());
    if (instanceGuard != null && instanceGuard.isAlive()) {
      leaders.add(instanceGuard.pid());
    }
    return new OwnedProcesses("ELASTUNE_LEASE", lease(), leaders);
  }

  private Map<String, String> marks() {
    return Map.of("ELASTUNE_RUN", run(), "ELASTUNE_LEASE", lease());
  }

  private void after(double seconds, Runnable action) {
    localCloudContext.loop().schedule(Duration.ofMillis(Math.round(seconds * 1000)), action);
  }
}
