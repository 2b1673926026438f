package io.elastune.cli.rented;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Assumptions;

/** Finds the Python interpreter with Ray, without which tests on Ray are skipped. */
public final class RayPythonForTests {
  /** Whether an interpreter has packages. Importing Ray or PyTorch takes seconds. */
  private static final Map<List<String>, Boolean> FOUND = new ConcurrentHashMap<>();

  private RayPythonForTests() {}

  /** Returns the interpreter of {@code ELASTUNE_RAY_PYTHON}, or {@code python3}. */
  public static String find() {
    String python = System.getenv().getOrDefault("ELASTUNE_RAY_PYTHON", "python3");
    Assumptions.assumeTrue(has(python, "ray"), python + " has no Ray: this test is skipped");
    return python;
  }

  /** Returns whether an interpreter has a package. */
  public static boolean has(String python, String name) {
    return FOUND.computeIfAbsent(List.of(python, name), RayPythonForTests::imports);
  }

  private static boolean imports(List<String> pythonAndName) {
    try {
      return new ProcessBuilder(pythonAndName.get(0), "-c", "import " + pythonAndName.get(1))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .onExit()
              .join()
              .exitValue()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
