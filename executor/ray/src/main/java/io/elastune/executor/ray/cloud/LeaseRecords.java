package io.elastune.executor.ray.cloud;

import io.elastune.core.files.PrivateFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Stores when the leases of a run began and ended: a cluster keeps no record of ended agents. Later
 * controllers of the run report the same times.
 */
final class LeaseRecords {
  /**
   * One lease.
   *
   * @param instance the ID of its agent's files
   * @param ended empty while it has not ended
   */
  record LeaseRecord(String instance, Instant running, Optional<Instant> ended) {}

  private final Path folder;

  LeaseRecords(Path folder) {
    this.folder = folder;
  }

  /** Returns what is stored about a lease; empty if it never began. */
  Optional<LeaseRecord> find(String lease) {
    try {
      List<String> lines = Files.readAllLines(folder.resolve(lease));
      return Optional.of(
          new LeaseRecord(
              lines.get(0),
              Instant.parse(lines.get(1)),
              lines.size() > 2 ? Optional.of(Instant.parse(lines.get(2))) : Optional.empty()));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the record of lease " + lease, e);
    }
  }

  /** Stores a lease. */
  void save(String lease, LeaseRecord stored) {
    String text = stored.instance() + "\n" + stored.running() + "\n";
    try {
      PrivateFiles.createFolder(folder);
      Path temporary = PrivateFiles.createFile(folder.resolve(lease + ".tmp"));
      Files.writeString(temporary, text + stored.ended().map(at -> at + "\n").orElse(""));
      Files.move(temporary, folder.resolve(lease), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot store the record of lease " + lease, e);
    }
  }
}
