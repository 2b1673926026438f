package io.elastune.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.cli.testing.ExampleFiles;
import io.elastune.cli.testing.LauncherProcess;
import io.elastune.core.properties.Tier;
import java.io.File;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the Python examples that {@code init} writes. */
class InitPythonIT {
  @TempDir Path folder;

  @Test
  void exampleRunsUnchanged() throws Exception {
    assertExampleRuns("--python", "numpy");
  }

  /** Each of its attempts imports PyTorch, which takes seconds of processor time. */
  @Test
  @Tag(Tier.NIGHTLY)
  void exampleOfPyTorchRunsUnchanged() throws Exception {
    assertExampleRuns("--python=torch", "torch");
  }

  private void assertExampleRuns(String option, String library) throws Exception {
    String path = System.getenv("PATH");
    String torch = System.getenv("ELASTUNE_TORCH_PYTHON");
    if (library.equals("torch") && torch != null) {
      path = Path.of(torch).getParent() + File.pathSeparator + path;
    }
    ProcessBuilder imports =
        new ProcessBuilder("env", "python3", "-c", "import " + library).inheritIO();
    imports.environment().put("PATH", path);
    assumeTrue(
        imports.start().waitFor() == 0,
        "skipped: needs python3 with " + library + " (torch: or ELASTUNE_TORCH_PYTHON)");
    LauncherProcess elastune = LauncherProcess.in(folder).with("PATH", path);

    elastune.inProcess("init", option).assertExit(0);

    String trials = Integer.toString(Tier.runs(4, 8)); // the file has 8
    elastune.run("run", "job.yaml", "-y", "--trials", trials).assertExit(0);
  }

  @Test
  void helperIsTheOneOfTheRepository() throws Exception {
    LauncherProcess.in(folder).inProcess("init", "job", "--python").assertExit(0);
    assertThat(folder.resolve("job/elastune_trial.py"))
        .hasSameBinaryContentAs(ExampleFiles.REPOSITORY.resolve("python/elastune_trial.py"));
  }
}
