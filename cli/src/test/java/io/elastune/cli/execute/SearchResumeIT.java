package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.rented.CloudCommand;
import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.RunningCommand;
import io.elastune.cli.testing.TinyJob;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Kills the controller with {@code kill -9} after a decision of the search. The resumed run makes
 * the same decisions on the same results as an undisturbed one. One instance makes the order of the
 * results the same.
 */
@Execution(ExecutionMode.CONCURRENT)
@Order(2) // long, and unaffected by a busy machine
class SearchResumeIT {
  private static final Set<ReasonCode> OF_THE_SEARCH =
      EnumSet.of(
          ReasonCode.TRIALS_PROMOTED,
          ReasonCode.TRIALS_REPLACED,
          ReasonCode.TRIAL_PROMOTED,
          ReasonCode.ALL_TRIALS_STARTED,
          ReasonCode.NO_TIME_FOR_TRIAL,
          ReasonCode.TRIAL_NOT_PROMOTED,
          ReasonCode.TRIAL_RESIZED,
          ReasonCode.TRIAL_PAUSED,
          ReasonCode.TRIAL_NOT_RESUMED,
          ReasonCode.SAMPLER_FAILED,
          ReasonCode.SAMPLER_ABANDONED);

  /** The searches, with the decision after which the controller is killed. */
  private enum Case {
    /**
     * Asynchronous Hyperband that may last 180 s. By the profile, 8 units take 240 s, so the search
     * closes when a trial has trained 4 units.
     */
    BRACKETS(
        "{algorithm: asha, eta: 2, asha: {brackets: 2}, stop: {time: 180s}, ",
        "min: 1, max: 8",
        "is among the best"),
    PBT("{algorithm: pbt, trials: 4, ", "min: 1, max: 3", "after group 1"),
    SAMPLER(
        "{algorithm: asha, trials: 6, eta: 2, sampler: {type: optuna, python: python}, ",
        "min: 1, max: 4",
        "is among the best"),
    FLUID("{algorithm: sha, trials: 3, eta: 3, ", "min: 2, max: 6", "changes from"),
    FLUID_RUNGS("{algorithm: asha, trials: 3, eta: 3, ", "min: 2, max: 6", "changes from"),
    HYPERSCHED("{algorithm: asha, trials: 6, eta: 2, ", "min: 1, max: 4", "is behind");

    final String algorithm;
    final String resource;
    final String decision;

    Case(String algorithm, String resource, String decision) {
      this.algorithm = algorithm;
      this.resource = resource;
      this.decision = decision;
    }
  }

  /** What a run decided, and on which results. */
  private record Course(
      List<String> decisions, SortedSet<String> reports, List<TrialCourse> trials) {}

  /** The end of a trial. */
  private record TrialCourse(
      int trial, Map<String, Object> config, String status, int unit, OptionalInt parent) {}

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void resumedSearchMakesTheSameDecisions(Case search) throws Exception {
    CloudCommand elastune =
        new CloudCommand(folder, folder.resolve("home"), Map.of()).withUsersEngines();
    CommandResult whole =
        elastune.inProcess("run", write(search, "whole"), "-y", "--json").assertExit(0);
    RunningCommand killed =
        elastune.start("run", write(search, "killed"), "-y").awaitOutput(search.decision);
    killed.process().destroyForcibly().waitFor();
    CommandResult resumed = elastune.inProcess("resume", "killed", "--json").assertExit(0);

    Course expected = course(elastune, whole);
    assertThat(expected.decisions()).isNotEmpty();
    if (search == Case.BRACKETS) {
      assertThat(expected.decisions().toString()).contains(ReasonCode.NO_TIME_FOR_TRIAL.name());
    }
    assertThat(course(elastune, resumed)).isEqualTo(expected);
    for (CommandResult end : new CommandResult[] {whole, resumed}) {
      assertThat(end.lastLine().path("instances_left").asInt(-1)).isZero();
      assertThat(end.lastLine().at("/trials/failed").asInt()).isZero();
    }
  }

  private static Course course(CloudCommand elastune, CommandResult end) {
    try (RunReader journal =
        RunReader.open(RunFolder.of(elastune.home(), end.lastLine().path("run").asString()))) {
      SortedSet<String> reports = new TreeSet<>();
      journal.reports().forEach(r -> reports.add(r.trial() + " " + r.unit() + " " + r.metrics()));
      return new Course(
          journal.decisions().stream()
              .filter(row -> OF_THE_SEARCH.contains(row.reason().code()))
              .map(row -> row.decision() + " " + row.reason())
              .toList(),
          reports,
          journal.trials().stream()
              .map(
                  row ->
                      new TrialCourse(
                          row.trial(),
                          row.config(),
                          row.status().toString(),
                          row.unit(),
                          row.parent()))
              .toList());
    }
  }

  private String write(Case search, String name) throws Exception {
    TinyJob job =
        new TinyJob(name)
            .search(
                search.algorithm.replace("python: python", "python: " + sampler()), search.resource)
            .trial("0.2", "gpus: 1")
            .with("deadline", "1h")
            .with("resources", resources("solo", "max_instances: 1"));
    // A trial that is to stop after a report learns of it during its next unit.
    if (search == Case.BRACKETS) {
      job.profile("[{gpus: 1, seconds: 30}]").with("resources", resources("solo", "instances: 1"));
    }
    if (search == Case.FLUID || search == Case.FLUID_RUNGS) {
      job.trial("0.6", "gpus: 1..2")
          .profile("[{gpus: 1, seconds: 8}, {gpus: 2, seconds: 4}]")
          .with("policy", "fluid")
          .with("resources", resources("duo", "instances: 1"));
    }
    if (search == Case.HYPERSCHED) {
      job.trial("0.6", "gpus: 1")
          .with("policy", "hypersched")
          .with("resources", resources("solo", "instances: 1"));
    }
    return job.write(folder.resolve(name)).toString();
  }

  /** Returns the simulated sampler as an interpreter that ignores its program. */
  private Path sampler() throws Exception {
    Path script = Path.of("../executor/run/src/test/python/simulated_sampler.py").toRealPath();
    Path python = folder.resolve("python");
    Files.writeString(python, "#!/bin/sh\nexec python3 -u '" + script + "'\n");
    return Files.setPosixFilePermissions(python, PosixFilePermissions.fromString("rwx------"));
  }

  private static String resources(String type, String instances) {
    return "{infra: [local], offers: offers.yaml, instance_types: ["
        + type
        + "], "
        + instances
        + "}";
  }
}
