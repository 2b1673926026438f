package io.elastune.executor.ray.runtime;

import io.elastune.executor.checkpoint.FileChecksum;
import io.elastune.executor.engine.RuntimeSources;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** Unpacks the archive of a portable interpreter. */
final class InterpreterArchive {
  /** Where the interpreter is in a runtime. */
  static final String PROGRAM = "bin/python3";

  private static final int DEEPEST = 6;

  private InterpreterArchive() {}

  /**
   * Checks and unpacks an archive. The folder that contains {@code bin/python3} becomes {@code
   * target}.
   *
   * @param scratch an empty folder beside {@code target}
   * @throws CloudException if the checksum differs, or the archive contains no interpreter
   */
  static void unpack(RuntimeSources.Interpreter source, Path scratch, Path target)
      throws IOException {
    if (!Files.isRegularFile(source.file())) {
      throw unusable(source.file(), "it does not exist");
    }
    check(source.file(), source.sha256());
    String name = String.valueOf(source.file().getFileName());
    if (name.endsWith(".jar") || name.endsWith(".zip")) {
      unzip(source.file(), scratch);
    } else if (name.endsWith(".tar.gz") || name.endsWith(".tgz")) {
      BuildStep.named("Unpacking " + source.file())
          .run("tar", "-xzf", source.file().toString(), "-C", scratch.toString());
    } else {
      throw unusable(source.file(), "its name ends in none of .tar.gz, .tgz, .zip and .jar");
    }
    Path root =
        root(scratch).orElseThrow(() -> unusable(source.file(), "it contains no bin/python3"));
    makeProgramsExecutable(root.resolve("bin"));
    Files.move(root, target);
  }

  /**
   * Checks the content of a file.
   *
   * @throws CloudException if it has another checksum
   */
  private static void check(Path file, String expected) throws IOException {
    String found = FileChecksum.of(file);
    if (!found.equals(expected.toLowerCase(Locale.ROOT))) {
      throw new CloudException(
          new CloudFailure.Invalid(
              "The interpreter "
                  + file
                  + " was not used: its SHA-256 is "
                  + found
                  + ", and "
                  + expected
                  + " is expected. Download it again from its publisher"));
    }
  }

  private static void unzip(Path file, Path target) throws IOException {
    try (ZipFile zip = new ZipFile(file.toFile())) {
      for (ZipEntry entry : Collections.list(zip.entries())) {
        Path path = target.resolve(entry.getName()).normalize();
        if (!path.startsWith(target)) {
          throw unusable(file, "its entry " + entry.getName() + " is outside of its folder");
        }
        if (entry.isDirectory()) {
          Files.createDirectories(path);
        } else {
          Files.createDirectories(path.resolveSibling("."));
          try (InputStream content = zip.getInputStream(entry)) {
            var unused = Files.copy(content, path);
          }
        }
      }
    }
  }

  private static Optional<Path> root(Path scratch) throws IOException {
    try (Stream<Path> files = Files.find(scratch, DEEPEST, (file, is) -> file.endsWith(PROGRAM))) {
      return files.sorted().map(program -> program.resolve("../..").normalize()).findFirst();
    }
  }

  private static void makeProgramsExecutable(Path folder) throws IOException {
    try (Stream<Path> programs = Files.list(folder)) {
      for (Path program : programs.filter(Files::isRegularFile).toList()) {
        if (!program.toFile().setExecutable(true, false)) {
          throw new IOException(program + " cannot be made executable");
        }
      }
    }
  }

  private static CloudException unusable(Path file, String reason) {
    return new CloudException(
        new CloudFailure.Invalid("The interpreter " + file + " cannot be used: " + reason));
  }
}
