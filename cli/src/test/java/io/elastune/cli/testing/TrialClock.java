package io.elastune.cli.testing;

import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.journal.AttemptRow;
import io.elastune.executor.journal.ReplayedRun;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/**
 * The clock of one run in this JVM whose trials execute {@code timed.sh}. It stands still while the
 * run does anything else than wait for the units of its trials, so the times of a run with real
 * processes do not depend on the speed of the machine. Units take as long as the test says.
 */
public final class TrialClock implements InstantSource, AutoCloseable {
  private static final int POLL_MS = 40;

  /** Phases of leases in which nothing is expected of the cloud. */
  private static final Set<LeaseState.Phase> SETTLED =
      EnumSet.of(LeaseState.Phase.READY, LeaseState.Phase.GONE);

  private final Path waits;
  private final Path home;
  private final Duration unit;
  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.now().truncatedTo(ChronoUnit.SECONDS));
  private final Map<Path, Instant> due = new HashMap<>();
  private final Thread thread = new Thread(this::run, "trial-clock");
  private volatile boolean closed;
  private volatile String failure = "";

  /**
   * Starts the clock.
   *
   * @param waits the folder in which trials wait
   * @param home the home with the only run
   * @param unitS the seconds of a unit
   */
  public TrialClock(Path waits, Path home, double unitS) throws IOException {
    this.waits = Files.createDirectories(waits);
    this.home = home;
    unit = Duration.ofMillis(Math.round(unitS * 1000));
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public Instant instant() {
    return now.get();
  }

  private void run() {
    try {
      while (!closed) {
        if (onlyWaits()) {
          advance();
        }
        Thread.sleep(POLL_MS);
      }
    } catch (IOException | InterruptedException | RuntimeException e) {
      failure = e.toString();
    }
  }

  /** Returns whether all attempts of the run wait, and nothing else is in progress. */
  private boolean onlyWaits() throws IOException {
    try (Stream<Path> files = Files.list(waits)) {
      files
          .filter(file -> !file.toString().endsWith(".new"))
          .forEach(file -> due.putIfAbsent(file, now.get().plus(unit)));
    }
    List<RunFolder> runs = due.isEmpty() ? List.of() : RunFolder.all(home);
    return !runs.isEmpty() && onlyWaits(runs.get(0));
  }

  private boolean onlyWaits(RunFolder run) throws IOException {
    try (RunReader journal = RunReader.open(run)) {
      List<String> attempts = journal.runningAttempts().stream().map(AttemptRow::attempt).toList();
      for (Path wait : List.copyOf(due.keySet())) {
        if (!attempts.contains(attempt(wait))) { // stopped by the controller
          due.remove(wait);
          Files.deleteIfExists(wait);
        }
      }
      return attempts.size() == due.size()
          && journal.leases().stream().allMatch(lease -> SETTLED.contains(lease.phase()))
          && due.keySet().stream().allMatch(wait -> isReported(journal, wait))
          && !ReplayedRun.read(run).state().steering().open();
    }
  }

  /** Returns whether the unit before the one that an attempt waits for is in the journal. */
  private static boolean isReported(RunReader journal, Path wait) {
    String name = wait.getFileName().toString();
    String attempt = attempt(wait);
    int unit = Integer.parseInt(name.substring(attempt.length() + 1));
    return journal.runningAttempts().stream()
            .anyMatch(row -> row.attempt().equals(attempt) && row.from() == unit)
        || journal.reports().stream()
            .anyMatch(row -> row.attempt().equals(attempt) && row.unit() == unit);
  }

  private static String attempt(Path wait) {
    String name = wait.getFileName().toString();
    return name.substring(0, name.lastIndexOf('.'));
  }

  /** Advances to the end of the next unit. */
  private void advance() throws IOException {
    Instant next = due.values().stream().min(Instant::compareTo).orElseThrow();
    now.set(next);
    for (Path wait : List.copyOf(due.keySet())) {
      if (!due.get(wait).isAfter(next)) {
        due.remove(wait);
        Files.writeString(wait, "\n");
        Files.delete(wait);
      }
    }
  }

  /** Stops the clock; fails if it has stopped before. */
  @Override
  public void close() {
    closed = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!failure.isEmpty()) {
      throw new AssertionError(failure);
    }
  }
}
