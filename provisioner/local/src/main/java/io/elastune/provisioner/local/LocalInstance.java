package io.elastune.provisioner.local;

import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.LossReason;
import io.elastune.provisioner.Node;
import io.elastune.provisioner.RefusalReason;
import io.elastune.provisioner.process.InstanceFolder;
import io.elastune.provisioner.process.OwnedProcesses;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Manages one instance from request to confirmed termination. Used in the event loop only. */
final class LocalInstance {
  /** The time between SIGTERM and SIGKILL, as in the guard. Trials end before a release. */
  private static final Duration GRACE = Duration.ofSeconds(1);

  /** The time after which a guard is considered hung. */
  private static final Duration GUARD_PATIENCE = Duration.ofSeconds(5);

  private static final String ADDRESS = "127.0.0.1";

  private final LeaseRequest request;
  private final LocalCloudContext localCloudContext;
  private final InstanceFolder folder;
  private final BiConsumer<LocalInstance, Optional<Instant>> onEnd;
  private Optional<Instant> running = Optional.empty();
  private State state = State.PENDING;
  private List<String> slots = List.of();
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
   */
  LocalInstance(
      LeaseRequest request,
      LocalCloudContext localCloudContext,
      BiConsumer<LocalInstance, Optional<Instant>> left) {
    this.request = request;
    this.localCloudContext = localCloudContext;
    this.onEnd = left;
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

  /** Writes the tags and starts the queueing time. */
  void request() {
    try {
      InstanceRecords.create(folder, request.tags());
    } catch (IOException e) {
      refuse(e);
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
      InstanceGuard started = InstanceGuard.start(folder, marks());
      instanceGuard = started;
      InstanceRecords.record(folder, started.pid(), now);
      var unused = started.onExit().thenRunAsync(this::guardEnded, localCloudContext.loop());
    } catch (IOException e) {
      refuse(e);
      return;
    }
    state = State.BOOTING;
    running = Optional.of(now);
    slots =
        localCloudContext.cores().allocate(request.offer().gpus(), request.offer().coresPerGpu());
    localCloudContext.emit(new CloudEvent.Running(lease(), InstanceRecords.id(lease()), now));
    after(request.offer().bootS().mean(), this::boot);
  }

  private void boot() {
    if (state != State.BOOTING) {
      return;
    }
    request
        .setup()
        .ifPresentOrElse(
            setup -> localCloudContext.setups().run(folder, setup, marks(), this::setUp),
            () -> setUp(Optional.empty()));
  }

  private void setUp(Optional<String> problem) {
    if (state != State.BOOTING) {
      return;
    }
    state = problem.isEmpty() ? State.READY : State.SETUP_FAILED;
    localCloudContext.emit(
        problem.isEmpty()
            ? new CloudEvent.Ready(lease(), new Node(ADDRESS, slots), localCloudContext.now())
            : new CloudEvent.SetupFailed(lease(), problem.get(), localCloudContext.now()));
  }

  /** Ends the instance in any state. */
  void release() {
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
    localCloudContext.cores().free(slots);
    Instant at = localCloudContext.now();
    localCloudContext
        .graveyard()
        .store(lease(), new TerminatedInstanceStore.TerminatedInstance(running, at));
    InstanceRecords.remove(folder);
    onEnd.accept(this, Optional.of(at));
    localCloudContext.emit(new CloudEvent.Terminated(lease(), at));
  }

  private void refuse(IOException e) {
    state = State.ENDING;
    InstanceRecords.remove(folder);
    onEnd.accept(this, Optional.empty());
    String message = "starting a local instance failed: " + e;
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
