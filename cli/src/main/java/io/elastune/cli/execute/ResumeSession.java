package io.elastune.cli.execute;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ErrorDetail;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.inspect.FinishedDocument;
import io.elastune.cli.inspect.ReportScreen;
import io.elastune.cli.inspect.RunFinder;
import io.elastune.cli.inspect.RunRecord;
import io.elastune.cli.inspect.StatusScreen;
import io.elastune.cli.text.DecisionText;
import io.elastune.cli.text.JobCommand;
import io.elastune.cli.text.ResumeCommands;
import io.elastune.core.config.JobFile;
import io.elastune.core.config.Overrides;
import io.elastune.core.job.Job;
import io.elastune.core.offer.Offer;
import io.elastune.executor.decision.forecast.ResumeFeasibility;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.FailedTrialRetry;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.journal.CannotResumeException;
import io.elastune.executor.journal.ControllerRow;
import io.elastune.executor.journal.JournalException;
import io.elastune.executor.journal.ReplayedRun;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunMeta;
import io.elastune.executor.journal.RunReader;
import io.elastune.executor.runtime.ControllerLock;
import io.elastune.inputs.LoadedFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Implements {@code elastune resume}: continues a run after a stop or a crash. */
public final class ResumeSession {
  private final CliEnvironment cliEnvironment;
  private final Output output;
  private final ConfirmationPrompt confirmationPrompt;
  private final StartOptions options;

  public ResumeSession(CliEnvironment cliEnvironment, Output output, StartOptions options) {
    this.cliEnvironment = cliEnvironment;
    this.output = output;
    this.options = options;
    this.confirmationPrompt =
        new ConfirmationPrompt(
            cliEnvironment,
            output,
            options.yes(),
            new RemainingLimits(cliEnvironment.clock().instant()));
  }

  /** Resumes the run and holds its lock meanwhile, so that no other controller can. */
  public ExitCode resume(String name, ResumeOptions how) {
    RunFolder folder = new RunFinder(cliEnvironment).find(name);
    checkBegun(folder);
    if (ControllerLock.isHeld(folder)) {
      throw taken(folder);
    }
    JobGuard guard =
        JobGuard.acquire(cliEnvironment, output, folder.job(), Optional.of(folder), options);
    Optional<ExitCode> exit;
    try (guard) {
      exit = locked(folder, how);
      if (exit.isEmpty()) {
        exit = continueInBackground(folder, how);
      }
    }
    return exit.orElseGet(
        () -> AttachSession.ofStarter(cliEnvironment, output).attach(folder.run()));
  }

  /** Starts a controller; returns empty if this command then follows the run. */
  private Optional<ExitCode> continueInBackground(RunFolder folder, ResumeOptions how) {
    BackgroundController controller = new BackgroundController(cliEnvironment, output);
    if (!options.follow()) {
      return Optional.of(
          controller.start(folder, how.retryFailed(), FirstDocument.resumed(folder.run())));
    }
    controller.start(folder, how.retryFailed());
    return Optional.empty();
  }

  /** Resumes the run; empty if it is only written for a controller in the background. */
  private Optional<ExitCode> locked(RunFolder folder, ResumeOptions how) {
    ControllerLock lock = ControllerLock.tryAcquire(folder).orElseThrow(() -> taken(folder));
    try (lock) {
      ReplayedRun past = past(folder);
      if (past.meta().kind() == RunMeta.Kind.PROFILE) {
        throw refused(
            folder.run(),
            "is a profiling run and cannot be resumed",
            "profile again: " + JobCommand.of("profile", past.meta().jobFile()));
      }
      if (SimulatedRunEnvironment.isSimulated(past.definition().offers().values())) {
        throw refused(
            folder.run(),
            "is a simulated run and cannot be resumed: the simulation ended with its controller",
            "simulate it again: " + JobCommand.simulated(past.meta().jobFile()));
      }
      Job job =
          JobFile.parseStored(past.meta().jobFile(), past.meta().job(), how.limits()).orThrow();
      ResumeLimits given = new ResumeLimits(past, job, how.limits());
      return resume(past, job, given.definition(), given.meta(), how);
    }
  }

  /**
   * Executes a run that another process has confirmed and written, in the background.
   *
   * @param retryFailed whether failed trials are retried
   */
  public ExitCode takeOver(String run, boolean retryFailed) {
    RunFolder folder = RunFolder.of(cliEnvironment.home(), run);
    ControllerLock lock = ControllerLock.tryAcquire(folder).orElseThrow(() -> taken(folder));
    try (lock) {
      ReplayedRun past = past(folder);
      RunMeta meta = past.meta();
      Job job = JobFile.parseStored(meta.jobFile(), meta.job(), Overrides.NONE).orThrow();
      RunLauncher runLauncher =
          new RunLauncher(cliEnvironment, output, job, Path.of(meta.jobFolder()));
      ProgressReporter progressReporter =
          new ProgressReporter(
              cliEnvironment, output, past.definition(), meta.unit(), meta.profilingUsd());
      try (progressReporter) {
        return report(run, runLauncher.takeOver(past, retryFailed, progressReporter));
      }
    }
  }

  private Optional<ExitCode> resume(
      ReplayedRun past, Job job, RunDefinition limited, RunMeta before, ResumeOptions how) {
    String run = limited.run();
    RunState start = how.retryFailed() ? retried(run, past.state()) : past.state();
    ResumeFeasibility resumeFeasibility =
        ResumeFeasibility.of(limited, start, cliEnvironment.clock().instant());
    if (resumeFeasibility == ResumeFeasibility.DONE) {
      output.text().println(run + " has already finished. Nothing to resume.");
      return Optional.of(report(run, past.state()));
    }
    new ResumeGuard(limited, past.state()).checkResumable(resumeFeasibility);
    JobPlace place = new JobPlace(cliEnvironment, before, job);
    Path jobFolder = place.folder();
    RunLauncher runLauncher = new RunLauncher(cliEnvironment, output, job, jobFolder);
    boolean isGone = isWithoutWorkdir(runLauncher, before, how);
    runLauncher.checkResumed(
        new LoadedFile<>(jobFolder.resolve("job.yaml"), before.jobFile(), "", job),
        List.copyOf(limited.offers().values()),
        isGone);
    JobChanges jobChanges = place.changes(run, how.limits());
    CodeChoice code = choose(run, before, runLauncher.code(), how, isGone, jobChanges);
    RunMeta here = here(before, place, runLauncher, limited, isGone);
    Set<String> inUse = past.state().offers(limited);
    Map<String, Offer> offers =
        new CurrentPrices(cliEnvironment, before.jobFile(), jobFolder, job).of(limited, inUse);
    approve(limited, offers, inUse);
    RunDefinition definition = limited.withOffers(offers);
    RunMeta meta = code == CodeChoice.CURRENT ? runLauncher.code().update(run, here) : here;
    if (options.detach()) {
      runLauncher.rewrite(definition, meta);
      return Optional.empty();
    }
    announce(run);
    ProgressReporter progressReporter =
        new ProgressReporter(
            cliEnvironment,
            output,
            definition,
            job.search().resource().unit(),
            meta.profilingUsd());
    try (progressReporter) {
      return Optional.of(
          report(
              run,
              runLauncher.resume(past, definition, meta, how.retryFailed(), progressReporter)));
    }
  }

  /** Returns the state with the failed trials waiting, and reports those that stay failed. */
  private RunState retried(String run, RunState state) {
    FailedTrialRetry retry = FailedTrialRetry.of(state);
    if (retry.retried().isEmpty()) {
      output.text().println("No failed trial of " + run + " can be retried" + kept(retry) + ".");
    }
    return retry.state();
  }

  private static String kept(FailedTrialRetry retry) {
    return retry.kept().isEmpty()
        ? ""
        : "; "
            + DecisionText.of(
                "",
                DecisionReason.of(
                    ReasonCode.FAILED_TRIALS_KEPT,
                    retry.kept().stream().map(String::valueOf).toArray(String[]::new)));
  }

  /** Whether the run continues without the folder of its program, from its own snapshot. */
  private boolean isWithoutWorkdir(RunLauncher runLauncher, RunMeta meta, ResumeOptions how) {
    boolean isGone =
        !Files.isDirectory(runLauncher.workdir())
            && !meta.code().isEmpty()
            && !how.code().equals(Optional.of(CodeChoice.CURRENT));
    if (isGone) {
      output
          .text()
          .println(
              cliEnvironment.displayPath(runLauncher.workdir())
                  + " does not exist: the run continues with its own snapshot of the code.");
    }
    return isGone;
  }

  private CodeChoice choose(
      String run,
      RunMeta meta,
      CodeVersions code,
      ResumeOptions how,
      boolean isGone,
      JobChanges jobChanges) {
    if (how.code().isPresent() || isGone) {
      if (!jobChanges.isEmpty()) {
        output.text().println(jobChanges.text() + ". The run continues with its own job.");
        jobChanges.remedies().forEach(output.text()::println);
      }
      return how.code().orElse(CodeChoice.SNAPSHOT);
    }
    List<String> changes = code.changes(run, meta);
    return changes.isEmpty() && jobChanges.isEmpty()
        ? CodeChoice.SNAPSHOT
        : new CodePrompt(cliEnvironment, output)
            .choose(
                how.retryFailed() ? ResumeCommands.retryFailed(run) : ResumeCommands.resume(run),
                changes,
                jobChanges);
  }

  /** Returns the metadata with the present places and text of the job file. */
  private static RunMeta here(
      RunMeta before,
      JobPlace place,
      RunLauncher runLauncher,
      RunDefinition definition,
      boolean isGone) {
    RunFolder folder = runLauncher.folder(definition);
    String checkpoints =
        isGone ? before.checkpointsOf(folder) : runLauncher.checkpoints(folder).text();
    RunMeta moved = before.movedTo(place.folder().toString(), checkpoints);
    return before.jobText().isPresent()
        ? place.text().map(moved::withJobText).orElse(moved)
        : moved;
  }

  private void approve(RunDefinition before, Map<String, Offer> now, Set<String> inUse) {
    List<String> moved = CurrentPrices.changes(before.offers(), now, inUse);
    if (moved.isEmpty()) {
      return;
    }
    moved.forEach(output.text()::println);
    if (!confirmationPrompt.confirm("Resume at these prices? Type 'yes' to confirm:")) {
      throw CommandFailure.of(
          ExitCode.NOT_CONFIRMED,
          "",
          "prices have changed since approval and were not confirmed",
          "answer 'yes' to resume; -y resumes without a prompt");
    }
  }

  private void announce(String run) {
    output
        .text()
        .println("Run " + run + " resumed. 'elastune explain " + run + "' shows its decisions.");
    output.jsonLine(() -> FirstDocument.resumed(run));
  }

  private ExitCode report(String run, RunState end) {
    RunRecord record = RunRecord.read(RunFolder.of(cliEnvironment.home(), run));
    ReportScreen.finished(record).forEach(output.text()::println);
    output.jsonLine(() -> FinishedDocument.of(record));
    return ExitCode.of(end.ending().outcome());
  }

  private void checkBegun(RunFolder folder) {
    try {
      if (folder.exists() && !RunReader.isBlank(folder)) {
        return;
      }
    } catch (JournalException e) {
      throw damaged(folder, e);
    }
    throw refused(
        folder.run(),
        "stopped before it started anything",
        "start it again: elastune run job.yaml");
  }

  private CommandFailure taken(RunFolder folder) {
    String who = controller(folder);
    return refused(
        folder.run(),
        "has an active controller" + who,
        "see: elastune status " + folder.run() + " --watch");
  }

  /** E.g. {@code , process 4711 since 2026-11-20 06:00:00Z}. */
  private static String controller(RunFolder folder) {
    try (RunReader reader = RunReader.open(folder)) {
      List<ControllerRow> controllerRows = reader.controllers();
      ControllerRow last = controllerRows.get(controllerRows.size() - 1);
      return ", process " + last.pid() + " since " + StatusScreen.MOMENT.format(last.started());
    } catch (JournalException e) {
      return ""; // The journal has another format. The lock is reason enough.
    }
  }

  private ReplayedRun past(RunFolder folder) {
    try {
      return ReplayedRun.read(folder);
    } catch (CannotResumeException e) {
      throw refused(
          folder.run(),
          "cannot be resumed: " + e.getMessage(),
          "start a new run; results so far: elastune report " + folder.run());
    } catch (JournalException e) {
      throw damaged(folder, e);
    }
  }

  private CommandFailure damaged(RunFolder folder, JournalException e) {
    return CommandFailure.usage(
        ErrorDetail.inFile(
            cliEnvironment.displayPath(folder.journal()),
            0,
            "",
            String.valueOf(e.getMessage()),
            "the journal may be damaged; 'elastune orphans' lists instances that may"
                + " still be billed"));
  }

  private static CommandFailure refused(String run, String why, String hint) {
    return CommandFailure.invalid("RUN", run + " " + why, hint);
  }
}
