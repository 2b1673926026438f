package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.ExampleFiles;
import io.elastune.cli.testing.LauncherProcess;
import io.elastune.core.properties.Tier;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/**
 * Runs programs with the real PyTorch Lightning, Hugging Face Transformers, Keras and LightGBM. A
 * trial of the first three appends a line to the file {@code starts} at each of its starts.
 */
class FrameworkProgramsIT {
  @TempDir Path folder;

  /** The progress bar writes to the same terminal, and both trials report. */
  @Test
  void lightningContinuesInTheSameProcess() throws Exception {
    JsonNode report = run("lightning-tqdm", FrameworksPython.with("torch", "lightning"), Map.of());

    assertThat(report.at("/trials/completed").asInt()).isPositive();
    assertThat(report.path("faults")).isEmpty();
    assertThat(starts()).as("starts of two trials in two groups").isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({"lightning-tqdm, lightning", "transformers, transformers", "keras, keras"})
  @Tag(Tier.NIGHTLY)
  void trialsThatWaitHaveTheResultsOfTrialsThatRestart(String program, String name)
      throws Exception {
    String python = FrameworksPython.with("torch", name);
    JsonNode waiting = run(program, python, Map.of());
    assertThat(starts()).as("starts of two trials in two groups").isEqualTo(2);

    Map<String, String> change = Map.of("keep_alive: true", "keep_alive: false");
    JsonNode restarting = run(program, python, change);
    assertThat(starts()).as("starts of two trials, one of which starts again").isEqualTo(2 + 3);

    for (JsonNode report : List.of(waiting, restarting)) {
      assertThat(report.path("faults")).isEmpty();
      assertThat(report.at("/trials/failed").asInt()).isZero();
    }
    assertThat(waiting.at("/best/trial")).isEqualTo(restarting.at("/best/trial"));
    assertThat(waiting.at("/best/metric").asDouble())
        .isCloseTo(restarting.at("/best/metric").asDouble(), within(1e-5));
  }

  /** No line of the script is changed, and argparse gets its flag. */
  @Test
  @Tag(Tier.NIGHTLY)
  void lightGbmIsTunedAsItIs() throws Exception {
    JsonNode report = run("lightgbm", FrameworksPython.with("lightgbm", "sklearn"), Map.of());

    assertThat(report.at("/trials/completed").asInt()).isEqualTo(4);
    assertThat(report.at("/best/metric").asDouble()).isBetween(0.8, 1.0);
    assertThat(report.path("faults")).isEmpty();
  }

  /** The unit tests of the callbacks, which other builds run with fakes only. */
  @Test
  @Tag(Tier.NIGHTLY)
  void callbacksPassTheirTests() throws Exception {
    String python = FrameworksPython.with("torch", "lightning", "transformers", "keras");
    ProcessBuilder builder =
        new ProcessBuilder(python, "-m", "unittest", "test_elastune_callbacks")
            .directory(ExampleFiles.REPOSITORY.resolve("python").toFile())
            .redirectErrorStream(true);
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).as(output).isZero();
    assertThat(output).doesNotContain("skipped");
  }

  private long starts() throws IOException {
    long lines = 0;
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(it -> it.endsWith("starts")).toList()) {
        lines += Files.readAllLines(file).size();
      }
    }
    return lines;
  }

  /** Runs the job of a program, whose texts are replaced by others, and returns the report. */
  private JsonNode run(String program, String python, Map<String, String> changes)
      throws IOException {
    Path target = ProgramFiles.copy(program, folder.resolve(program));
    ProgramFiles.copyFile(ExampleFiles.REPOSITORY.resolve("python/elastune_callbacks.py"), target);
    ProgramFiles.change(target, "VENV/bin/python", python);
    for (Map.Entry<String, String> change : changes.entrySet()) {
      ProgramFiles.change(target, change.getKey(), change.getValue());
    }
    LauncherProcess elastune = LauncherProcess.in(folder);
    CommandResult run =
        elastune.inProcess("run", target.resolve("job.yaml").toString(), "-y", "--json");
    run.assertExit(0);
    return elastune.inProcess("report", run.run(), "--json").assertExit(0).json();
  }
}
