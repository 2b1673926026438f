package io.elastune.executor.quickstart;

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
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the Python helper with every supported version of Python, and as an installed package. */
class PythonHelperIT {
  private static final String MYPY = "mypy";

  @TempDir Path folder;

  @Test
  @DisplayName("The unit tests pass with the oldest supported Python")
  void unitTestsPass() throws Exception {
    assertUnitTestsPass(9);
  }

  @ParameterizedTest(name = "Python 3.{0}")
  @ValueSource(ints = {10, 11, 12, 13})
  @Tag(Tier.NIGHTLY)
  void unitTestsPassWithLaterVersions(int minor) throws Exception {
    assertUnitTestsPass(minor);
  }

  private static void assertUnitTestsPass(int minor) throws Exception {
    String name = "python3." + minor;
    Optional<String> python = interpreter(name);
    assumeTrue(python.isPresent(), "skipped: no " + name + " on the PATH or under ~/.pyenv");
    succeeds(python("."), python.orElseThrow(), "-m", "unittest", "discover");
  }

  @Test
  @DisplayName("The helper and the interface are strictly typed")
  void isTyped() throws Exception {
    assumeTrue(RepositoryFiles.canRun(MYPY, "--version"), "skipped: no mypy on the PATH");
    succeeds(
        python("."),
        MYPY,
        "--strict",
        cache(),
        "elastune",
        "elastune_runtime",
        "elastune_trial.py",
        "elastune_callbacks.py");
  }

  @Test
  @DisplayName("The package can be installed, and type checkers find its types")
  @Tag(Tier.NIGHTLY)
  void canBeInstalled() throws Exception {
    assumeTrue(
        RepositoryFiles.canRun("python3", "-m", "venv", "--system-site-packages", folder + "/venv"),
        "skipped: the package's test needs python3 with venv on the PATH");
    String python = folder.resolve("venv/bin/python").toString();
    assumeTrue(
        RepositoryFiles.canRun(python, "-c", "import setuptools, wheel")
            || RepositoryFiles.canRun(
                python, "-m", "pip", "install", "-q", "--retries=0", "setuptools", "wheel"),
        "skipped: the package's test needs setuptools and wheel, installed or from an index");
    Path sources = copyOfSources();

    succeeds(
        folder,
        python,
        "-m",
        "pip",
        "install",
        "--no-build-isolation",
        "--no-deps",
        "./" + sources);

    Files.writeString(
        folder.resolve("train.py"),
        """
        import elastune_callbacks
        import elastune_trial
        assert elastune_callbacks.keras_callback.__doc__
        trial = elastune_trial.load({"lr": 0.1}, units=2)
        state: float = trial.restore(lambda folder: 1.0, lambda: 0.5)
        for unit in trial.units():
            trial.save(unit, lambda folder: None)
            trial.report(unit, loss=state)
        """);
    assertThat(succeeds(folder, python, "train.py"))
        .contains("ELASTUNE {\"unit\": 2, \"metrics\": {\"loss\": 0.5}}");
    if (RepositoryFiles.canRun(MYPY, "--version")) {
      succeeds(folder, MYPY, "--strict", cache(), "--python-executable=" + python, "train.py");
    }
  }

  /** A cache that later builds use too: mypy reads the types of the standard library first. */
  private static String cache() {
    return "--cache-dir=" + Path.of("target/mypy").toAbsolutePath();
  }

  private static Path python(String file) {
    return RepositoryFiles.root().resolve("python").resolve(file);
  }

  /** Returns a copy of the package's sources, because an installation writes into its folder. */
  private Path copyOfSources() throws IOException {
    Path copy = Path.of("sources");
    try (Stream<Path> files = Files.walk(python("."))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path target = folder.resolve(copy).resolve(python(".").relativize(file));
        Files.createDirectories(target.getParent());
        Files.copy(file, target);
      }
    }
    return copy;
  }

  /** Returns the command of a Python interpreter on the PATH, or of the newest one of pyenv. */
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
      if (RepositoryFiles.canRun(command, "--version")) {
        return Optional.of(command);
      }
    }
    return Optional.empty();
  }

  /** Returns the output of a command, which must exit with 0. */
  private static String succeeds(Path folder, String... command) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }
}
