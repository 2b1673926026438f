package io.elastune.cli.execute;

import io.elastune.core.plan.Problem;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Measures in regular intervals what other programs use of this machine while a run is executed.
 */
final class LoadWatch implements AutoCloseable {
  private static final int INTERVAL_S = 15;

  private final ScheduledExecutorService timer;
  private OtherLoad load = OtherLoad.start();

  private LoadWatch() {
    timer =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "load");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Starts the measurement.
   *
   * @param isHere whether the run has instances on this machine; otherwise nothing is measured
   */
  static LoadWatch start(boolean isHere, Problem problem, ProgressReporter progressReporter) {
    LoadWatch watch = new LoadWatch();
    if (isHere) {
      LoadMonitor monitor =
          new LoadMonitor(
              Runtime.getRuntime().availableProcessors(),
              LoadMonitor.profiledCores(problem),
              progressReporter::printNote);
      var unused =
          watch.timer.scheduleWithFixedDelay(
              () -> watch.measure(monitor), INTERVAL_S, INTERVAL_S, TimeUnit.SECONDS);
    }
    return watch;
  }

  private void measure(LoadMonitor monitor) {
    monitor.observe(load.cores());
    load = OtherLoad.start();
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
