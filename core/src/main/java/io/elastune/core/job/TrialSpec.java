package io.elastune.core.job;

import io.elastune.core.Check;
import io.elastune.core.IntRange;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How a trial is run.
 *
 * @param workdir the folder in which setup and run are started; relative to the job file
 * @param setup shell command once per instance, counted in its boot
 * @param run shell command of one worker
 * @param gpus sizes that the user allows
 * @param maxFailures failed attempts of one trial, over the whole run, after which it is dropped:
 *     it is dropped by failure number {@code maxFailures + 1}
 * @param checkpoints how they are kept
 * @param envs environment for setup and run
 * @param secrets names of variables passed on from the environment, never written anywhere
 */
public record TrialSpec(
    String workdir,
    Optional<String> setup,
    String run,
    IntRange gpus,
    int maxFailures,
    Checkpoints checkpoints,
    Map<String, String> envs,
    List<String> secrets) {
  public TrialSpec {
    Check.text("trial.workdir", workdir);
    Check.text("trial.run", run);
    Check.atLeast("trial.gpus", 1, gpus.low());
    Check.atLeast("trial.max_failures", 0, maxFailures);
    envs = Collections.unmodifiableMap(new LinkedHashMap<>(envs));
    secrets = List.copyOf(secrets);
  }
}
