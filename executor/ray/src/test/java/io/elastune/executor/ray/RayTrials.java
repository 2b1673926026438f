package io.elastune.executor.ray;

import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.AttemptSpecBuilder;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.engine.TrialScripts;
import io.elastune.executor.protocol.WorkerEnvironment;
import io.elastune.executor.ray.link.BridgeSettings;
import io.elastune.executor.ray.link.Frame;
import io.elastune.executor.ray.link.RayLink;
import io.elastune.provisioner.process.EventLoop;
import io.elastune.provisioner.process.OwnedProcesses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Opens Ray engines for tests, and runs trials that are shell scripts. */
final class RayTrials {
  static final RayLink.Listener IGNORED =
      new RayLink.Listener() {
        @Override
        public void connected() {}

        @Override
        public void event(Frame event) {}
      };

  private RayTrials() {}

  /** Opens an engine whose agents are in its bridge; their folders are below {@code folder}. */
  static RayEngine openLoopback(Path folder, int epoch, String run, Consumer<EngineEvent> consumer)
      throws IOException {
    return open(folder, loopback(folder, epoch, run), consumer);
  }

  static BridgeSettings loopback(Path folder, int epoch, String run) throws IOException {
    Files.createDirectories(folder.resolve("nodes"));
    return new BridgeSettings(
        List.of("python3"),
        BridgeSettings.LOOPBACK,
        folder.resolve("nodes").toString(),
        run,
        epoch,
        folder.resolve("ray.log"),
        Map.of(),
        Duration.ofSeconds(15));
  }

  static RayEngine open(Path folder, BridgeSettings bridge, Consumer<EngineEvent> consumer)
      throws IOException {
    return open(folder, bridge, Duration.ofMinutes(2), consumer);
  }

  static RayEngine open(
      Path folder, BridgeSettings bridge, Duration timeToLive, Consumer<EngineEvent> consumer)
      throws IOException {
    return open(folder, bridge, timeToLive, Duration.ofSeconds(60), consumer);
  }

  static RayEngine open(
      Path folder,
      BridgeSettings bridge,
      Duration timeToLive,
      Duration lostAfter,
      Consumer<EngineEvent> consumer)
      throws IOException {
    TrialScripts.copyTo(folder);
    RayEngineSettings settings =
        new RayEngineSettings(timeToLive, Duration.ofSeconds(2), Duration.ofMillis(300), lostAfter);
    return new RayEngine(settings, bridge, InstantSource.system(), consumer);
  }

  /** Opens an engine with faults in its tasks for attempts. */
  static RayEngine openWithFaults(
      BridgeSettings bridge, EventLoop.Faults faults, Consumer<EngineEvent> consumer) {
    RayEngineSettings settings =
        new RayEngineSettings(
            Duration.ofMinutes(2),
            Duration.ofSeconds(2),
            Duration.ofMillis(300),
            Duration.ofSeconds(60));
    return new RayEngine(settings, bridge, InstantSource.system(), consumer, faults);
  }

  static void sleep(Duration time) {
    try {
      Thread.sleep(time.toMillis());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  static OwnedProcesses processes(String run, String attempt) {
    return new OwnedProcesses(WorkerEnvironment.ATTEMPT, run + "/" + attempt, Set.of());
  }

  /** Returns the attempt with all its workers on another lease. */
  static AttemptSpec onLease(AttemptSpec spec, String lease) {
    List<AttemptSpec.Worker> workers =
        spec.workers().stream()
            .map(w -> new AttemptSpec.Worker(lease, w.address(), w.slot(), w.slotIndex()))
            .toList();
    return AttemptSpecBuilder.builder(spec).workers(workers).build();
  }
}
