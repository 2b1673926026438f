package io.elastune.executor.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.job.Metric;
import io.elastune.core.properties.Tier;
import io.elastune.core.text.VisibleText;
import io.elastune.executor.checkpoint.CheckpointStore;
import io.elastune.executor.checkpoint.CheckpointStore.CleanupResult;
import io.elastune.executor.decision.model.FailureCause;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.protocol.AttemptReports;
import io.elastune.executor.protocol.OmittedMetrics;
import io.elastune.provisioner.SecretMask;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reads mutated output of trials: reports on each channel, metrics in output and files, manifests
 * with their files, and the last lines of failures. Everything has an outcome. A failure names its
 * seed: {@code -Delastune.fuzz.invalid=1 -Delastune.fuzz.seed=SEED} repeats it.
 */
class TrialOutputFuzzTest {
  private static final long FIRST = Long.getLong("elastune.fuzz.seed", 1);
  private static final int CASES = Tier.runs("elastune.fuzz.invalid", 100, 10_000);
  private static final Instant NOW = Instant.EPOCH;
  private static final int MOST_MESSAGE = 4_000;
  private static final int MOST_EVENT = 10_000;

  private static final List<String> REPORTS =
      List.of(
          "ELASTUNE {\"unit\": 1, \"metrics\": {\"acc\": 0.5, \"val/loss\": 1e-3}}",
          "ELASTUNE {\"unit\": 9, \"metrics\": {\"acc\": 0.5}, \"done\": true}",
          "ELASTUNE {\"waiting\": 9}",
          "  7%|#  | ELASTUNE {\"unit\": 2, \"metrics\": {}} ELASTUNE {\"unit\": 3, \"metrics\": {}}",
          "{\"acc\": 0.5}",
          "epoch 3: acc=0.5, loss=2e-4",
          "Traceback (most recent call last):",
          "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB");

  private static final String MANIFEST =
      "{\"unit\": 3, \"files\": [{\"name\": \"state\", \"size\": 2, \"sha256\": \"00\"},"
          + " {\"name\": \"last\", \"link\": \"state\"}]}";

  private static final List<String> PIECES =
      List.of(
          "\u0000",
          "\u001B[31m",
          "\u001B]0;x\u0007",
          "\u009B",
          "\u202E",
          "\u2028",
          "\uD83D",
          "😀",
          "\\u0000",
          "\\ud800",
          "\"",
          "\\",
          "{",
          "}",
          "[",
          "]",
          "[[[[[[[[",
          ":",
          ",",
          "null",
          "NaN",
          "-Infinity",
          "1e999",
          "-1e999",
          "1e-999",
          "99999999999999999999",
          "-1",
          "0.5",
          "true",
          "../",
          "/etc/passwd",
          "a/b",
          ".",
          "..",
          "ELASTUNE ",
          "ELASTUNE {",
          "\"unit\": ",
          "\"name\": ",
          "\"link\": ",
          "\r",
          "\t",
          " ",
          "x".repeat(3_000),
          "[".repeat(2_000),
          "9".repeat(2_000));

  @TempDir Path folder;

  @Test
  void everyOutputHasAnOutcome() throws IOException {
    int complete = 0;
    for (long seed = FIRST; seed < FIRST + CASES; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      try {
        reports(random);
        complete += checkpoint(random, folder.resolve(Long.toString(seed)));
      } catch (RuntimeException | AssertionError | StackOverflowError | OutOfMemoryError e) {
        throw new AssertionError("seed " + seed + ": " + e, e);
      }
    }
    if (CASES >= 100) {
      assertThat(complete).as("checkpoints that are still complete").isPositive();
    }
  }

  private void reports(SplittableRandom random) {
    Metric metric =
        new Metric(
            random.nextInt(4) == 0 ? "a" + VisibleText.blank(spoilt("cc", random)) : "acc",
            random.nextBoolean() ? Metric.Goal.MAXIMIZE : Metric.Goal.MINIMIZE);
    List<EngineEvent> events = new ArrayList<>();
    AttemptReports reports = new AttemptReports(spec(metric), new OmittedMetrics(), events::add);
    int lines = 1 + random.nextInt(6);
    for (int i = 0; i < lines; i++) {
      byte[] line = bytes(spoilt(REPORTS.get(random.nextInt(REPORTS.size())), random), random);
      boolean cut = random.nextInt(4) == 0;
      switch (random.nextInt(4)) {
        case 0 -> reports.readChannel(line, line.length, cut, NOW);
        case 1 -> reports.readErrors(line, line.length);
        default ->
            reports
                .read(line, line.length, cut, NOW)
                .ifPresent(rest -> reports.readOutput(rest, rest.length));
      }
    }
    reports.complete(random.nextBoolean(), Optional.empty(), NOW);
    reports
        .foundInstead()
        .map(text -> new EngineEvent.Ended("7-1-1", 1, OptionalInt.empty(), false, text, NOW))
        .ifPresent(events::add);
    EventTextGate gate = new EventTextGate(SecretMask.NONE, metric.name());
    for (EngineEvent event : events) {
      String passed = gate.pass(new RunEvent.FromEngine(event)).toString();
      assertThat(passed).hasSizeLessThan(MOST_EVENT);
      assertThat(VisibleText.firstInvisible(passed, "\n")).isEmpty();
    }
    String text =
        new String(
            bytes(spoilt(String.join("\n", REPORTS), random), random), StandardCharsets.UTF_8);
    assertThat(FailureCause.of("exit 1; last lines:\n" + text).kind()).isNotNull();
  }

  /** Returns 1 if the checkpoint is complete, and 0 otherwise. */
  private static int checkpoint(SplittableRandom random, Path store) throws IOException {
    Path unit = Files.createDirectories(store.resolve("3"));
    Files.writeString(unit.resolve("state"), "3\n");
    boolean right = random.nextInt(4) == 0;
    String sum = right ? "1121cfccd5913f0a63fec40a6ffd44ea64f9dc135c66634ba001d10bcf4302a2" : "00";
    String manifest = MANIFEST.replace("00", sum);
    if (right) {
      Files.createSymbolicLink(unit.resolve("last"), Path.of("state"));
    }
    String text = random.nextInt(8) == 0 ? manifest : spoilt(manifest, random);
    Files.write(unit.resolve("manifest.json"), bytes(text, random));
    CleanupResult result = new CheckpointStore(store).tryCleanUp(1, Set.of(), 9);
    assertThat(result.problems()).allSatisfy(it -> assertThat(it).hasSizeLessThan(MOST_MESSAGE));
    try (Stream<Path> left = Files.list(store)) {
      assertThat(left.map(path -> path.getFileName().toString()))
          .containsExactly(result.complete().isEmpty() ? "3.torn" : "3");
    }
    return result.complete().size();
  }

  private static String spoilt(String right, SplittableRandom random) {
    StringBuilder text = new StringBuilder(right);
    int changes = random.nextInt(4);
    for (int i = 0; i < changes; i++) {
      int at = random.nextInt(text.length() + 1);
      switch (random.nextInt(3)) {
        case 0 -> text.insert(at, PIECES.get(random.nextInt(PIECES.size())));
        case 1 -> text.delete(at, Math.min(text.length(), at + 1 + random.nextInt(12)));
        default -> {
          int from = random.nextInt(text.length() + 1);
          text.insert(at, text.substring(from, Math.min(text.length(), from + random.nextInt(60))));
        }
      }
    }
    return text.toString();
  }

  /** Returns a text as bytes, of which some are no UTF-8. */
  private static byte[] bytes(String text, SplittableRandom random) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (random.nextInt(5) == 0 && bytes.length > 0) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
    }
    return bytes;
  }

  private static AttemptSpec spec(Metric metric) {
    return AttemptSpec.builder()
        .attempt("7-1-1")
        .run("run")
        .trial(7)
        .config(Map.of())
        .unit("epoch")
        .to(9)
        .command("true")
        .workdir("/")
        .checkpointDir("/")
        .log("/dev/null")
        .environment(Map.of())
        .workers(Collections.singletonList(new AttemptSpec.Worker("1", "localhost", "0", 0)))
        .metric(Optional.of(metric))
        .build();
  }
}
