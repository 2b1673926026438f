package io.elastune.executor.runtime;

import io.elastune.core.job.Job;
import io.elastune.executor.checkpoint.CheckpointLocation;
import io.elastune.executor.code.RunCode;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunMeta;
import io.elastune.executor.search.Configurations;
import io.elastune.provisioner.SecretMask;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The specification of one run: everything that its controller needs.
 *
 * @param definition the input of the decision core
 * @param job the job file's contents
 * @param workdir the working folder of setup commands and workers, unless they use a snapshot
 * @param code the snapshot of the workdir and the working folders of the trials
 * @param folder the run's folder, with its journal and logs
 * @param owner the value of the owner tag
 * @param environment the job's environment variables, including the values of secrets
 * @param configurations hyperparameters and seeds by trial
 * @param meta further data of the journal, including the location of the checkpoints
 */
public record RunSpec(
    RunDefinition definition,
    Job job,
    Path workdir,
    Optional<RunCode> code,
    RunFolder folder,
    String owner,
    Map<String, String> environment,
    Configurations configurations,
    RunMeta meta) {
  public RunSpec {
    environment = Map.copyOf(environment);
  }

  /** Returns a mask of the values of the job's secrets. */
  SecretMask mask() {
    return SecretMask.of(
        job.trial().secrets().stream()
            .filter(environment::containsKey)
            .map(environment::get)
            .toList());
  }

  /** Returns the folder in which setup runs. */
  Path setupFolder() {
    return code.map(RunCode::setupFolder).orElse(workdir);
  }

  /** Returns the working folder of a trial. */
  Path trialFolder(int trial) {
    return code.map(found -> found.trialFolder(trial)).orElse(workdir);
  }

  /** Returns the location of a trial's checkpoints. */
  CheckpointLocation checkpoints(int trial) {
    return new CheckpointLocation(meta.checkpointsOf(folder)).resolve("trial-" + trial);
  }

  /** Returns only the run's ID: the environment may contain secrets. */
  @Override
  public String toString() {
    return "RunSpec[" + definition.run() + "]";
  }
}
