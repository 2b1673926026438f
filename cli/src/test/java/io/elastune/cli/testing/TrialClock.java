package io.elastune.cli.testing;

import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.journal.AttemptRow;
import io.elastune.executor.journal.ReplayedRun;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunReader;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/**
 * The clock of one run whose trials execute {@code timed.sh}. It stands still while the run does
 * anything else than wait for the units of its trials, so the times of a run with real processes do
 * not depend on the speed of the machine. Units take as long as the test says, and those that end
 * at the same time do so in the order of their attempts.
 */
public final class TrialClock implements InstantSource, AutoCloseable {
  /** The seconds of a unit where a test does not depend on them. */
  public static final double UNIT_S = 2;

  private static final String PIPE = ".pipe";
  private static final int POLL_MS = 40;
  private static final int POLLS_UNREAD = 25;

  /** Phases of leases in which nothing is expected of the cloud. */
  private static final Set<LeaseState.Phase> SETTLED =
      EnumSet.of(LeaseState.Phase.READY, LeaseState.Phase.GONE);

  private final Path waits;
  private final Path home;
  private final Duration unit;
  private final Instant start;
  private final Optional<ReasonCode> last;
  private final AtomicReference<Instant> now;
  private final Map<Path, Instant> due = new HashMap<>();
  private Set<Object> lastSeen = Set.of();
  private int unchanged;
  private boolean standsStill;
  private final Thread thread = new Thread(this::run, "trial-clock");
  private volatile boolean closed;
  private volatile String failure = "";

  /**
   * Starts the clock at the present time.
   *
   * @param waits the folder in which trials wait
   * @param home the home with the only run
   * @param unitS the seconds of a unit
   */
  public TrialClock(Path waits, Path home, double unitS) throws IOException {
    this(waits, home, unitS, Instant.now().truncatedTo(ChronoUnit.SECONDS), Optional.empty());
  }

  /**
   * Starts the clock.
   *
   * @param start its time until the run has begun, or resumed, at this time
   * @param last it never advances after a decision for this reason
   */
  public TrialClock(Path waits, Path home, double unitS, Instant start, Optional<ReasonCode> last)
      throws IOException {
    this.waits = Files.createDirectories(waits);
    this.home = home;
    this.start = start;
    this.last = last;
    unit = Duration.ofMillis(Math.round(unitS * 1000));
    now = new AtomicReference<>(start);
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
          .filter(file -> !file.toString().endsWith(PIPE))
          .forEach(file -> due.putIfAbsent(file, now.get().plus(unit)));
    }
    List<RunFolder> runs = due.isEmpty() ? List.of() : RunFolder.all(home);
    if (runs.isEmpty()) {
      return false;
    }
    Set<Object> seen = new HashSet<>(due.keySet());
    seen.addAll(versions(runs.get(0)));
    // Reading the journal takes more processor time than the run. The time of a file is not exact.
    if (seen.equals(lastSeen) && ++unchanged < POLLS_UNREAD) {
      return false;
    }
    unchanged = 0;
    lastSeen = seen;
    return allWait(runs.get(0)) && onlyWaits(ReplayedRun.read(runs.get(0)));
  }

  /** Returns what changes with every transaction of the journal. */
  private static List<Object> versions(RunFolder run) throws IOException {
    Path journal = run.journal();
    List<Object> versions = new ArrayList<>();
    for (Path file : List.of(journal, journal.resolveSibling(journal.getFileName() + "-wal"))) {
      if (Files.exists(file)) {
        versions.add(Map.entry(Files.getLastModifiedTime(file), Files.size(file)));
      }
    }
    return versions;
  }

  private boolean allWait(RunFolder run) throws IOException {
    try (RunReader journal = RunReader.open(run)) {
      List<String> attempts = journal.runningAttempts().stream().map(AttemptRow::attempt).toList();
      for (Path wait : List.copyOf(due.keySet())) {
        if (!attempts.contains(attempt(wait))) { // it has ended
          due.remove(wait);
          Files.deleteIfExists(wait);
        }
      }
      standStill(journal);
      return !standsStill && attempts.size() == due.size();
    }
  }

  /** Returns the message on standard error when the clock of a home stands still for good. */
  public static String standsStill(Path home) {
    return "the clock of " + home + " stands still";
  }

  private void standStill(RunReader journal) {
    if (standsStill || last.isEmpty()) {
      return;
    }
    ReasonCode reason = last.get();
    standsStill =
        journal.decisions().stream().anyMatch(row -> row.reasonColumns().code().equals(reason));
    if (standsStill) {
      System.err.println(standsStill(home));
    }
  }

  private boolean onlyWaits(ReplayedRun run) throws IOException {
    RunState state = run.state();
    for (Path wait : due.keySet()) {
      AttemptState attempt = state.attempts().get(attempt(wait));
      if (attempt != null && attempt.isBeingEnded()) {
        write(wait, "end");
      }
    }
    return !state.now().isBefore(start)
        && state.attempts().size() == due.size()
        && due.keySet().stream().allMatch(wait -> isAwaited(state, wait))
        && state.leases().values().stream().allMatch(lease -> SETTLED.contains(lease.phase()))
        && !state.steering().open();
  }

  /** Returns whether the unit before the one that an attempt waits for is in the journal. */
  private static boolean isAwaited(RunState state, Path wait) {
    String name = wait.getFileName().toString();
    String id = attempt(wait);
    AttemptState attempt = state.attempts().get(id);
    return attempt != null
        && attempt.ending() == AttemptState.EndReason.NOT
        && attempt.lastUnit() == Integer.parseInt(name.substring(id.length() + 1));
  }

  private static String attempt(Path wait) {
    String name = wait.getFileName().toString();
    return name.substring(0, name.lastIndexOf('.'));
  }

  /** Advances to the end of the next unit. */
  private void advance() throws IOException {
    Path next =
        due.keySet().stream()
            .min(Comparator.<Path, Instant>comparing(due::get).thenComparing(wait -> wait))
            .orElseThrow();
    now.set(due.remove(next));
    Files.delete(next);
    write(next, "");
  }

  /** Writes to a trial, which may have ended: opened for writing only, its pipe would block. */
  private static void write(Path wait, String word) throws IOException {
    Path pipe = wait.resolveSibling(attempt(wait) + PIPE);
    try (RandomAccessFile file = new RandomAccessFile(pipe.toFile(), "rw")) {
      file.write((word + "\n").getBytes(StandardCharsets.UTF_8));
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
