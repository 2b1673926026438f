package io.elastune.executor.ray.runtime;

import io.elastune.executor.engine.NodeRuntime;
import io.elastune.executor.engine.RuntimeSources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Builds complete runtimes without a package index. */
public final class TestRuntimes {
  private TestRuntimes() {}

  /**
   * Builds a runtime from the shipped interpreter and the packages of an environment with Ray.
   *
   * @param folder the folder of the runtimes
   * @param rayPython the interpreter of the environment
   * @return the runtime; empty if the environment has another Python than the shipped one
   */
  public static Optional<NodeRuntime> build(Path folder, String rayPython) throws IOException {
    String[] environment =
        BuildStep.named("test")
            .run(
                rayPython,
                "-c",
                "import ray, os, sys; print('%d.%d' % sys.version_info[:2],"
                    + " os.path.dirname(os.path.dirname(ray.__file__)))")
            .strip()
            .split(" ", 2);
    if (!environment[0].equals("3.11")) {
      return Optional.empty();
    }
    RuntimeStore store =
        new RuntimeStore(
            List.of(folder),
            InstantSource.system(),
            (python, target, wheels) -> copy(environment[1], target));
    return Optional.of(store.build(RuntimeSources.DEFAULT, line -> {}));
  }

  private static void copy(String packages, Path target) throws IOException {
    Files.createDirectories(target);
    var unused = BuildStep.named("test").run("cp", "-r", packages + "/.", target.toString());
  }
}
