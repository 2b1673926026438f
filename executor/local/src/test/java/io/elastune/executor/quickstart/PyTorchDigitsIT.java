package io.elastune.executor.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.core.properties.Tier;
import io.elastune.executor.quickstart.TrialProcesses.TrialCommand;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the PyTorch example trains, and resumes with another number of workers. */
@Tag(Tier.NIGHTLY)
class PyTorchDigitsIT {
  private static final String CONFIG =
      "{\"lr\": 0.1, \"momentum\": 0.8, \"batch\": 64, \"weight_decay\": 1e-4}";

  private static final String PYTHON =
      System.getenv().getOrDefault("ELASTUNE_TORCH_PYTHON", "python3");

  @TempDir Path folder;

  @Test
  void resumesWithAnotherNumberOfWorkers() throws Exception {
    assumeTrue(
        RepositoryFiles.canRun(PYTHON, "-c", "import torch, sklearn"),
        "skipped: " + PYTHON + " lacks torch or scikit-learn; set ELASTUNE_TORCH_PYTHON");
    try (TrialProcesses trial = start(0, 2, 1)) {
      assertThat(trial.await()).as(trial.errors()).containsExactly(0);
      assertThat(trial.reports()).hasSize(2).last().asString().contains("\"test_acc\": 0.");
    }
    try (TrialProcesses trial = start(2, 3, 2)) {
      assertThat(trial.await()).as(trial.errors()).containsExactly(0, 0);
      assertThat(trial.reports()).hasSize(1);
    }
  }

  private TrialProcesses start(int from, int to, int workers) throws Exception {
    Path root = RepositoryFiles.root();
    List<String> command =
        List.of(
            "env",
            "PYTHONPATH=" + root.resolve("python"),
            PYTHON,
            root.resolve("configs/pytorch-digits/train.py").toString());
    return TrialProcesses.start(folder, new TrialCommand(command, CONFIG, from, to, workers));
  }
}
