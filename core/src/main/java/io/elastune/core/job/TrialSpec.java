package io.elastune.core.job;

import io.elastune.core.IntRange;
import io.elastune.core.Preconditions;
import io.elastune.core.field.Bounds;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How the trials of a job are executed. */
@RecordBuilder
@FileSection(title = "trial", doc = "How trials are executed.")
public record TrialSpec(
    @FileField(
            doc =
                "Folder of the training program, relative to the job file. `setup` and `run` use a"
                    + " copy of its code.",
            absent = ".",
            example = ".")
        String workdir,
    @FileField(
            doc =
                "Shell commands that run once per instance, in `bash` or else `sh`; the first that"
                    + " fails is an error. Part of the boot time.",
            without = "none",
            example = "pip install -r requirements.txt")
        Optional<String> setup,
    @FileField(
            doc =
                "Interpreter, absolute or relative to `workdir`. Its folder is first on the `PATH`"
                    + " of `setup` and `run`.",
            without = "that of the instance",
            example = ".venv/bin/python")
        Optional<String> python,
    @FileField(
            doc =
                "Docker image of the workers; see [containers](trial-protocol.md#containers)."
                    + " `setup` runs outside of it.",
            without = "no container",
            example = "pytorch/pytorch:latest")
        Optional<String> image,
    @FileField(
            doc =
                "Shell commands of one worker, up to the first that fails. `{args}`,"
                    + " `{args_no_boolean_flags}`: all hyperparameters; `{NAME}`: one.",
            example = "python train.py {args}")
        String run,
    @FileField(
            doc = "Allowed GPUs per trial; the planner uses those that are legal and measured.",
            absent = "1..1",
            example = "1..8")
        IntRange gpus,
    @FileField(
            doc =
                "Failed attempts of a trial that are tolerated over the whole run before it is"
                    + " dropped.",
            absent = "2",
            example = "2")
        @Bounds(least = 0)
        int maxFailures,
    @FileField(
            doc =
                "Time without any sign of life (report, line of output, CPU activity) after which"
                    + " a trial is stopped as hung and retried.",
            without = "3 times the predicted time, at least 20s",
            example = "30m")
        Optional<Duration> silence,
    @FileField(
            doc =
                "Whether trials resume from checkpoints. If not, each attempt trains them from unit"
                    + " 0, as the plan counts.",
            without = "true; false without `search.resource`",
            example = "false")
        boolean resumable,
    @FileField(
            name = "keep_alive",
            doc =
                "Whether the workers of a trial wait for its next group instead of ending, if they"
                    + " can; see [workers that wait](trial-protocol.md#workers-that-wait).",
            absent = "false",
            example = "true")
        boolean keepAlive,
    @FileField(
            name = "checkpoint",
            doc = "When checkpoints are saved, and where they are stored.",
            without = "all defaults",
            example = "{store: s3://bucket/prefix, keep: 2}")
        CheckpointPolicy checkpoints,
    @FileField(
            doc = "Environment variables for `setup` and `run`; quote numbers.",
            absent = "{}",
            example = "{OMP_NUM_THREADS: \"2\"}")
        Map<String, String> envs,
    @FileField(
            doc =
                "Names of environment variables for `setup` and `run`; never stored, and masked in"
                    + " logs.",
            without = "none",
            example = "[WANDB_API_KEY]")
        List<String> secrets,
    @FileField(
            doc =
                "Variables of the controller that `setup` and `run` get besides the usual ones; `*`"
                    + " ends a prefix.",
            without = "none",
            example = "[HF_HOME, \"NCCL_*\"]")
        List<String> inherit,
    @FileField(
            name = "max_code_size",
            doc = "Largest total size of the code in `workdir`: its files that are not ignored.",
            absent = "500M",
            example = "500M")
        long maxCodeBytes) {
  public TrialSpec {
    Preconditions.text("trial.workdir", workdir);
    Preconditions.text("trial.run", run);
    Preconditions.atLeast("trial.gpus", 1, gpus.low());
    Preconditions.atLeast("trial.max_failures", 0, maxFailures);
    Preconditions.that(maxCodeBytes >= 0, "trial.max_code_size must not be negative");
    envs = Collections.unmodifiableMap(new LinkedHashMap<>(envs));
    secrets = List.copyOf(secrets);
    inherit = List.copyOf(inherit);
  }

  /** Returns the same for trials that save no checkpoints. */
  public TrialSpec notResumable() {
    return TrialSpecBuilder.builder(this).resumable(false).keepAlive(false).build();
  }
}
