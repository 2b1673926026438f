package io.elastune.executor.ray;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.core.properties.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Runs the unit tests of the Python programs with the oldest and the newest supported Python. */
@EnabledOnOs(OS.LINUX)
@Execution(ExecutionMode.CONCURRENT)
class ShimIT {
  @Test
  void unitTestsPass() throws Exception {
    assertUnitTestsPass(8);
  }

  @Test
  @Tag(Tier.NIGHTLY)
  void unitTestsPassWithTheNewestPython() throws Exception {
    assertUnitTestsPass(13);
  }

  private static void assertUnitTestsPass(int minor) throws Exception {
    String name = "python3." + minor;
    Optional<String> python = interpreter(name);
    assumeTrue(python.isPresent(), "skipped: no " + name + " on the PATH or under ~/.pyenv");
    Path tests = Path.of("src/test/python").toAbsolutePath();
    ProcessBuilder builder =
        new ProcessBuilder(python.orElseThrow(), "-m", "unittest", "discover", "-b")
            .directory(tests.toFile())
            .redirectErrorStream(true);
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);

    assertThat(process.waitFor()).as(output).isZero();
    assertThat(output).contains("OK");
  }

  private static Optional<String> interpreter(String name) throws Exception {
    List<String> commands = new ArrayList<>(List.of(name));
    Path installed = Path.of(System.getProperty("user.home"), ".pyenv/versions");
    if (Files.isDirectory(installed)) {
      try (Stream<Path> versions = Files.list(installed)) {
        versions
            .map(version -> version.resolve("bin").resolve(name).toString())
            .sorted(Comparator.reverseOrder())
            .forEach(commands::add);
      }
    }
    for (String command : commands) {
      if (canRun(command)) {
        return Optional.of(command);
      }
    }
    return Optional.empty();
  }

  private static boolean canRun(String command) throws InterruptedException {
    try {
      return new ProcessBuilder(command, "--version").start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
