package io.elastune.cli.execute;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.notify.Notifier;
import io.elastune.cli.text.ResumeCommands;
import io.elastune.cli.text.UsdFormat;
import io.elastune.core.files.DiskSpace;
import io.elastune.core.files.PrivateFiles;
import io.elastune.core.files.PrivateFolder;
import io.elastune.core.job.Job;
import io.elastune.core.job.Notification;
import io.elastune.core.offer.Offer;
import io.elastune.executor.checkpoint.CheckpointLocation;
import io.elastune.executor.code.RunCode;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.journal.JournalLoss;
import io.elastune.executor.journal.ReplayedRun;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunMeta;
import io.elastune.executor.runtime.Advisors;
import io.elastune.executor.runtime.RunController;
import io.elastune.executor.runtime.RunHandover;
import io.elastune.executor.runtime.RunListener;
import io.elastune.executor.runtime.RunResult;
import io.elastune.executor.runtime.RunSpec;
import io.elastune.executor.search.Configurations;
import io.elastune.inputs.JobProblems;
import io.elastune.inputs.LoadedFile;
import io.elastune.provisioner.SecretMask;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Starts and resumes runs: opens the cloud and the engine, and passes the environment to the
 * trials.
 */
final class RunLauncher {
  private static final List<String> CREDENTIALS =
      List.of("AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN");

  private final CliEnvironment cliEnvironment;
  private final Job job;
  private final CodeVersions code;
  private final TerminalPrompt terminal;
  private final StopRequests stopRequests;
  private boolean background;

  /** {@code jobFolder}: the folder that paths in the job file are relative to. */
  RunLauncher(CliEnvironment cliEnvironment, Output output, Job job, Path jobFolder) {
    this.cliEnvironment = cliEnvironment;
    this.terminal = new TerminalPrompt(cliEnvironment, output);
    this.stopRequests = new StopRequests(cliEnvironment, terminal);
    this.job = job;
    this.code = new CodeVersions(cliEnvironment, job, jobFolder);
  }

  /** Lets its runs continue when the terminal or the connection closes. */
  void continueWithoutTerminal() {
    background = true;
  }

  /** Returns the folder of the training program. */
  Path workdir() {
    return code.workdir();
  }

  /** Returns the versions of the code of its runs. */
  CodeVersions code() {
    return code;
  }

  /**
   * Checks that the job can run here, before anything is started or charged.
   *
   * @param file the job file, for messages
   */
  void check(LoadedFile<Job> file, List<Offer> offers) {
    checkResumed(file, offers, false);
    if (!SimulatedRunEnvironment.isSimulated(offers)) {
      checkSecrets(file);
    }
  }

  /** The text of the job is in the journal, and its names and values are in reports. */
  private void checkSecrets(LoadedFile<Job> file) {
    for (String secret : job.trial().secrets()) {
      cliEnvironment
          .variable(secret)
          .map(String::strip)
          .filter(value -> value.length() >= SecretMask.MIN_LENGTH_ANYWHERE)
          .filter(value -> file.text().contains(value))
          .ifPresent(
              value -> {
                String before = file.text().substring(0, file.text().indexOf(value));
                throw JobProblems.usage(
                    file,
                    "trial.secrets",
                    "the value of "
                        + secret
                        + " is also in line "
                        + (1 + before.chars().filter(next -> next == '\n').count())
                        + ", and the file is part of the run; remove it there: trials have "
                        + secret
                        + " in their environment");
              });
    }
  }

  /**
   * Checks the same for a run that is resumed.
   *
   * @param isWithoutWorkdir whether it needs only its own snapshot of the code
   */
  void checkResumed(LoadedFile<Job> file, List<Offer> offers, boolean isWithoutWorkdir) {
    new PathCheck(cliEnvironment, file).check();
    if (SimulatedRunEnvironment.isSimulated(offers)) {
      return; // a simulated run starts no processes
    }
    RealRunEnvironment environment = RealRunEnvironment.of(cliEnvironment, file, offers);
    String jobFile = file.name();
    for (String secret : job.trial().secrets()) {
      if (cliEnvironment.variable(secret).isEmpty()) {
        throw JobProblems.usage(
            file, "trial.secrets", secret + " is not set in the environment" + whose());
      }
    }
    if (!isWithoutWorkdir && !Files.isDirectory(workdir())) {
      throw JobProblems.usage(
          file, "trial.workdir", "folder does not exist: " + cliEnvironment.displayPath(workdir()));
    }
    if (!isWithoutWorkdir) {
      code.check(jobFile); // reports a folder that is too large before anything is started
    }
    new CheckpointStoreCheck(file, environment.engine(), cliEnvironment.clock()).check(job);
    SamplerCheck.check(jobFile, job);
  }

  private String whose() {
    return cliEnvironment.variable(StartedRunFile.VARIABLE).isPresent()
        ? " of the controller machine; --host sends no variables of this machine"
        : "";
  }

  /** Returns the folder of a run. */
  RunFolder folder(RunDefinition definition) {
    return RunFolder.of(cliEnvironment.home(), definition.run());
  }

  /** Returns where the checkpoints of a run are stored. */
  CheckpointLocation checkpoints(RunFolder folder) {
    return job.trial()
        .checkpoints()
        .store()
        .map(store -> store.contains("://") ? store : workdir().resolve(store).toString())
        .map(store -> new CheckpointLocation(store).resolve(folder.run()))
        .orElse(new CheckpointLocation(folder.checkpointStore().toString()));
  }

  /**
   * Returns the same for a profiling run, which measures transfers to a bucket or a shared folder,
   * and otherwise stores its checkpoints in its own folder.
   */
  CheckpointLocation profilingCheckpoints(RunFolder folder) {
    CheckpointLocation own = checkpoints(folder);
    return own.isBucket() || own.isShared()
        ? own
        : new CheckpointLocation(folder.checkpointStore().toString());
  }

  /** Runs a definition. Returns when the cleanup is confirmed or abandoned. */
  RunState execute(RunDefinition definition, RunMeta meta, ProgressReporter progressReporter) {
    createHome();
    RunMeta withCode = code.takeSnapshot(definition.run(), meta);
    return execute(real(definition), definition, withCode, progressReporter, RunController::run);
  }

  /** Runs a profiling run whose measurements {@code advisor} chooses. */
  RunState measure(
      RunDefinition definition,
      RunMeta meta,
      ProgressReporter progressReporter,
      Advisors.MeasurementAdvisor advisor) {
    createHome();
    RunMeta withCode = code.takeSnapshot(definition.run(), meta);
    return execute(
        real(definition).withMeasurements(advisor),
        definition,
        withCode,
        progressReporter,
        RunController::run);
  }

  /** Runs a definition in the simulated environment, without notifications. */
  RunState simulate(
      SimulatedRunEnvironment environment,
      RunDefinition definition,
      RunMeta meta,
      ProgressReporter progressReporter) {
    return execute(
        environment, definition, meta, progressReporter, (e, b, s) -> {}, RunController::run);
  }

  private void warnOfShortSecrets(ProgressReporter progressReporter) {
    List<String> names =
        job.trial().secrets().stream()
            .filter(
                name -> cliEnvironment.variable(name).filter(SecretMask::isTooShort).isPresent())
            .toList();
    if (!names.isEmpty()) {
      progressReporter.printNote(
          "values with fewer than 4 characters are not masked in logs: "
              + String.join(", ", names));
    }
  }

  private void noteParents(RunCode used, ProgressReporter progressReporter) {
    for (Path folder : used.snapshot().restrictedParents()) {
      progressReporter.printNote(
          cliEnvironment.displayPath(folder)
              + " has many entries: a relative path reaches only those that the program or the job"
              + " file names");
    }
  }

  /** Creates Elastune's home, or removes the access of other users to an existing one. */
  private void createHome() {
    try {
      PrivateFiles.createFolder(cliEnvironment.home());
      var unused = PrivateFolder.open(cliEnvironment.home().resolve("runs"));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot create the folder " + cliEnvironment.home(), e);
    }
  }

  private RealRunEnvironment real(RunDefinition definition) {
    LoadedFile<Job> file = new LoadedFile<>(Path.of(""), "", "", job);
    return RealRunEnvironment.of(cliEnvironment, file, definition.offers().values());
  }

  /**
   * Resumes a run whose lock the caller holds.
   *
   * @param definition the definition to use from now on
   * @param retryFailed whether failed trials are retried
   */
  RunState resume(
      ReplayedRun past,
      RunDefinition definition,
      RunMeta meta,
      boolean retryFailed,
      ProgressReporter progressReporter) {
    return execute(
        real(definition),
        definition,
        meta,
        progressReporter,
        controller -> controller.resume(past, retryFailed));
  }

  /** Writes a new run to its journal, for a controller in another process. */
  void write(RunDefinition definition, RunMeta meta) {
    createHome();
    RunSpec spec = spec(definition, code.takeSnapshot(definition.run(), meta));
    RunHandover.create(spec, cliEnvironment.clock().instant());
  }

  /** Writes a resumed run, whose lock the caller holds, for a controller in another process. */
  void rewrite(RunDefinition definition, RunMeta meta) {
    RunHandover.reopen(spec(definition, meta));
  }

  /**
   * Executes, without a terminal, a run that another process has written.
   *
   * @param retryFailed whether failed trials are retried
   */
  RunState takeOver(ReplayedRun past, boolean retryFailed, ProgressReporter progressReporter) {
    background = true;
    return execute(
        real(past.definition()),
        past.definition(),
        past.meta(),
        progressReporter,
        controller -> controller.takeOver(past, retryFailed));
  }

  private RunState execute(
      RunEnvironment runEnvironment,
      RunDefinition definition,
      RunMeta meta,
      ProgressReporter progressReporter,
      Function<RunController, RunResult> action) {
    // A profiling run sends no notifications.
    List<Notification> notifications =
        meta.kind() == RunMeta.Kind.TUNE ? job.notifications() : List.of();
    RunFolder folder = RunFolder.of(cliEnvironment.home(), definition.run());
    RunLog log = new RunLog(folder.warningsLog(), secretsInLogs());
    try (log;
        Notifier notifier =
            new Notifier(
                notifications, job.trial().secrets(), definition, progressReporter::printNote);
        LoadWatch load =
            LoadWatch.start(definition, folder, cliEnvironment.clock(), progressReporter)) {
      warnOfShortSecrets(progressReporter);
      RunListener listener =
          (event, before, stepResult) -> {
            load.observe(stepResult.state());
            notifier.onStep(event, before, stepResult);
          };
      return execute(runEnvironment, definition, meta, progressReporter, listener, action);
    }
  }

  private RunState execute(
      RunEnvironment runEnvironment,
      RunDefinition definition,
      RunMeta meta,
      ProgressReporter progressReporter,
      RunListener notifier,
      Function<RunController, RunResult> action) {
    createHome();
    RunSpec spec = spec(definition, meta);
    spec.code().ifPresent(used -> noteParents(used, progressReporter));
    RunController controller =
        runEnvironment.createController(
            spec,
            (event, before, stepResult) -> {
              progressReporter.onStep(event, before, stepResult);
              notifier.onStep(event, before, stepResult);
            },
            budgetApprover(meta, progressReporter));
    Runnable handleSignalsAsBefore =
        stopRequests.handleSignals(controller, progressReporter, background);
    RunFolder folder = RunFolder.of(cliEnvironment.home(), definition.run());
    folder.create();
    JournalLoss.reserve(folder);
    try {
      RunState end = written(folder, action.apply(controller));
      HistoryUpdate.add(cliEnvironment, folder, progressReporter);
      return end;
    } finally {
      handleSignalsAsBefore.run();
    }
  }

  /** Returns a mask of the secrets of the job and of the credentials in the environment. */
  private SecretMask secretsInLogs() {
    return SecretMask.of(
        Stream.concat(CREDENTIALS.stream(), job.trial().secrets().stream())
            .flatMap(name -> cliEnvironment.variable(name).stream())
            .toList());
  }

  private RunSpec spec(RunDefinition definition, RunMeta meta) {
    return new RunSpec(
        definition,
        job,
        workdir(),
        code.open(definition.run(), meta),
        RunFolder.of(cliEnvironment.home(), definition.run()),
        cliEnvironment.user(),
        environment(),
        meta.kind() == RunMeta.Kind.PROFILE
            ? Configurations.representative(job.search())
            : new Configurations(job.search()),
        meta);
  }

  /**
   * Returns the final state. Fails if the journal does not contain it, since every report reads the
   * journal.
   */
  private static RunState written(RunFolder folder, RunResult end) {
    String run = folder.run();
    if (end.journalError().isPresent()) {
      String error = end.journalError().get();
      JournalLoss.write(folder, error);
      int left = Math.max(0, end.state().ending().instancesLeft());
      boolean full = DiskSpace.isFull(error) || DiskSpace.isFull(folder.path());
      throw CommandFailure.of(
          ExitCode.of(end.state().ending().outcome()),
          "",
          "run "
              + run
              + " stopped: cannot write its journal ("
              + (full ? "disk full" : error)
              + "). "
              + (left == 0 ? "All instances released" : left + " instances may still be billed"),
          folder.exists()
              ? (full ? "free some space, then: " : "make the run's folder writable, then: ")
                  + ResumeCommands.resume(run)
              : "its results are lost with the journal; start a new run");
    }
    return end.state();
  }

  /**
   * Returns the outcome of a stop request by the user or the system, even if it came too late for
   * the run in progress; empty without a request.
   */
  Optional<RunOutcome> requestedStop() {
    return stopRequests.requested();
  }

  /** Lets a user at the terminal approve a higher budget. {@code -y} confirms only the plan. */
  private Optional<Advisors.BudgetApprover> budgetApprover(
      RunMeta meta, ProgressReporter progressReporter) {
    return cliEnvironment.terminal()
        ? Optional.of(asked -> allows(asked, meta, progressReporter))
        : Optional.empty();
  }

  private boolean allows(Command.AskBudget asked, RunMeta meta, ProgressReporter progressReporter) {
    double before = meta.profilingUsd();
    String limit = meta.budgetUsd().isPresent() ? "budget" : "spending guard";
    return terminal
        .promptDuringRun(
            progressReporter,
            "The run needs about "
                + UsdFormat.format(before + asked.neededUsd())
                + " in total, more than its "
                + limit
                + " of "
                + UsdFormat.format(before + asked.budgetUsd())
                + ". Raise the "
                + limit
                + " to "
                + UsdFormat.format(before + asked.askedUsd())
                + "? Type 'yes' to allow it. Until then the run stays within its current "
                + limit
                + ":")
        .equals("yes");
  }

  private Map<String, String> environment() {
    Map<String, String> environment =
        new HashMap<>(InheritedVariables.of(job.trial().inherit(), cliEnvironment.environment()));
    environment.putAll(job.trial().envs());
    for (String secret : job.trial().secrets()) {
      cliEnvironment.variable(secret).ifPresent(value -> environment.put(secret, value));
    }
    return environment;
  }
}
