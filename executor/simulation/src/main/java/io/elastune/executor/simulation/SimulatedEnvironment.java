package io.elastune.executor.simulation;

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
public final class SimulatedEnvironment {
  /** The grace period of a stopped attempt by the trial protocol, in seconds. */
  public static final double GRACE_S = 30;

  private final VirtualTime time;
  private final GroundTruth groundTruth;
  private final RandomStream randomStream;
  private final FaultRates faultRates;
  private final SimulatedProvider simulatedProvider;
  private final SimulatedWorkers simulatedWorkers;
  private int opened;

  /** Creates an environment in which no setup fails. */
  public SimulatedEnvironment(long seed, FaultRates faultRates, TrainingModel trainingModel) {
    this(seed, faultRates, trainingModel, setup -> Optional.empty());
  }

  /** Creates an environment without faults whose clock starts at {@code start}. */
  public SimulatedEnvironment(long seed, TrainingModel trainingModel, Instant start) {
    this(
        seed,
        FaultRates.NONE,
        trainingModel,
        setup -> Optional.empty(),
        start,
        Optional.empty(),
        TracedCapacity.NONE);
  }

  /** Creates an environment without faults or randomness. */
  public SimulatedEnvironment(TrainingModel trainingModel, ProvisioningDelays provisioningDelays) {
    this(
        0,
        FaultRates.NONE,
        trainingModel,
        setup -> Optional.empty(),
        VirtualTime.START,
        Optional.of(provisioningDelays),
        TracedCapacity.NONE);
  }

  /** Creates an environment in which the capacity of some offers follows traces. */
  public SimulatedEnvironment(
      long seed, FaultRates faultRates, TrainingModel trainingModel, TracedCapacity traced) {
    this(
        seed,
        faultRates,
        trainingModel,
        setup -> Optional.empty(),
        VirtualTime.START,
        Optional.empty(),
        traced);
  }

  /** Creates an environment in which {@code setups} returns the error of a setup that fails. */
  public SimulatedEnvironment(
      long seed,
      FaultRates faultRates,
      TrainingModel trainingModel,
      Function<NodeSetup, Optional<String>> setups) {
    this(
        seed,
        faultRates,
        trainingModel,
        setups,
        VirtualTime.START,
        Optional.empty(),
        TracedCapacity.NONE);
  }

  private SimulatedEnvironment(
      long seed,
      FaultRates faultRates,
      TrainingModel trainingModel,
      Function<NodeSetup, Optional<String>> setups,
      Instant start,
      Optional<ProvisioningDelays> provisioningDelays,
      TracedCapacity traced) {
    this.faultRates = faultRates;
    time = new VirtualTime(start);
    groundTruth = new GroundTruth(time);
    randomStream = RandomStream.of(seed);
    RandomStream ofProvider = randomStream.substream("provider");
    ProvisioningDelays times =
        provisioningDelays.orElseGet(
            () -> ProvisioningDelays.drawn(ofProvider.substream("instance")));
    simulatedProvider =
        new SimulatedProvider(time, ofProvider, faultRates, groundTruth, setups, times, traced);
    SimulatedCheckpointStore checkpointStore =
        new SimulatedCheckpointStore(
            randomStream.substream("checkpoints"), faultRates, groundTruth.faultCounts());
    simulatedWorkers =
        new SimulatedWorkers(
            new SimulatedAttempt.Context(
                time, trainingModel, checkpointStore, simulatedProvider, groundTruth));
  }

  /** Returns the virtual clock. */
  public VirtualTime time() {
    return time;
  }

  /** Returns the ground truth. */
  public GroundTruth groundTruth() {
    return groundTruth;
  }

  /** Returns a further random stream of the same seed. */
  public RandomStream randomStream(String name) {
    return randomStream.substream(name);
  }

  /** Opens the cloud for one controller. */
  public Cloud cloud(Consumer<CloudEvent> events) {
    RandomStream own = randomStream.substream("cloud door").substream(opened++);
    FaultyChannel<CloudEvent> faultyChannel =
        new FaultyChannel<>(
            time, own.substream("events"), faultRates.events(), groundTruth.faultCounts(), events);
    return new SimulatedCloud(
        time,
        simulatedProvider,
        groundTruth,
        own.substream("calls"),
        faultRates.calls(),
        faultyChannel);
  }

  /**
   * Simulates the failure of a controller: its cloud and engine stop working; instances and workers
   * continue.
   */
  public void failController(Cloud cloud, Engine engine) {
    cloud.close();
    simulatedProvider.stopRenewals();
    if (engine instanceof SimulatedEngine simulated) {
      simulated.detach();
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
    RandomStream own = randomStream.substream("engine door").substream(opened++);
    FaultyChannel<EngineEvent> faultyChannel =
        new FaultyChannel<>(time, own, faultRates.events(), groundTruth.faultCounts(), events);
    return new SimulatedEngine(simulatedWorkers, faultyChannel, graceS);
  }

  /** Returns whether an attempt still runs. */
  boolean isRunning(String attempt) {
    return simulatedWorkers.find(attempt).filter(found -> !found.isEnded()).isPresent();
  }
}
