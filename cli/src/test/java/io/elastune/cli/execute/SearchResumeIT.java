package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.rented.CloudCommand;
import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.LauncherProcess;
import io.elastune.cli.testing.MainWithTrialClocks;
import io.elastune.cli.testing.RunningCommand;
import io.elastune.cli.testing.TinyJob;
import io.elastune.cli.testing.TrialClock;
import io.elastune.core.properties.Tier;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Kills controllers with {@code kill -9} after a decision of their search. The resumed run makes
 * the same decisions on the same results as an undisturbed one. Decisions depend on the times and
 * the order of the results, which {@link TrialClock} makes the same.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag(Tier.NIGHTLY)
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
        ReasonCode.TRIAL_PROMOTED),
    PBT("{algorithm: pbt, trials: 4, ", "min: 1, max: 3", ReasonCode.TRIALS_REPLACED),
    SAMPLER(
        "{algorithm: asha, trials: 6, eta: 2, sampler: {type: optuna, python: python}, ",
        "min: 1, max: 4",
        ReasonCode.TRIAL_PROMOTED),
    FLUID("{algorithm: sha, trials: 3, eta: 3, ", "min: 2, max: 6", ReasonCode.TRIAL_RESIZED),
    FLUID_RUNGS(
        "{algorithm: asha, trials: 3, eta: 3, ", "min: 2, max: 6", ReasonCode.TRIAL_RESIZED),
    HYPERSCHED("{algorithm: asha, trials: 6, eta: 2, ", "min: 1, max: 4", ReasonCode.TRIAL_PAUSED);

    final String algorithm;
    final String resource;
    final ReasonCode decision;

    Case(String algorithm, String resource, ReasonCode decision) {
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

  @TempDir private static Path folder;

  /** One process executes the runs of all searches, until each has made its decision. */
  @BeforeAll
  static void killControllers() throws Exception {
    List<String> arguments = new ArrayList<>();
    for (Case search : cases()) {
      Path killed = write(search, "killed").resolveSibling("").resolveSibling("");
      arguments.addAll(List.of(killed.toString(), search.decision.name()));
    }
    RunningCommand running =
        new CloudCommand(
                folder, folder.resolve("home"), Map.of(), List.of(), MainWithTrialClocks.class)
            .withUsersEngines()
            .start(arguments.toArray(String[]::new));
    try {
      for (Case search : cases()) {
        running.awaitOutput(TrialClock.standsStill(elastune(search, "killed").home()));
      }
    } finally {
      running.process().destroyForcibly().waitFor();
    }
  }

  /** Rehearsals resume runs of every search in the everyday tiers, in virtual time. */
  private static List<Case> cases() {
    return Tier.isNightly()
        ? List.of(Case.values())
        : List.of(Case.BRACKETS, Case.SAMPLER, Case.HYPERSCHED);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void resumedSearchMakesTheSameDecisions(Case search) throws Exception {
    LauncherProcess undisturbed = elastune(search, "whole");
    String job = write(search, "whole").toString();
    CommandResult whole;
    try (TrialClock clock =
        new TrialClock(waits(search, "whole"), undisturbed.home(), TrialClock.UNIT_S)) {
      whole = undisturbed.inProcess(clock, "run", job, "-y", "--json").assertExit(0);
    }
    LauncherProcess elastune = elastune(search, "killed");
    Instant later = lastTime(RunFolder.all(elastune.home()).get(0)).plusSeconds(1);
    CommandResult resumed;
    try (TrialClock clock =
        new TrialClock(
            waits(search, "killed"), elastune.home(), TrialClock.UNIT_S, later, Optional.empty())) {
      resumed = elastune.inProcess(clock, "resume", "killed", "--json").assertExit(0);
    }

    Course expected = course(undisturbed, whole);
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

  private static LauncherProcess elastune(Case search, String name) {
    return LauncherProcess.in(folder.resolve(search.name()).resolve(name));
  }

  private static Path waits(Case search, String name) {
    return elastune(search, name).folder().resolve("waits");
  }

  private static Instant lastTime(RunFolder run) {
    try (RunReader journal = RunReader.open(run)) {
      return journal.progress().at();
    }
  }

  private static Course course(LauncherProcess elastune, CommandResult end) {
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

  private static Path write(Case search, String name) throws Exception {
    TinyJob job =
        new TinyJob(name)
            .search(
                search.algorithm.replace("python: python", "python: " + sampler(search, name)),
                search.resource)
            .with("trial", trial(waits(search, name), "gpus: 1"))
            .with("deadline", "1h")
            .with("resources", resources("solo", "max_instances: 1"));
    if (search == Case.BRACKETS) {
      job.profile("[{gpus: 1, seconds: 30}]").with("resources", resources("solo", "instances: 1"));
    }
    if (search == Case.FLUID || search == Case.FLUID_RUNGS) {
      job.with("trial", trial(waits(search, name), "gpus: 1..2"))
          .profile("[{gpus: 1, seconds: 8}, {gpus: 2, seconds: 4}]")
          .with("policy", "fluid")
          .with("resources", resources("duo", "instances: 1"));
    }
    if (search == Case.HYPERSCHED) {
      job.with("policy", "hypersched").with("resources", resources("solo", "instances: 1"));
    }
    return job.write(elastune(search, name).folder().resolve("job"));
  }

  private static String trial(Path waits, String more) {
    return "{run: exec sh timed.sh, envs: {WAITS: " + waits + "}, " + more + "}";
  }

  /** Returns the simulated sampler as an interpreter that ignores its program. */
  private static Path sampler(Case search, String name) throws Exception {
    Path script = Path.of("../executor/run/src/test/python/simulated_sampler.py").toRealPath();
    Path python = Files.createDirectories(elastune(search, name).folder()).resolve("python");
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
