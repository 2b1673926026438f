package io.elastune.cli.execute;

import io.elastune.cli.testing.ExampleFiles;
import io.elastune.core.properties.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * Finds the Python interpreter with machine learning frameworks, without which their tests are
 * skipped. The nightly tier installs them, once for a build folder.
 */
final class FrameworksPython {
  private static final String VARIABLE = "ELASTUNE_FRAMEWORKS_PYTHON";
  private static final Path REQUIREMENTS =
      ExampleFiles.REPOSITORY.resolve("executor/local/src/test/python/frameworks-requirements.txt");

  private FrameworksPython() {}

  /** Returns the interpreter, which has these packages. */
  static synchronized String with(String... packages) throws IOException, InterruptedException {
    Optional<String> given = Optional.ofNullable(System.getenv(VARIABLE));
    String python = given.isPresent() || !Tier.isNightly() ? given.orElse("python3") : install();
    String names = Stream.of(packages).map(it -> "'" + it + "'").collect(Collectors.joining(","));
    String check = "import importlib.util as u, sys; sys.exit(not all(map(u.find_spec, [%s])))";
    Assumptions.assumeTrue(
        exit(List.of(python, "-c", check.formatted(names))) == 0,
        "skipped: %s lacks one of %s; set %s".formatted(python, List.of(packages), VARIABLE));
    return python;
  }

  /** The name of the folder contains the requirements, so that another version is another one. */
  private static String install() throws IOException, InterruptedException {
    String content = Files.readString(REQUIREMENTS);
    Path folder = Path.of("target/frameworks-" + Integer.toHexString(content.hashCode()));
    Path python = folder.resolve("bin/python").toAbsolutePath();
    Path complete = folder.resolve("complete");
    if (!Files.exists(complete)) {
      boolean installed =
          exit(List.of("python3", "-m", "venv", "--clear", folder.toString())) == 0
              && exit(
                      List.of(
                          python.toString(),
                          "-m",
                          "pip",
                          "install",
                          "-q",
                          "--retries=0",
                          "-r",
                          REQUIREMENTS.toString()))
                  == 0;
      Assumptions.assumeTrue(installed, "skipped: the frameworks cannot be installed here");
      Files.createFile(complete);
    }
    return python.toString();
  }

  private static int exit(List<String> command) throws InterruptedException {
    try {
      return new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException e) {
      return -1; // there is no such program
    }
  }
}
