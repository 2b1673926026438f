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

/** One rented instance, from request to proven end. Used in the machine's loop only. */
final class LocalInstance {
  /** As long as the guard gives; a released instance's trials have ended before. */
  private static final Duration GRACE = Duration.ofSeconds(1);

  /** After this much longer than the guard needs, it is taken to hang. */
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

  /** In the words that {@code list} uses. */
  enum State {
    PENDING,
    BOOTING,
    READY,
    SETUP_FAILED,
    ENDING
  }

  /**
   * Not requested yet.
   *
   * @param left is told before the events' consumer that nothing of it is left: since when, or
   *     empty if nothing was ever rented
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

  /** Writes the tags and waits in the queue. */
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

  /** Ends it, whatever its state. */
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

  /** Lets go of the pipe that keeps the instance alive. */
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
    String message = "the guard of this local instance was ended by somebody else";
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
    String message = "no local instance can be started: " + e;
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
