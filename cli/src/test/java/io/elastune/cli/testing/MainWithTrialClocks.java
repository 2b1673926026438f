package io.elastune.cli.testing;

import io.elastune.executor.decision.model.ReasonCode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Executes several runs at the same time in one process, each with a {@link TrialClock} that stands
 * still after a decision, so that a test can kill all their controllers there. A process for each
 * would need several times the processor time.
 */
public final class MainWithTrialClocks {
  private MainWithTrialClocks() {}

  /** A run: its clock has the folder {@code waits}. */
  private record TimedRun(Path folder, ReasonCode last) implements Runnable {
    @Override
    public void run() {
      LauncherProcess elastune = LauncherProcess.in(folder);
      Instant start = Instant.now().truncatedTo(ChronoUnit.SECONDS);
      try (TrialClock clock =
          new TrialClock(
              folder.resolve("waits"),
              elastune.home(),
              TrialClock.UNIT_S,
              start,
              Optional.of(last))) {
        String job = folder.resolve("job/job.yaml").toString();
        System.err.println(elastune.inProcess(clock, "run", job, "-y"));
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** The arguments are the folder of each run and the reason for the decision. */
  public static void main(String[] arguments) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < arguments.length; i += 2) {
      TimedRun run = new TimedRun(Path.of(arguments[i]), ReasonCode.valueOf(arguments[i + 1]));
      threads.add(new Thread(run, run.last().name()));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
  }
}
