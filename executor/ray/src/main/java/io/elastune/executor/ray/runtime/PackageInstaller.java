package io.elastune.executor.ray.runtime;

import io.elastune.executor.ray.head.RayPython;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Installs Ray and what it requires in the interpreter of a runtime, as wheels for old systems. */
final class PackageInstaller {
  /** Newest first. A name does not include older ones. */
  private static final List<String> PLATFORMS =
      List.of(
          "manylinux_2_28_x86_64",
          "manylinux_2_27_x86_64",
          "manylinux_2_24_x86_64",
          "manylinux_2_17_x86_64",
          "manylinux2014_x86_64",
          "manylinux_2_12_x86_64",
          "manylinux2010_x86_64",
          "manylinux_2_5_x86_64",
          "manylinux1_x86_64");

  private static final String REMEDY =
      "Check the package index (pip config list), or name a folder with the wheels of ray=="
          + RayPython.TESTED
          + " and its dependencies with --wheels";

  /** The packages with their SHA-256, for the Python of the shipped interpreter. */
  private static final String LOCK = "ray-requirements.lock";

  private static final String LOCKED_PYTHON = "python3.11";

  private PackageInstaller() {}

  /**
   * Installs the packages. Those from an index must have the checksums that Elastune ships, except
   * for an interpreter of another version, which needs other files.
   *
   * @param python the interpreter
   * @param target its folder of packages
   * @param wheels a folder with all packages; empty for the package index that is configured
   * @throws io.elastune.provisioner.CloudException if they are unavailable
   */
  static void install(Path python, Path target, Optional<Path> wheels) throws IOException {
    Path lock = Files.createTempFile("elastune-packages", ".txt");
    try (InputStream shipped = PackageInstaller.class.getResourceAsStream(LOCK)) {
      Files.write(lock, Objects.requireNonNull(shipped, LOCK).readAllBytes());
      List<String> command = command(python, target, wheels, lock);
      var unused =
          new BuildStep("Installing Ray " + RayPython.TESTED + " in the node runtime", REMEDY)
              .run(command.toArray(String[]::new));
    } finally {
      Files.deleteIfExists(lock);
    }
  }

  static List<String> command(Path python, Path target, Optional<Path> wheels, Path lock) {
    List<String> command = new ArrayList<>(List.of(python.toString(), "-I", "-m", "pip"));
    command.addAll(List.of("install", "--quiet", "--no-input", "--disable-pip-version-check"));
    command.addAll(List.of("--no-compile", "--upgrade", "--only-binary=:all:"));
    PLATFORMS.forEach(platform -> command.addAll(List.of("--platform", platform)));
    command.addAll(List.of("--target", target.toString()));
    wheels.ifPresent(
        folder -> command.addAll(List.of("--no-index", "--find-links", folder.toString())));
    boolean isLocked =
        wheels.isEmpty() && target.resolveSibling(".").normalize().endsWith(LOCKED_PYTHON);
    command.addAll(
        isLocked
            ? List.of("--no-deps", "--require-hashes", "-r", lock.toString())
            : List.of("ray==" + RayPython.TESTED));
    return command;
  }
}
