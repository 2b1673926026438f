package io.elastune.executor.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.properties.Tier;
import io.elastune.executor.quickstart.TrialProcesses.TrialCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that the quick start's training program follows the trial protocol. Runs it as processes,
 * on few images.
 */
class QuickstartTrialIT {
  private static final String CONFIG =
      "{\"lr\": 0.1, \"momentum\": 0.8, \"batch\": 64, \"weight_decay\": 1e-4}";

  @TempDir static Path built;
  @TempDir Path folder;

  @BeforeAll
  static void compileAndGenerateImages() throws IOException, InterruptedException {
    Path sources = RepositoryFiles.root().resolve("configs/quickstart/src/digits");
    ToolProvider javac = ToolProvider.findFirst("javac").orElseThrow();
    List<String> arguments;
    try (var files = Files.list(sources)) {
      arguments = files.map(Path::toString).toList();
    }
    String[] options = {"--release", "17", "-Xlint:all", "-Werror", "-d", built.toString()};
    int code = javac.run(System.out, System.err, concat(options, arguments));
    assertThat(code).isZero();
    assertThat(generateImages("images", "400", "200")).isZero();
  }

  private static String[] concat(String[] options, List<String> files) {
    return Stream.concat(Arrays.stream(options), files.stream()).toArray(String[]::new);
  }

  private static int generateImages(String file, String training, String test)
      throws IOException, InterruptedException {
    String path = built.resolve(file).toString();
    return new ProcessBuilder(
            RepositoryFiles.java("-cp", built.toString(), "digits.Images", path, training, test))
        .inheritIO()
        .start()
        .waitFor();
  }

  @Test
  void imagesAreReproducible() throws Exception {
    assertThat(generateImages("again", "400", "200")).isZero();
    assertThat(built.resolve("again")).hasSameBinaryContentAs(built.resolve("images"));
  }

  @Test
  void resultIsIndependentOfTheWorkerCount() throws Exception {
    CompletedTrial alone = ended("alone", 0, 2, 1);
    for (int workers = 2; workers <= Tier.runs(2, 3); workers++) {
      CompletedTrial shared = ended(workers + " workers", 0, 2, workers);
      assertThat(shared.reports).isEqualTo(alone.reports);
      assertThat(shared.model(2)).isEqualTo(alone.model(2));
    }
  }

  @Test
  void resumeGivesTheSameResult() throws Exception {
    CompletedTrial straight = ended("straight", 0, 4, 1);
    CompletedTrial first = ended("resumed", 0, 2, 2);
    CompletedTrial second = ended("resumed", 2, 4, 1);
    assertThat(straight.reports.subList(0, 2)).isEqualTo(first.reports);
    assertThat(straight.reports.subList(2, 4)).isEqualTo(second.reports);
    assertThat(second.model(4)).isEqualTo(straight.model(4));
  }

  @Test
  void sigtermSavesAndExitsForRetry() throws Exception {
    int reached;
    try (TrialProcesses trial = start(folder, 0, 1_000_000, 2)) {
      trial.awaitFirstReport();
      trial.terminate(1);
      assertThat(trial.await()).containsExactly(75, 75);
      reached = trial.reports().size();
    }
    assertThat(checkpoints()).containsExactly(Integer.toString(reached));
    try (TrialProcesses trial = start(folder, reached, reached + 1, 1)) {
      assertThat(trial.await()).containsExactly(0);
    }
  }

  @Test
  void tornCheckpointIsRefusedAndRewritten() throws Exception {
    CompletedTrial whole = ended("", 0, 2, 1);
    byte[] model = whole.model(2);
    Path file = folder.resolve("checkpoints/2/model.bin");
    byte[] torn = model.clone();
    torn[torn.length / 2] ^= 1;
    Files.write(file, torn);
    try (TrialProcesses trial = start(folder, 2, 4, 1)) {
      assertThat(trial.await()).containsExactly(1);
      assertThat(trial.errors()).contains("no complete checkpoint").contains("checkpoints/2");
      assertThat(trial.reports()).isEmpty();
    }
    assertThat(ended("", 0, 2, 1).model(2)).isEqualTo(model);
  }

  private List<String> checkpoints() throws IOException {
    try (var files = Files.list(folder.resolve("checkpoints"))) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  private static TrialProcesses start(Path folder, int from, int to, int workers)
      throws IOException {
    List<String> command =
        RepositoryFiles.java(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            built.toString(),
            "digits.Trial",
            built.resolve("images").toString());
    return TrialProcesses.start(folder, new TrialCommand(command, CONFIG, from, to, workers));
  }

  private CompletedTrial ended(String name, int from, int to, int workers) throws Exception {
    Path own = Files.createDirectories(folder.resolve(name));
    try (TrialProcesses trial = start(own, from, to, workers)) {
      assertThat(trial.await()).as(trial.errors()).containsOnly(0);
      assertThat(trial.reports()).hasSize(to - from);
      return new CompletedTrial(own, trial.reports());
    }
  }

  /** A trial that exited with 0. */
  private record CompletedTrial(Path folder, List<String> reports) {
    byte[] model(int unit) throws IOException {
      return Files.readAllBytes(folder.resolve("checkpoints/" + unit + "/model.bin"));
    }
  }
}
