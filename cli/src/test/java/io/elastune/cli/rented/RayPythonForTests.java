package io.elastune.cli.rented;

import java.io.IOException;
import org.junit.jupiter.api.Assumptions;

/** Finds the Python interpreter with Ray, without which tests on Ray are skipped. */
public final class RayPythonForTests {
  private RayPythonForTests() {}

  /** Returns the interpreter of {@code ELASTUNE_RAY_PYTHON}, or {@code python3}. */
  public static String find() throws InterruptedException {
    String python = System.getenv().getOrDefault("ELASTUNE_RAY_PYTHON", "python3");
    Assumptions.assumeTrue(has(python, "ray"), python + " has no Ray: this test is skipped");
    return python;
  }

  /** Returns whether an interpreter has a package. */
  public static boolean has(String python, String name) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(python, "-c", "import " + name)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
