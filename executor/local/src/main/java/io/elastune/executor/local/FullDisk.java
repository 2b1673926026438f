package io.elastune.executor.local;

import io.elastune.core.files.DiskProbe;
import io.elastune.core.files.DiskSpace;
import io.elastune.executor.engine.AttemptSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Finds out whether a full disk made an attempt fail. The disks of its checkpoints and of its
 * working folder are always measured; those of temporary files and of the home only if its output
 * names a full disk. Without a measurement, the output proves nothing.
 */
final class FullDisk {
  private static final double GIGABYTE = 1e9;

  private final AttemptSpec spec;
  private final Path checkpointDir;
  private final boolean suggested;

  /**
   * Creates the measurement.
   *
   * @param output the last lines of output
   */
  FullDisk(AttemptSpec spec, Path checkpointDir, String output) {
    this.spec = spec;
    this.checkpointDir = checkpointDir;
    this.suggested = DiskProbe.isSuggestedBy(output);
  }

  /** Returns the first folder to which nothing can be written. */
  Optional<Path> measure() {
    List<Path> folders = new ArrayList<>(List.of(checkpointDir, Path.of(spec.workdir())));
    if (suggested) {
      folders.add(Path.of(variable("TMPDIR").orElse("/tmp")));
      variable("HOME").map(Path::of).ifPresent(folders::add);
    }
    return DiskProbe.firstFull(folders);
  }

  private Optional<String> variable(String name) {
    Map<String, String> own = spec.environment();
    return Optional.ofNullable(own.getOrDefault(name, System.getenv(name)))
        .filter(value -> value.startsWith("/"));
  }

  /** Returns what contradicts output that names a full disk, although no disk is full. */
  String contradiction() {
    return suggested
        ? " (no disk is full, as its output suggests: "
            + String.format(
                Locale.ROOT, "%.1f GB", DiskSpace.free(checkpointDir).orElse(0) / GIGABYTE)
            + " free in "
            + checkpointDir
            + ")"
        : "";
  }
}
