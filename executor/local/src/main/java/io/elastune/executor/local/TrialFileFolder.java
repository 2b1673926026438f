package io.elastune.executor.local;

import io.elastune.core.files.PrivateFiles;
import io.elastune.executor.code.FolderRemover;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * The folder with the trial files of one running attempt. It is next to the folder of the trial's
 * checkpoints.
 */
final class TrialFileFolder {
  private final Path path;

  private TrialFileFolder(Path path) {
    this.path = path;
  }

  /** Creates the folder, and deletes those that interrupted attempts of the trial left. */
  static TrialFileFolder create(Path checkpointDir, String attempt) throws IOException {
    String prefix = checkpointDir.getFileName() + ".attempt-";
    Path parent = checkpointDir.resolveSibling(".").toAbsolutePath().normalize();
    try (DirectoryStream<Path> stale = Files.newDirectoryStream(parent, prefix + "*")) {
      for (Path folder : stale) {
        new TrialFileFolder(folder).remove();
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return new TrialFileFolder(PrivateFiles.createFolder(parent.resolve(prefix + attempt)));
  }

  /** Writes the trial file of a worker, in place of whatever is there. */
  Path write(int rank, byte[] trialFile) throws IOException {
    Path file = path.resolve("trial-" + rank + ".json");
    Path part = Files.createTempFile(path, file.getFileName().toString(), ".part");
    Files.write(part, trialFile);
    return Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Returns the path for the exit code of a worker that leaves processes. */
  Path status(int rank) {
    return path.resolve("exit-" + rank);
  }

  /** Returns the path of the report channel. */
  Path channel() {
    return path.resolve("reports");
  }

  /** Deletes it with whatever a trial has put there. */
  void remove() throws IOException {
    FolderRemover.remove(path);
  }
}
