package io.elastune.executor.journal;

import io.elastune.core.files.PrivateFiles;
import io.elastune.core.files.PrivateFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/** The paths of the files of one run, in {@code $ELASTUNE_HOME/runs/RUN}. */
public record RunFolder(Path path) {
  /** Returns the folder of {@code run}, which need not exist. */
  public static RunFolder of(Path home, String run) {
    return new RunFolder(home.resolve("runs").resolve(run));
  }

  /** Returns the folders of all runs in {@code home}, by name. */
  public static List<RunFolder> all(Path home) {
    Path runs = home.resolve("runs");
    if (!Files.isDirectory(runs)) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(runs)) {
      return entries
          .map(RunFolder::new)
          .filter(folder -> Files.exists(folder.journal()))
          .sorted((a, b) -> a.run().compareTo(b.run()))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns the folders of runs that have no journal and were last changed before {@code limit}:
   * their controllers were killed before they started anything.
   */
  public static List<Path> unstarted(Path home, Instant limit) {
    Path runs = home.resolve("runs");
    if (!Files.isDirectory(runs)) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(runs)) {
      return entries
          .filter(Files::isDirectory)
          .filter(path -> !new RunFolder(path).exists())
          .filter(path -> Instant.ofEpochMilli(path.toFile().lastModified()).isBefore(limit))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The run's id. */
  public String run() {
    return path.getFileName().toString();
  }

  /** The name of its job: the run's id without the date and the random characters. */
  public String job() {
    return run().replaceFirst("-\\d{8}-[a-z0-9]+$", "");
  }

  public boolean exists() {
    return Files.exists(journal());
  }

  public Path journal() {
    return path.resolve("journal.db");
  }

  /** The other files of an open journal. */
  List<Path> journalFiles() {
    return List.of(path.resolve("journal.db-wal"), path.resolve("journal.db-shm"));
  }

  /** A journal that is written again, before it has its name. */
  Path restoredJournal() {
    return path.resolve("journal.restored");
  }

  /** A file that is locked while the controller is alive. */
  public Path lock() {
    return path.resolve("controller.lock");
  }

  /** A file with the number of controllers of the run so far. */
  Path controllers() {
    return path.resolve("controllers");
  }

  /** A file that {@code stop} writes and the controller checks. */
  public Path stopRequest() {
    return path.resolve("stop.request");
  }

  /** Output of the controllers that executed the run in the background. */
  public Path controllerLog() {
    return path.resolve("controller.log");
  }

  /** Warnings and errors of the components that executed the run; missing if there were none. */
  public Path warningsLog() {
    return path.resolve("warnings.log");
  }

  /** A file that keeps space of the disk for the journal. */
  Path reserve() {
    return path.resolve("journal.reserve");
  }

  /** A note that the journal could not be written. */
  Path journalLoss() {
    return path.resolve("journal.lost");
  }

  /** Output of all attempts of a trial. */
  public Path trialLog(int trial) {
    return path.resolve("logs").resolve("trial-" + trial + ".log");
  }

  /** Output of the setup of a lease. */
  public Path setupLog(String lease) {
    return path.resolve("logs").resolve("setup-" + lease + ".log");
  }

  /** A snapshot of the code, numbered from 1. */
  public Path code(int version) {
    return path.resolve("code-" + version);
  }

  /** The working folders of the trials. */
  public Path work() {
    return path.resolve("work");
  }

  /** Checkpoints of a trial, unless the job names another store. */
  public Path checkpoints(int trial) {
    return checkpointStore().resolve("trial-" + trial);
  }

  /** Checkpoints of all trials. */
  public Path checkpointStore() {
    return path.resolve("checkpoints");
  }

  /**
   * Creates the folder and its subfolders, for their owner only. Existing ones and their files are
   * restricted to their owner.
   */
  public void create() {
    try {
      PrivateFiles.openFolder(PrivateFolder.open(path));
      PrivateFiles.openFolder(path.resolve("logs"));
      PrivateFiles.openFolder(checkpointStore());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot create the folder of the run " + path, e);
    }
  }
}
