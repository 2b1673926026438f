package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.LauncherProcess;
import io.elastune.cli.testing.Leftovers;
import io.elastune.cli.testing.RunningCommand;
import io.elastune.cli.testing.TinyJob;
import io.elastune.core.properties.Tier;
import io.elastune.executor.checkpoint.CheckpointStore;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunReader;
import io.elastune.executor.journal.TrialRow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Kills the controller with {@code kill -9} at random moments, and in every other round also the
 * guards of its instances. The resumed run must end like an undisturbed one. {@code
 * -Delastune.kills=50} sets the number of rounds.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag(Tier.NIGHTLY)
class ResumeIT {
  private static final int ROUNDS = Tier.runs("elastune.kills", 2, 50);
  private static final int AT_ONCE = 2;
  private static final int MOST_KILLS = 3;
  private static final String BEGINNING = "start group 1";

  /** The run was killed after it printed its start and before its journal existed. */
  private static final Pattern NOT_BEGUN =
      Pattern.compile("stopped before it started anything|no run in .* has the name or prefix");

  private final long seed = Long.getLong("elastune.seed", System.nanoTime());

  @TempDir Path folder;

  /** The results that every run must have. */
  private record Expected(JsonNode best, JsonNode trials) {}

  @Test
  void killedAtRandomMoments() throws Exception {
    System.out.println("ResumeIT: -Delastune.seed=" + seed);
    LauncherProcess elastune = LauncherProcess.in(folder);
    RunningCommand whole =
        elastune.start("run", write("whole"), "-y", "--json").awaitOutput(BEGINNING);
    long begin = System.nanoTime();
    CommandResult end = whole.awaitExit().assertExit(0);
    long usualMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    Expected expected = new Expected(best(end), end.lastLine().path("trials"));

    ExecutorService pool = Executors.newFixedThreadPool(AT_ONCE);
    try {
      List<Future<String>> rounds = new ArrayList<>();
      for (int i = 0; i < ROUNDS; i++) {
        Round round = new Round(elastune, i, new Random(seed + i), usualMs, expected);
        rounds.add(pool.submit(round::execute));
      }
      for (Future<String> round : rounds) {
        System.out.println("ResumeIT: " + round.get());
      }
    } finally {
      pool.shutdownNow();
    }
  }

  /** Returns the best trial without the path of its checkpoint, which contains the run. */
  private static ObjectNode best(CommandResult end) {
    return ((ObjectNode) end.lastLine().path("best")).without("checkpoint");
  }

  private String write(String name) throws Exception {
    return new TinyJob(name)
        .with("deadline", "30m")
        .trial("0.3", "gpus: 1")
        .write(folder.resolve(name))
        .toString();
  }

  /** One run that is killed several times and then completes. */
  private final class Round {
    private final LauncherProcess elastune;
    private final int number;
    private final String name;
    private final boolean guardsToo;
    private final Random random;
    private final long usualMs;
    private final Expected expected;
    private final StringBuilder log = new StringBuilder();

    Round(LauncherProcess elastune, int number, Random random, long usualMs, Expected expected) {
      this.elastune = elastune;
      this.number = number;
      this.name = "killed-" + number;
      this.guardsToo = number % 2 == 1;
      this.random = random;
      this.usualMs = usualMs;
      this.expected = expected;
    }

    String execute() throws Exception {
      log.append(name).append(guardsToo ? " with its guards" : "");
      String from = number == 0 ? " started. " : BEGINNING;
      kill(elastune.start("run", write(name), "-y", "--json").awaitOutput(from));
      int more = random.nextInt(MOST_KILLS);
      for (int i = 0; i < more; i++) {
        kill(elastune.start("resume", name, "--json"));
      }
      CommandResult end = elastune.run("resume", name, "--json");
      return check(end) + ", seed " + seed;
    }

    private void kill(RunningCommand controller) throws Exception {
      long afterMs = random.nextLong(usualMs);
      controller.process().waitFor(afterMs, TimeUnit.MILLISECONDS);
      controller.process().destroyForcibly();
      if (guardsToo) {
        for (long guard : guards()) {
          ProcessHandle.of(guard).ifPresent(ProcessHandle::destroyForcibly);
        }
      }
      controller.process().waitFor();
      log.append(", ").append(afterMs).append(" ms");
    }

    private List<Long> guards() throws Exception {
      List<Long> guards = new ArrayList<>();
      Path instances = elastune.home().resolve("local");
      if (!Files.isDirectory(instances)) {
        return guards;
      }
      try (Stream<Path> folders = Files.list(instances)) {
        for (Path instance :
            folders.filter(f -> f.getFileName().toString().startsWith(name + "-")).toList()) {
          guard(instance.resolve("guard.properties"), guards);
        }
      }
      return guards;
    }

    private String check(CommandResult end) throws Exception {
      String as = log + ", seed " + seed + "\n" + end.err();
      if (end.exit() == 2 && NOT_BEGUN.matcher(end.err()).find()) {
        return log + ": not started";
      }
      assertThat(end.exit()).as(as).isZero();
      JsonNode last = end.lastLine();
      assertThat(best(end)).as(as).isEqualTo(expected.best());
      assertThat(last.path("trials")).as(as).isEqualTo(expected.trials());
      assertThat(last.path("instances_left").asInt(-1)).as(as).isZero();
      Leftovers.assertNone(elastune.home(), end.run());
      checkJournal(RunFolder.of(elastune.home(), end.run()), as);
      return log + ": " + last.path("leases") + " leases";
    }

    private void checkJournal(RunFolder folder, String as) {
      try (RunReader journal = RunReader.open(folder)) {
        assertThat(journal.leases())
            .as(as)
            .allMatch(leaseRow -> leaseRow.phase() == LeaseState.Phase.GONE);
        assertThat(journal.attempts())
            .as(as)
            .allMatch(attemptRow -> attemptRow.ended().isPresent());
        for (TrialRow trialRow : journal.trials()) {
          assertThat(trialRow.failures()).as(as).isZero();
          CheckpointStore store = new CheckpointStore(folder.checkpoints(trialRow.trial()));
          assertThat(store.isComplete(trialRow.checkpoint())).as(as).isTrue();
        }
      }
    }
  }

  private static void guard(Path file, List<Long> guards) throws Exception {
    if (Files.exists(file)) {
      Files.readAllLines(file).stream()
          .filter(line -> line.startsWith("pid=") && line.length() > 4)
          .forEach(line -> guards.add(Long.parseLong(line.substring(4))));
    }
  }
}
