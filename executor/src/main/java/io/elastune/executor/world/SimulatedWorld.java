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
 * A cloud and an engine in one, sharing a clock: ending an instance ends its workers. Everything
 * that happens follows from the seed and from what is asked of it. Each controller opens its own
 * doors; what they rented and started goes on after them.
 */
public final class SimulatedWorld {
  /** Seconds that the trial protocol gives a stopped attempt. */
  public static final double GRACE_S = 30;

  private final Timeline time;
  private final Book book;
  private final Chance chance;
  private final Faults faults;
  private final Provider provider;
  private final Workers workers;
  private int doors;

  /** A world in which {@code training} is trained and no setup fails. */
  public SimulatedWorld(long seed, Faults faults, Training training) {
    this(seed, faults, training, setup -> Optional.empty());
  }

  /** A world without faults that begins at {@code start}. */
  public SimulatedWorld(long seed, Training training, Instant start) {
    this(seed, Faults.NONE, training, setup -> Optional.empty(), start, Optional.empty());
  }

  /** A world without faults, and with nothing left to chance. */
  public SimulatedWorld(Training training, Waits waits) {
    this(0, Faults.NONE, training, setup -> Optional.empty(), Timeline.START, Optional.of(waits));
  }

  /** {@code setups} says how a setup fails, if it does. */
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
    Waits coming = waits.orElseGet(() -> Waits.drawn(ofProvider.at("instance")));
    provider = new Provider(time, ofProvider, faults, book, setups, coming);
    CheckpointShelf shelf = new CheckpointShelf(chance.at("checkpoints"), faults, book.mishaps());
    workers = new Workers(new SimulatedAttempt.Surroundings(time, training, shelf, provider, book));
  }

  /** The world's time. */
  public Timeline time() {
    return time;
  }

  /** What really happened. */
  public Book book() {
    return book;
  }

  /** Another stream of chance of the same seed. */
  public Chance chance(String name) {
    return chance.at(name);
  }

  /** Opens a door to the cloud. */
  public Cloud cloud(Consumer<CloudEvent> events) {
    Chance own = chance.at("cloud door").at(doors++);
    Wire<CloudEvent> wire =
        new Wire<>(time, own.at("events"), faults.events(), book.mishaps(), events);
    return new SimulatedCloud(time, provider, book, own.at("calls"), faults.calls(), wire);
  }

  /** A controller dies: its doors say and do nothing any more; what it began goes on. */
  public void abandon(Cloud cloud, Engine engine) {
    cloud.close();
    provider.unattended();
    if (engine instanceof SimulatedEngine door) {
      door.abandon();
    }
  }

  /** Opens a door to the engine. */
  public Engine engine(Consumer<EngineEvent> events) {
    return engine(events, GRACE_S);
  }

  /** {@code graceS}: seconds that a stopped attempt has before it is killed. */
  public Engine engine(Consumer<EngineEvent> events, double graceS) {
    return door(events, graceS);
  }

  private SimulatedEngine door(Consumer<EngineEvent> events, double graceS) {
    Chance own = chance.at("engine door").at(doors++);
    Wire<EngineEvent> wire = new Wire<>(time, own, faults.events(), book.mishaps(), events);
    return new SimulatedEngine(workers, wire, graceS);
  }

  /** Whether anything of an attempt still runs. */
  boolean runs(String attempt) {
    return workers.find(attempt).filter(found -> !found.ended()).isPresent();
  }
}
