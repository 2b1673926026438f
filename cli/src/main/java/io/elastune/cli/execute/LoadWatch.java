package io.elastune.cli.execute;

import io.elastune.cli.inspect.RunLoad;
import io.elastune.core.allocation.TrialsAtOnce;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.journal.RunFolder;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Measures in regular intervals what other programs use of this machine while a run is executed,
 * and stores it in the folder of the run.
 */
final class LoadWatch implements AutoCloseable {
  private static final int INTERVAL_S = 10;

  /** Shorter than this, an interval says little. */
  private static final double SHORTEST_S = 2;

  private final RunFolder folder;
  private final InstantSource clock;
  private final Optional<LoadMonitor> monitor;
  private final double coresOfGpu;
  private final ScheduledExecutorService timer;
  private OtherLoad load = OtherLoad.start();
  private Instant since;
  private volatile int gpus;

  private LoadWatch(
      RunFolder folder, InstantSource clock, Optional<LoadMonitor> monitor, double coresOfGpu) {
    this.folder = folder;
    this.clock = clock;
    this.monitor = monitor;
    this.coresOfGpu = coresOfGpu;
    this.since = clock.instant();
    timer =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "load");
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Starts the measurement, if the run has instances on this machine. */
  static LoadWatch start(
      RunDefinition definition,
      RunFolder folder,
      InstantSource clock,
      ProgressReporter progressReporter) {
    boolean isHere =
        !definition.isProfiling()
            && definition.offers().values().stream().anyMatch(it -> it.provider().equals("local"));
    Optional<LoadMonitor> monitor =
        isHere
            ? Optional.of(
                new LoadMonitor(
                    Runtime.getRuntime().availableProcessors(),
                    profiledCores(definition, folder),
                    progressReporter::printNote))
            : Optional.empty();
    double coresOfGpu =
        definition.offers().values().stream().mapToDouble(TrialsAtOnce::coresOfGpu).max().orElse(1);
    LoadWatch watch = new LoadWatch(folder, clock, monitor, coresOfGpu);
    if (isHere) {
      var unused =
          watch.timer.scheduleWithFixedDelay(
              watch::measure, INTERVAL_S, INTERVAL_S, TimeUnit.SECONDS);
    }
    return watch;
  }

  /** A run with a fixed cluster has no profiles: it compares itself with its earlier controller. */
  private static OptionalDouble profiledCores(RunDefinition definition, RunFolder folder) {
    return definition
        .planning()
        .map(planning -> LoadMonitor.profiledCores(planning.profiles().values()))
        .filter(OptionalDouble::isPresent)
        .or(() -> RunLoad.read(folder).map(RunLoad::whileProfiled))
        .orElse(OptionalDouble.empty());
  }

  /** Receives the state of the run. */
  void observe(RunState state) {
    gpus =
        state.attempts().values().stream()
            .filter(AttemptState::isActive)
            .mapToInt(attempt -> attempt.places().size())
            .sum();
  }

  private synchronized void measure() {
    double seconds = Duration.between(since, clock.instant()).toMillis() / 1e3;
    OptionalDouble others = load.cores();
    if (seconds < SHORTEST_S || others.isEmpty() || monitor.isEmpty()) {
      return;
    }
    monitor.get().observe(others.getAsDouble(), seconds, gpus * coresOfGpu).write(folder);
    load = OtherLoad.start();
    since = clock.instant();
  }

  @Override
  public void close() {
    timer.shutdownNow();
    measure();
  }
}
