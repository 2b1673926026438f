package io.elastune.executor.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.core.properties.Tier;
import io.elastune.executor.quickstart.TrialProcesses.TrialCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that the trials of configs/examples train, and resume from their checkpoints. */
class ExampleTrialsIT {
  @TempDir Path folder;

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      quoteCharacter = '\'',
      value = {
        "numpy, '{\"lr\": 0.01, \"decay\": 0}', 1, 1",
        "asha, '{\"lr\": 0.01, \"decay\": 0}', 1, 1",
        "pbt, '{\"lr\": 0.01, \"decay\": 0}', 1, 1",
        "optuna, '{\"lr\": 0.01, \"decay\": 0}', 1, 1",
        "sparse-steps, '{\"lr\": 0.01}', 700, 1",
        "conditional-space, '{\"optimizer\": \"sgd\", \"lr\": 0.01, \"momentum\": 0.5}', 1, 1",
        "conditional-space, '{\"optimizer\": \"adam\", \"lr\": 0.01, \"beta2\": 0.99}', 1, 1",
        "two-workers, '{\"lr\": 0.1}', 1, 2",
        "slow-start, '{\"lr\": 0.01}', 1, 1"
      })
  @Tag(Tier.NIGHTLY)
  void trainsAndResumes(String example, String config, int units, int workers) throws Exception {
    List<String> command = command(example);
    String straight = lastReport("straight", command, config, 0, 2 * units, workers);
    assertThat(straight).contains("\"unit\": " + 2 * units + ",", "\"val_loss\": ");

    lastReport("resumed", command, config, 0, units, workers);
    assertThat(lastReport("resumed", command, config, units, 2 * units, workers))
        .isEqualTo(straight);
  }

  @Test
  @Tag(Tier.NIGHTLY)
  void endsEarlyOnceTheLossNoLongerImproves() throws Exception {
    String last = lastReport("early", command("early-end"), "{\"lr\": 0.6}", 0, 9, 1);
    assertThat(last).endsWith("\"done\": true}").doesNotContain("\"unit\": 9");
  }

  @Test
  @Tag(Tier.NIGHTLY)
  void fitsModelOfScikitLearn() throws Exception {
    String config = "{\"lr\": 0.001, \"alpha\": 0.0001}";
    assertThat(lastReport("fit", command("sklearn"), config, 0, 1, 1))
        .contains("\"unit\": 1,", "\"accuracy\": 0.");
  }

  /** A link that was stored as a file contains its target's path and no program. */
  @Test
  void everyExampleContainsThePythonHelper() throws Exception {
    Path helper = RepositoryFiles.root().resolve("python/elastune_trial.py");
    try (Stream<Path> examples = Files.list(example(""))) {
      List<Path> copies =
          examples
              .map(folder -> folder.resolve("elastune_trial.py"))
              .filter(Files::exists)
              .toList();
      assertThat(copies)
          .hasSizeGreaterThan(10)
          .allSatisfy(copy -> assertThat(copy).hasSameTextualContentAs(helper));
    }
  }

  private static List<String> command(String example) throws InterruptedException {
    return List.of(python(), "-B", example(example).resolve("train.py").toString());
  }

  /** Returns a Python with scikit-learn, which contains numpy; installs it if it is missing. */
  private static String python() throws InterruptedException {
    if (hasScikitLearn("python3")) {
      return "python3";
    }
    Path environment = Path.of("target/scikit-learn").toAbsolutePath();
    String python = environment.resolve("bin/python").toString();
    if (hasScikitLearn(python)) {
      return python;
    }
    assumeTrue(
        RepositoryFiles.canRun("python3", "-m", "venv", environment.toString()),
        "skipped: needs python3 with scikit-learn, or with venv to install it");
    String requirements = example("sklearn").resolve("requirements.txt").toString();
    assumeTrue(
        RepositoryFiles.canRun(
            python, "-m", "pip", "install", "-q", "--retries=0", "-r", requirements),
        "skipped: scikit-learn is missing and cannot be installed");
    return python;
  }

  private static boolean hasScikitLearn(String python) throws InterruptedException {
    String find = "import importlib.util, sys; sys.exit(not importlib.util.find_spec('sklearn'))";
    return RepositoryFiles.canRun(python, "-c", find);
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
