package io.elastune.executor.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.executor.quickstart.TrialProcesses.TrialCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that the trials of configs/examples train, and resume from their checkpoints. */
class ExampleTrialsTest {
  @TempDir Path folder;

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      quoteCharacter = '\'',
      value = {
        "numpy, '{\"lr\": 0.01, \"decay\": 0}', 1, 1",
        "sparse-steps, '{\"lr\": 0.01}', 700, 1",
        "conditional-space, '{\"optimizer\": \"sgd\", \"lr\": 0.01, \"momentum\": 0.5}', 1, 1",
        "conditional-space, '{\"optimizer\": \"adam\", \"lr\": 0.01, \"beta2\": 0.99}', 1, 1",
        "two-workers, '{\"lr\": 0.1}', 1, 2",
        "slow-start, '{\"lr\": 0.01}', 1, 1"
      })
  void trainsAndResumes(String example, String config, int units, int workers) throws Exception {
    assumeTrue(
        RepositoryFiles.canRun("python3", "-c", "import numpy"),
        "skipped: the examples need python3 with numpy");
    List<String> command = command("python3", example);
    String straight = lastReport("straight", command, config, 0, 2 * units, workers);
    assertThat(straight).contains("\"unit\": " + 2 * units + ",", "\"val_loss\": ");

    lastReport("resumed", command, config, 0, units, workers);
    assertThat(lastReport("resumed", command, config, units, 2 * units, workers))
        .isEqualTo(straight);
  }

  @Test
  void endsEarlyOnceTheLossNoLongerImproves() throws Exception {
    assumeTrue(
        RepositoryFiles.canRun("python3", "-c", "import numpy"),
        "skipped: the examples need python3 with numpy");
    String last = lastReport("early", command("python3", "early-end"), "{\"lr\": 0.6}", 0, 9, 1);
    assertThat(last).endsWith("\"done\": true}").doesNotContain("\"unit\": 9");
  }

  /** Installs scikit-learn in a virtual environment if it is missing. */
  @Test
  void fitsModelOfScikitLearn() throws Exception {
    String python = "python3";
    if (!RepositoryFiles.canRun(python, "-c", "import sklearn")) {
      Path environment = Path.of("target/scikit-learn").toAbsolutePath();
      String requirements = example("sklearn").resolve("requirements.txt").toString();
      assumeTrue(
          RepositoryFiles.canRun(python, "-m", "venv", environment.toString()),
          "skipped: needs python3 with scikit-learn, or with venv to install it");
      python = environment.resolve("bin/python").toString();
      assumeTrue(
          RepositoryFiles.canRun(
              python, "-m", "pip", "install", "-q", "--retries=0", "-r", requirements),
          "skipped: scikit-learn is missing and cannot be installed");
    }
    String config = "{\"lr\": 0.001, \"alpha\": 0.0001}";
    assertThat(lastReport("fit", command(python, "sklearn"), config, 0, 1, 1))
        .contains("\"unit\": 1,", "\"accuracy\": 0.");
  }

  private static List<String> command(String python, String example) {
    return List.of(python, "-B", example(example).resolve("train.py").toString());
  }

  private static Path example(String name) {
    return RepositoryFiles.root().resolve("configs/examples").resolve(name);
  }

  private String lastReport(
      String name, List<String> command, String config, int from, int to, int workers)
      throws Exception {
    Path own = Files.createDirectories(folder.resolve(name));
    TrialCommand trialCommand = new TrialCommand(command, config, from, to, workers);
    try (TrialProcesses trial = TrialProcesses.start(own, trialCommand)) {
      assertThat(trial.await()).as(trial.errors()).containsOnly(0);
      List<String> reports = trial.reports();
      return reports.get(reports.size() - 1);
    }
  }
}
