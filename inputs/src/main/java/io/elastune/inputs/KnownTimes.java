package io.elastune.inputs;

import io.elastune.core.config.FileProblem;
import io.elastune.core.config.ParseResult;
import io.elastune.core.config.ProfileFile;
import io.elastune.core.config.yaml.YamlWriter;
import io.elastune.core.job.Job;
import io.elastune.core.profile.MeasurementOrigin;
import io.elastune.core.profile.Profile;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Training times that a program states in place of a profile file. They were not measured by
 * Elastune, so predictions from them are marked as assumed.
 *
 * @param gpu the GPU model
 * @param seconds the seconds of a unit by GPUs per trial
 * @param startupS seconds of a trial's start-up; empty if the seconds of a unit include it
 * @param trialCv coefficient of variation of a trial's duration
 */
public record KnownTimes(
    String gpu, Map<Integer, Double> seconds, OptionalDouble startupS, double trialCv) {
  public KnownTimes {
    seconds = Map.copyOf(seconds);
  }

  /** Creates times that include the start-up, of trials that all take equally long. */
  public KnownTimes(String gpu, Map<Integer, Double> seconds) {
    this(gpu, seconds, OptionalDouble.empty(), 0);
  }

  /** Returns the times with another start-up and spread. */
  public KnownTimes with(OptionalDouble startup, double cv) {
    return new KnownTimes(gpu, seconds, startup, cv);
  }

  /** Returns the profile for a job: the rules of profile files hold for these times, too. */
  ParseResult<LoadedFile<Profile>> profile(Job job, Instant at) {
    String name = "profile(\"" + gpu + "\")";
    String text =
        "program: %s\ngpu: %s\nunit: %s\nmeasured: {at: %s, source: %s, samples: 0}\n%strial_cv: %s\ntraining:%s\n"
            .formatted(
                YamlWriter.flow(job.name()),
                YamlWriter.flow(gpu),
                YamlWriter.flow(job.search().resource().unit()),
                at,
                MeasurementOrigin.ASSUMED,
                startup(),
                trialCv,
                seconds.isEmpty() ? " []" : rows());
    return ProfileFile.parse(name, text)
        .match(
            profile ->
                new ParseResult.ValidFile<>(new LoadedFile<>(Path.of(""), name, text, profile)),
            problems ->
                new ParseResult.InvalidFile<>(
                    problems.stream().map(KnownTimes::withoutLine).toList()));
  }

  private String startup() {
    return startupS.isPresent()
        ? "startup_s: {mean: " + startupS.getAsDouble() + ", cv: 0}\n"
        : "startup_known: false\n";
  }

  private String rows() {
    return new TreeMap<>(seconds)
        .entrySet().stream()
            .map(row -> "\n  - {gpus: " + row.getKey() + ", seconds: " + row.getValue() + "}")
            .collect(Collectors.joining());
  }

  /** Its lines are those of a file that the user does not have. */
  private static FileProblem withoutLine(FileProblem problem) {
    return new FileProblem(problem.file(), 0, problem.field(), problem.message(), problem.hint());
  }
}
