package io.elastune.executor.world;

import io.elastune.executor.engine.Engine;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.NodeSetup;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Simulates a cloud and an engine that share one virtual clock: terminating an instance ends its
 * workers. All events follow from the seed and the calls made. Each controller opens its own cloud
 * and engine; instances and workers outlive them.
 */
public final class SimulatedWorld {
  /** The grace period of a stopped attempt by the trial protocol, in seconds. */
  public static final double GRACE_S = 30;

  private final Timeline time;
  private final Book book;
  private final Chance chance;
  private final Faults faults;
  private final Provider provider;
  private final Workers workers;
  private int opened;

  /** Creates an environment in which no setup fails. */
  public SimulatedWorld(long seed, Faults faults, Training training) {
    this(seed, faults, training, setup -> Optional.empty());
  }

  /** Creates an environment without faults whose clock starts at {@code start}. */
  public SimulatedWorld(long seed, Training training, Instant start) {
    this(seed, Faults.NONE, training, setup -> Optional.empty(), start, Optional.empty());
  }

  /** Creates an environment without faults or randomness. */
  public SimulatedWorld(Training training, Waits waits) {
    this(0, Faults.NONE, training, setup -> Optional.empty(), Timeline.START, Optional.of(waits));
  }

  /** Creates an environment in which {@code setups} returns the error of a setup that fails. */
  public SimulatedWorld(
      long seed, Faults faults, Training training, Function<NodeSetup, Optional<String>> setups) {
    this(seed, faults, training, setups, Timeline.START, Optional.empty());
  }

  private SimulatedWorld(
      long seed,
      Faults faults,
      Training training,
      Function<NodeSetup, Optional<String>> setups,
      Instant start,
      Optional<Waits> waits) {
    this.faults = faults;
    time = new Timeline(start);
    book = new Book(time);
    chance = Chance.of(seed);
    Chance ofProvider = chance.at("provider");
    Waits times = waits.orElseGet(() -> Waits.drawn(ofProvider.at("instance")));
    provider = new Provider(time, ofProvider, faults, book, setups, times);
    CheckpointShelf shelf = new CheckpointShelf(chance.at("checkpoints"), faults, book.mishaps());
    workers = new Workers(new SimulatedAttempt.Surroundings(time, training, shelf, provider, book));
  }

  /** Returns the virtual clock. */
  public Timeline time() {
    return time;
  }

  /** Returns the ground truth. */
  public Book book() {
    return book;
  }

  /** Returns a further random stream of the same seed. */
  public Chance chance(String name) {
    return chance.at(name);
  }

  /** Opens the cloud for one controller. */
  public Cloud cloud(Consumer<CloudEvent> events) {
    Chance own = chance.at("cloud door").at(opened++);
    Wire<CloudEvent> wire =
        new Wire<>(time, own.at("events"), faults.events(), book.mishaps(), events);
    return new SimulatedCloud(time, provider, book, own.at("calls"), faults.calls(), wire);
  }

  /**
   * Simulates the failure of a controller: its cloud and engine stop working; instances and workers
   * continue.
   */
  public void abandon(Cloud cloud, Engine engine) {
    cloud.close();
    provider.unattended();
    if (engine instanceof SimulatedEngine simulated) {
      simulated.abandon();
    }
  }

  /** Opens the engine for one controller. */
  public Engine engine(Consumer<EngineEvent> events) {
    return engine(events, GRACE_S);
  }

  /**
   * Opens the engine for one controller; a stopped attempt is killed after {@code graceS} seconds.
   */
  public Engine engine(Consumer<EngineEvent> events, double graceS) {
    return open(events, graceS);
  }

  private SimulatedEngine open(Consumer<EngineEvent> events, double graceS) {
    Chance own = chance.at("engine door").at(opened++);
    Wire<EngineEvent> wire = new Wire<>(time, own, faults.events(), book.mishaps(), events);
    return new SimulatedEngine(workers, wire, graceS);
  }

  /** Returns whether an attempt still runs. */
  boolean runs(String attempt) {
    return workers.find(attempt).filter(found -> !found.ended()).isPresent();
  }
}
