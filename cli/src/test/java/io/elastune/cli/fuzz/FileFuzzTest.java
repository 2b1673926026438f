package io.elastune.cli.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.InProcessCli;
import io.elastune.core.properties.Tier;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Plans, simulates and rehearses mutated files of jobs. Whatever is in them, a command ends in time
 * with an exit code for users, without a stack trace, without a number that is none, and without
 * negative money. A failure names its seed, and {@code -Delastune.fuzz.valid=1
 * -Delastune.fuzz.invalid=0 -Delastune.fuzz.seed=SEED} (or the other way round) repeats it.
 *
 * <p>The nightly step gives the JVM 512 MB.
 */
class FileFuzzTest {
  private static final long FIRST = Long.getLong("elastune.fuzz.seed", 1);
  private static final int VALID = Tier.runs("elastune.fuzz.valid", 10, 200);
  private static final int INVALID = Tier.runs("elastune.fuzz.invalid", 60, 1_000);

  /** Far above the time limit that the commands have. */
  private static final int HANGS_S = 120;

  /** The shown characters of a file that has failed. */
  private static final int SHOWN = 6_000;

  /** A message quotes the beginning of a value only. */
  private static final int LONGEST_LINE = 2_000;

  private static final String LIMIT = "1s";
  private static final int REFUSED = 2;

  private static final Pattern TRACE =
      Pattern.compile("(?m)^\\s+at [a-z]+\\.|Exception in thread|internal error");

  private static final Pattern NO_NUMBER = Pattern.compile("\\bNaN\\b|\\bInfinity\\b");

  /** Differences between plans have a sign. */
  private static final Pattern DEBT =
      Pattern.compile("-\\$|\\$-|\"(?!extra_|saved_)[a-z_]*usd\" ?: ?-[0-9.]*[1-9]");

  @TempDir Path folder;

  private final ExecutorService commands = Executors.newSingleThreadExecutor();

  @AfterEach
  void shutDown() {
    commands.shutdownNow();
  }

  @Test
  void validFilesGetAPlan() throws Exception {
    Map<String, Integer> ends = new TreeMap<>();
    int planned = 0;
    long seed = FIRST;
    for (int accepted = 0; accepted < VALID; seed++) {
      Path files = Files.createDirectory(folder.resolve("v" + seed));
      FuzzedFiles fuzzed = new FuzzedFiles(seed);
      fuzzed.change();
      fuzzed.write(files);
      InProcessCli.Result result = check(seed, true, files, command(seed, fuzzed));
      int exit = result.exit();
      ends.merge(exit + (exit == REFUSED ? " " + kind(result.err()) : ""), 1, Integer::sum);
      if (exit != REFUSED) {
        accepted++;
      }
      if (exit == 0) {
        planned++;
        simulate(seed, files, fuzzed);
      }
      delete(files);
    }
    System.out.println("FileFuzzTest: " + ends);
    assertThat(planned).as("of %d: %s", VALID, ends).isGreaterThanOrEqualTo(VALID * 9 / 10);
  }

  private static String[] command(long seed, FuzzedFiles fuzzed) {
    if (seed % 4 == 0 && fuzzed.isShort()) {
      return new String[] {
        "rehearse",
        FuzzedFiles.JOB,
        "--seeds",
        "2",
        "--seed",
        Long.toString(seed),
        "--json",
        "--faults",
        seed % 8 == 0 ? "heavy" : "normal"
      };
    }
    return new String[] {
      "plan",
      FuzzedFiles.JOB,
      "--frontier",
      "--time-limit",
      LIMIT,
      "-o",
      FuzzedFiles.PLAN,
      seed % 2 == 0 ? "--json" : "-v"
    };
  }

  /** Simulates a saved plan, as it is or with another number. */
  private void simulate(long seed, Path files, FuzzedFiles fuzzed) throws Exception {
    Path plan = files.resolve(FuzzedFiles.PLAN);
    if (seed % 3 != 0 || !Files.exists(plan)) {
      return;
    }
    fuzzed.addPlan(plan);
    if (seed % 2 == 0) {
      fuzzed.changePlan();
    }
    fuzzed.write(files);
    check(
        seed,
        true,
        files,
        "simulate",
        FuzzedFiles.JOB,
        FuzzedFiles.PLAN,
        "--samples",
        "64",
        "--json");
  }

  @Test
  void invalidFilesAreRefused() throws Exception {
    Map<String, Integer> ends = new TreeMap<>();
    int refused = 0;
    for (long seed = FIRST; refused < INVALID; seed++) {
      Path files = Files.createDirectory(folder.resolve("i" + seed));
      FuzzedFiles fuzzed = new FuzzedFiles(seed);
      boolean simulated = seed % 5 == 0;
      if (simulated) {
        String text =
            "{\"plan\": [{\"offer\": \"g5.xlarge\", \"instances\": 1, \"gpus_per_trial\": 1}]}";
        fuzzed.addPlan(Files.writeString(files.resolve(FuzzedFiles.PLAN), text));
      }
      String name = fuzzed.spoil();
      fuzzed.write(files);
      InProcessCli.Result result =
          simulated
              ? check(
                  seed,
                  false,
                  files,
                  "simulate",
                  FuzzedFiles.JOB,
                  FuzzedFiles.PLAN,
                  "--samples",
                  "16")
              : check(
                  seed,
                  false,
                  files,
                  "plan",
                  FuzzedFiles.JOB,
                  "--time-limit",
                  LIMIT,
                  "--clouds",
                  FuzzedFiles.CLOUDS);
      if (result.exit() == REFUSED) {
        refused++;
        assertThat(result.err()).as("seed %d, %s", seed, name).isNotBlank();
        assertThat(result.err().lines().mapToInt(String::length).max().orElse(0))
            .as("seed %d, %s", seed, name)
            .isLessThan(LONGEST_LINE);
      }
      ends.merge(name + " " + result.exit(), 1, Integer::sum);
      delete(files);
    }
    System.out.println("FileFuzzTest: " + ends);
  }

  /**
   * Runs a command.
   *
   * @param numbers whether the words of a number that is none can be only that
   */
  private InProcessCli.Result check(long seed, boolean numbers, Path files, String... command)
      throws Exception {
    String what = "seed %d: %s".formatted(seed, Arrays.asList(command));
    try {
      InProcessCli.Result result = run(what, files, command);
      String said = result.out() + result.err();
      assertThat(result.exit()).as("%s%n%s", what, said).isNotEqualTo(1);
      assertThat(said).as(what).doesNotContainPattern(TRACE);
      if (numbers && result.exit() != REFUSED) {
        assertThat(said).as(what).doesNotContainPattern(NO_NUMBER).doesNotContainPattern(DEBT);
      }
      return result;
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + texts(files), e);
    }
  }

  private static String texts(Path files) throws IOException {
    StringBuilder texts = new StringBuilder();
    try (Stream<Path> all = Files.list(files)) {
      for (Path file : all.filter(Files::isRegularFile).sorted().toList()) {
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        String name = String.valueOf(file.getFileName());
        texts.append("\n=== ").append(name).append('\n');
        texts.append(text, 0, Math.min(text.length(), SHOWN));
      }
    }
    return texts.toString();
  }

  private InProcessCli.Result run(String what, Path files, String... command) throws Exception {
    try {
      return commands
          .submit(() -> new InProcessCli(files).run(command))
          .get(HANGS_S, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new AssertionError(what, e.getCause());
    } catch (TimeoutException e) {
      StringBuilder stacks = new StringBuilder();
      Thread.getAllStackTraces()
          .forEach(
              (thread, stack) -> stacks.append(thread).append(Arrays.toString(stack)).append('\n'));
      throw new AssertionError(what + ": no end\n" + stacks, e);
    }
  }

  /** Returns a message without the parts that differ between mutations of a kind. */
  private static String kind(String message) {
    String line = message.lines().findFirst().orElse("");
    return line.replaceAll("[0-9.]+|\"[^\"]*\"|'[^']*'", "#").replaceAll("^(.{0,70}).*", "$1");
  }

  private static void delete(Path files) throws IOException {
    List<Path> all;
    try (Stream<Path> walk = Files.walk(files)) {
      all = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : all) {
      Files.delete(file);
    }
  }
}
