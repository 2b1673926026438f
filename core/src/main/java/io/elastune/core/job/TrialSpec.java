package io.elastune.core.job;

import io.elastune.core.IntRange;
import io.elastune.core.Preconditions;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How the trials of a job are executed.
 *
 * @param workdir working directory of setup and run; relative to the job file
 * @param setup shell command run once per instance; part of its boot time
 * @param python path of a Python interpreter on the instances, absolute or relative to the working
 *     folder; its folder is first on the {@code PATH} of setup and run
 * @param image container image in which the workers run; setup runs outside of it
 * @param run shell command of each worker
 * @param gpus allowed numbers of GPUs per trial
 * @param maxFailures failed attempts of one trial that are tolerated over the whole run; the trial
 *     is dropped at failure number {@code maxFailures + 1}
 * @param silence time without a sign of life after which a trial counts as hung; empty for one that
 *     follows from the profile
 * @param checkpoints checkpoint storage
 * @param envs environment variables for setup and run
 * @param secrets names of environment variables that are passed to trials and never written to disk
 *     or logs
 * @param maxCodeBytes most bytes of code that a run copies from the workdir
 * @param resumable whether a trial continues from its checkpoint; otherwise it is trained from unit
 *     0 in every group and after every interruption
 */
public record TrialSpec(
    String workdir,
    Optional<String> setup,
    Optional<String> python,
    Optional<String> image,
    String run,
    IntRange gpus,
    int maxFailures,
    Optional<Duration> silence,
    CheckpointPolicy checkpoints,
    Map<String, String> envs,
    List<String> secrets,
    long maxCodeBytes,
    boolean resumable) {
  public TrialSpec {
    Preconditions.text("trial.workdir", workdir);
    Preconditions.text("trial.run", run);
    Preconditions.atLeast("trial.gpus", 1, gpus.low());
    Preconditions.atLeast("trial.max_failures", 0, maxFailures);
    Preconditions.that(maxCodeBytes >= 0, "trial.max_code_size must not be negative");
    envs = Collections.unmodifiableMap(new LinkedHashMap<>(envs));
    secrets = List.copyOf(secrets);
  }
}
