package io.elastune.executor.shell;

import io.elastune.core.job.Job;
import io.elastune.executor.core.RunDefinition;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunMeta;
import io.elastune.executor.search.Configurations;
import java.nio.file.Path;
import java.util.Map;

/**
 * All that the shell needs to carry a run out.
 *
 * @param definition what the core decides by
 * @param job the job
 * @param workdir where setup and workers are started
 * @param folder where the run is kept
 * @param owner for the tag
 * @param environment the job's variables with its secrets' values
 * @param configurations hyperparameters and seeds by trial
 * @param meta what else is to be found in the journal; where the checkpoints are, too
 */
public record RunSpec(
    RunDefinition definition,
    Job job,
    Path workdir,
    RunFolder folder,
    String owner,
    Map<String, String> environment,
    Configurations configurations,
    RunMeta meta) {
  public RunSpec {
    environment = Map.copyOf(environment);
  }

  /** Where the checkpoints of a trial are. */
  Path checkpoints(int trial) {
    return Path.of(meta.checkpoints()).resolve("trial-" + trial);
  }

  /** Names the run only: the environment may hold secrets. */
  @Override
  public String toString() {
    return "RunSpec[" + definition.run() + "]";
  }
}
