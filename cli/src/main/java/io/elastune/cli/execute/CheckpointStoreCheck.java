package io.elastune.cli.execute;

import io.elastune.cli.failure.FileSystemErrors;
import io.elastune.core.job.Job;
import io.elastune.executor.checkpoint.CheckpointLocation;
import io.elastune.executor.engine.EngineProvider;
import io.elastune.inputs.JobProblems;
import io.elastune.inputs.LoadedFile;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.ObjectStores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;

/** Checks that a run can store checkpoints where its job says, before anything is started. */
final class CheckpointStoreCheck {
  private static final String FIELD = "trial.checkpoint.store";

  private final LoadedFile<Job> jobFile;
  private final EngineProvider engine;
  private final InstantSource time;

  CheckpointStoreCheck(LoadedFile<Job> jobFile, EngineProvider engine, InstantSource time) {
    this.jobFile = jobFile;
    this.engine = engine;
    this.time = time;
  }

  /**
   * Checks the store of a job. Writes to it and deletes what it has written.
   *
   * @throws io.elastune.core.config.FileProblemsException if it cannot be used
   */
  void check(Job job) {
    job.trial().checkpoints().store().map(CheckpointLocation::new).ifPresent(this::check);
  }

  private void check(CheckpointLocation store) {
    if (store.isBucket()) {
      checkBucket(store);
    } else if (store.isShared()) {
      checkFolder(store.absoluteFolder());
    }
  }

  private void checkBucket(CheckpointLocation store) {
    if (!engine.usesBuckets()) {
      throw JobProblems.usage(
          jobFile,
          FIELD,
          store + " requires the instances of a Ray cluster: use a folder, or omit this field");
    }
    try {
      ObjectStores.open(store.scheme(), store.bucket(), time)
          .check(store.resolve("elastune-check").name());
    } catch (CloudException e) {
      throw JobProblems.usage(jobFile, FIELD, store + " cannot be used: " + e.getMessage());
    }
  }

  private void checkFolder(Path folder) {
    try {
      Files.delete(Files.createTempFile(Files.createDirectories(folder), "elastune-check", ""));
    } catch (IOException e) {
      throw JobProblems.usage(
          jobFile,
          FIELD,
          "this machine cannot write to " + folder + ": " + FileSystemErrors.reason(e));
    }
  }
}
