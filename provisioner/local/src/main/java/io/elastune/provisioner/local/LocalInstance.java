package io.elastune.provisioner.local;

import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.Loss;
import io.elastune.provisioner.Node;
import io.elastune.provisioner.Refusal;
import io.elastune.provisioner.host.InstanceFolder;
import io.elastune.provisioner.host.ProcessFamily;
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
  private final Machine machine;
  private final InstanceFolder folder;
  private final BiConsumer<LocalInstance, Optional<Instant>> left;
  private Optional<Instant> running = Optional.empty();
  private State state = State.PENDING;
  private List<String> slots = List.of();
  private @Nullable Guard guard;

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
      LeaseRequest request, Machine machine, BiConsumer<LocalInstance, Optional<Instant>> left) {
    this.request = request;
    this.machine = machine;
    this.left = left;
    folder = InstanceFolder.of(machine.home(), request.lease());
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
      Instances.create(folder, request.tags());
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
    Instant now = machine.now();
    try {
      Guard started = Guard.start(folder, marks());
      guard = started;
      Instances.record(folder, started.pid(), now);
      var unused = started.onExit().thenRunAsync(this::guardEnded, machine.loop());
    } catch (IOException e) {
      refuse(e);
      return;
    }
    state = State.BOOTING;
    running = Optional.of(now);
    slots = machine.cores().take(request.offer().gpus(), request.offer().coresPerGpu());
    machine.tell(new CloudEvent.Running(lease(), Instances.id(lease()), now));
    after(request.offer().bootS().mean(), this::boot);
  }

  private void boot() {
    if (state != State.BOOTING) {
      return;
    }
    request
        .setup()
        .ifPresentOrElse(
            setup -> machine.setups().run(folder, setup, marks(), this::setUp),
            () -> setUp(Optional.empty()));
  }

  private void setUp(Optional<String> problem) {
    if (state != State.BOOTING) {
      return;
    }
    state = problem.isEmpty() ? State.READY : State.SETUP_FAILED;
    machine.tell(
        problem.isEmpty()
            ? new CloudEvent.Ready(lease(), new Node(ADDRESS, slots), machine.now())
            : new CloudEvent.SetupFailed(lease(), problem.get(), machine.now()));
  }

  /** Ends the instance in any state. */
  void release() {
    if (state == State.ENDING) {
      return;
    }
    state = State.ENDING;
    if (guard == null) {
      end();
      return;
    }
    guard.end();
    Ending.await(machine.loop(), this::family, GUARD_PATIENCE, this::end);
  }

  /** Stops the guard without waiting for it. */
  void abandon() {
    if (guard != null) {
      guard.end();
    }
  }

  private void guardEnded() {
    if (state == State.ENDING) {
      return;
    }
    state = State.ENDING;
    String message = "another process ended the guard of this local instance";
    machine.tell(new CloudEvent.Lost(lease(), Loss.FAILED, message, machine.now()));
    Ending.end(machine.loop(), this::family, GRACE, this::end);
  }

  private void end() {
    machine.cores().giveBack(slots);
    Instant at = machine.now();
    machine.graveyard().bury(lease(), new Graveyard.Grave(running, at));
    Instances.remove(folder);
    left.accept(this, Optional.of(at));
    machine.tell(new CloudEvent.Terminated(lease(), at));
  }

  private void refuse(IOException e) {
    state = State.ENDING;
    Instances.remove(folder);
    left.accept(this, Optional.empty());
    String message = "starting a local instance failed: " + e;
    machine.tell(new CloudEvent.Refused(lease(), Refusal.CAPACITY, message, machine.now()));
  }

  private ProcessFamily family() {
    Set<Long> leaders = new HashSet<>(folder.enrolled());
    if (guard != null && guard.isAlive()) {
      leaders.add(guard.pid());
    }
    return new ProcessFamily("ELASTUNE_LEASE", lease(), leaders);
  }

  private Map<String, String> marks() {
    return Map.of("ELASTUNE_RUN", run(), "ELASTUNE_LEASE", lease());
  }

  private void after(double seconds, Runnable action) {
    machine.loop().after(Duration.ofMillis(Math.round(seconds * 1000)), action);
  }
}
