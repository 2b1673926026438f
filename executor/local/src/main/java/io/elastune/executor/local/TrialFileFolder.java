package io.elastune.executor.local;

import io.elastune.core.files.PrivateFiles;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

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

  /** Writes the trial file of a worker. */
  Path write(int rank, byte[] trialFile) throws IOException {
    return Files.write(PrivateFiles.createFile(path.resolve("trial-" + rank + ".json")), trialFile);
  }

  /** Returns the path for the exit code of a worker that leaves processes. */
  Path status(int rank) {
    return path.resolve("exit-" + rank);
  }

  /** Returns the path of the report channel. */
  Path channel() {
    return path.resolve("reports");
  }

  void remove() throws IOException {
    if (!Files.isDirectory(path)) {
      return;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
      for (Path file : files) {
        Files.delete(file);
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    Files.delete(path);
  }
}
