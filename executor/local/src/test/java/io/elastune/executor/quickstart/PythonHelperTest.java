package io.elastune.executor.quickstart;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;

/** Runs the Python helper's unit tests. */
class PythonHelperTest {
  @Test
  void pythonUnitTestsPass() throws Exception {
    assumeTrue(
        RepositoryFiles.canRun("python3", "--version"),
        "skipped: the Python helper's tests need python3 on the PATH");
    ProcessBuilder tests =
        new ProcessBuilder("python3", "-m", "unittest", "test_elastune_trial")
            .directory(RepositoryFiles.root().resolve("python").toFile())
            .redirectErrorStream(true);
    tests.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    Process process = tests.start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
  }
}
