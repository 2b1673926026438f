package io.elastune.executor.journal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Where everything of one run lies, below {@code $ELASTUNE_HOME/runs/RUN}. */
public record RunFolder(Path path) {
  /** The folder of {@code run}; it need not exist. */
  public static RunFolder of(Path home, String run) {
    return new RunFolder(home.resolve("runs").resolve(run));
  }

  /** All runs below {@code home}, by name. */
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

  /** The run's id. */
  public String run() {
    return path.getFileName().toString();
  }

  public boolean exists() {
    return Files.exists(journal());
  }

  public Path journal() {
    return path.resolve("journal.db");
  }

  /** Locked as long as the controller lives. */
  public Path lock() {
    return path.resolve("controller.lock");
  }

  /** Written by {@code stop}; looked for by the controller. */
  public Path stopRequest() {
    return path.resolve("stop.request");
  }

  /** Output of all attempts of a trial. */
  public Path trialLog(int trial) {
    return path.resolve("logs").resolve("trial-" + trial + ".log");
  }

  /** Output of the setup of a lease. */
  public Path setupLog(String lease) {
    return path.resolve("logs").resolve("setup-" + lease + ".log");
  }

  /** Checkpoints of a trial, unless the job names another store. */
  public Path checkpoints(int trial) {
    return checkpointStore().resolve("trial-" + trial);
  }

  /** Checkpoints of all trials. */
  public Path checkpointStore() {
    return path.resolve("checkpoints");
  }

  /** Makes the folder and those inside that files are written to. */
  public void create() {
    try {
      Files.createDirectories(path.resolve("logs"));
      Files.createDirectories(checkpointStore());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make the run's folder " + path, e);
    }
  }
}
