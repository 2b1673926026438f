package io.elastune.executor.ray.acceptance;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Assumptions;

/**
 * Programs that act as {@code nvidia-smi}, {@code dmesg} and CUDA's driver library on a machine
 * without GPUs.
 *
 * @param folder the folder of both
 */
public record StandInGpus(Path folder) {
  /** The output of {@code nvidia-smi} whose library is newer than the driver that is loaded. */
  static final String MISMATCH =
      "echo 'Failed to initialize NVML: Driver/library version mismatch'; exit 18";

  /** Creates the folder, with a kernel's log that has no Xid errors, and without a driver. */
  public static StandInGpus in(Path folder) throws IOException {
    return new StandInGpus(Files.createDirectories(folder)).kernelLog("exit 0");
  }

  /** Makes {@code dmesg} a shell script. */
  public StandInGpus kernelLog(String script) throws IOException {
    program(folder.resolve("dmesg"), script);
    return this;
  }

  /** Makes {@code nvidia-smi} list these GPUs, and know no other query. */
  public StandInGpus listing(String... names) throws IOException {
    return answering("exit 2", names);
  }

  /** Makes {@code nvidia-smi} list these GPUs, and answer other queries by a shell script. */
  StandInGpus answering(String others, String... names) throws IOException {
    String list = "printf '%s\\n' " + "'" + String.join("' '", names) + "'";
    return smi("case $1 in --query-gpu=name) " + list + " ;; *) " + others + " ;; esac");
  }

  /** Makes {@code nvidia-smi} a shell script. */
  public StandInGpus smi(String script) throws IOException {
    program(folder.resolve("nvidia-smi"), script);
    return this;
  }

  /** Writes a shell script that is complete or absent. */
  static void program(Path file, String script) throws IOException {
    Path written = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(written, "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(written, PosixFilePermissions.fromString("rwx------"));
    Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Builds the library with these definitions, such as {@code GPUS=4}. */
  public StandInGpus cuda(String... definitions) throws Exception {
    Path source = folder.resolve("libcuda.c");
    try (InputStream stream = StandInGpus.class.getResourceAsStream("libcuda.c")) {
      Files.write(source, Objects.requireNonNull(stream).readAllBytes());
    }
    Path library = folder.resolve("libcuda.so.new");
    List<String> command = new ArrayList<>(List.of("cc", "-shared", "-fPIC", "-o"));
    command.addAll(List.of(library.toString(), source.toString()));
    for (String definition : definitions) {
      command.add("-D" + definition);
    }
    try {
      Path log = folder.resolve("cc.log");
      Process compiler =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      if (compiler.waitFor() != 0) {
        throw new AssertionError(Files.readString(log));
      }
    } catch (IOException e) {
      Assumptions.abort("skipped: this machine has no C compiler named cc");
    }
    Files.move(library, folder.resolve("libcuda.so.1"), StandardCopyOption.ATOMIC_MOVE);
    return this;
  }

  /** Removes {@code nvidia-smi} and the library. */
  public StandInGpus none() throws IOException {
    Files.deleteIfExists(folder.resolve("nvidia-smi"));
    Files.deleteIfExists(folder.resolve("libcuda.so.1"));
    return this;
  }

  /** Returns a command that starts Python so that it finds both. */
  public List<String> python() {
    return List.of(
        "env",
        "PATH=" + folder + ":" + System.getenv("PATH"),
        "LD_LIBRARY_PATH=" + folder,
        "python3");
  }
}
