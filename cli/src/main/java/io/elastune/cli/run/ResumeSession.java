package io.elastune.cli.run;

import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.failure.Problem;
import io.elastune.cli.runs.FinishedDocument;
import io.elastune.cli.runs.ReportScreen;
import io.elastune.cli.runs.RunRecord;
import io.elastune.cli.runs.Runs;
import io.elastune.cli.runs.StatusScreen;
import io.elastune.cli.world.Output;
import io.elastune.cli.world.World;
import io.elastune.core.config.JobFile;
import io.elastune.core.config.Overrides;
import io.elastune.core.job.Job;
import io.elastune.core.offer.Offer;
import io.elastune.executor.decision.forecast.ResumeFeasibility;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.journal.CannotResumeException;
import io.elastune.executor.journal.ControllerLock;
import io.elastune.executor.journal.JournalException;
import io.elastune.executor.journal.ReplayedRun;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunMeta;
import io.elastune.executor.journal.RunReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.node.JsonNodeFactory;

/** Implements {@code elastune resume}: continues a run after a stop or a crash. */
public final class ResumeSession {
  private final World world;
  private final Output output;
  private final Question question;

  /** {@code yes}: whether resuming is confirmed on the command line. */
  public ResumeSession(World world, Output output, boolean yes) {
    this.world = world;
    this.output = output;
    this.question = new Question(world, output, yes, new Account(world.clock().instant()));
  }

  /**
   * Resumes the run and holds its lock meanwhile, so that no other controller can.
   *
   * @param limits a new deadline or budget, if given
   */
  public ExitCode resume(String name, Overrides limits) {
    RunFolder folder = new Runs(world).find(name);
    checkBegun(folder);
    ControllerLock lock = ControllerLock.tryAcquire(folder).orElseThrow(() -> taken(folder));
    try (lock) {
      ReplayedRun past = past(folder);
      if (past.meta().kind() == RunMeta.Kind.PROFILE) {
        throw refused(
            folder.run(),
            "is a profiling run and cannot be resumed",
            "profile again: elastune profile " + past.meta().jobFile());
      }
      if (SimulatedGround.isMeant(past.definition().offers().values())) {
        throw refused(
            folder.run(),
            "was simulated, and the simulation ended with its controller",
            "simulate it again: elastune run " + past.meta().jobFile() + " --infra simulated");
      }
      Job job = JobFile.parse(past.meta().jobFile(), past.meta().job(), limits).orThrow();
      NewLimits given = new NewLimits(past, job, limits);
      return resume(past, job, given.definition(), given.meta());
    }
  }

  private ExitCode resume(ReplayedRun past, Job job, RunDefinition limited, RunMeta meta) {
    ResumeFeasibility resumeFeasibility =
        ResumeFeasibility.of(limited, past.state(), world.clock().instant());
    if (resumeFeasibility == ResumeFeasibility.DONE) {
      output.people().println(limited.run() + " has already finished. Nothing to resume.");
      return report(limited.run(), past.state());
    }
    new Hopeless(limited, past.state()).refuse(resumeFeasibility);
    Path jobFolder = Path.of(meta.jobFolder());
    Carrier carrier = new Carrier(world, output, job, jobFolder);
    carrier.check(meta.jobFile(), List.copyOf(limited.offers().values()));
    Set<String> inUse = past.state().offers(limited);
    Map<String, Offer> offers =
        new PricesNow(world, meta.jobFile(), jobFolder, job).of(limited, inUse);
    approve(limited, offers, inUse);
    RunDefinition definition = limited.withOffers(offers);
    announce(definition.run());
    Progress progress = new Progress(world, output, definition, job.search().resource().unit());
    try {
      return report(definition.run(), carrier.resume(past, definition, meta, progress));
    } finally {
      progress.close();
    }
  }

  private void approve(RunDefinition before, Map<String, Offer> now, Set<String> inUse) {
    List<String> moved = PricesNow.moved(before.offers(), now, inUse);
    if (moved.isEmpty()) {
      return;
    }
    moved.forEach(output.people()::println);
    if (!question.confirmed("Resume at these prices? Type 'yes' to confirm:")) {
      throw new CommandFailure(
          ExitCode.NOT_CONFIRMED,
          List.of(
              Problem.of(
                  "",
                  "prices have changed since approval and were not confirmed",
                  "answer 'yes' to resume; -y resumes without a prompt")));
    }
  }

  private void announce(String run) {
    output
        .people()
        .println("Run " + run + " resumed. 'elastune explain " + run + "' shows its decisions.");
    if (output.json()) {
      world
          .out()
          .println(JsonNodeFactory.instance.objectNode().put("event", "resumed").put("run", run));
    }
  }

  private ExitCode report(String run, RunState end) {
    RunRecord record = RunRecord.read(RunFolder.of(world.home(), run));
    ReportScreen.finished(record).forEach(output.people()::println);
    if (output.json()) {
      world.out().println(FinishedDocument.of(record));
    }
    return ExitCode.of(end.ending().exitCode());
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
      List<RunReader.ControllerRow> controllerRows = reader.controllers();
      RunReader.ControllerRow last = controllerRows.get(controllerRows.size() - 1);
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
        Problem.in(
            world.show(folder.journal()),
            0,
            "",
            String.valueOf(e.getMessage()),
            "the journal may be damaged; 'elastune orphans' lists instances that may"
                + " still be billed"));
  }

  private static CommandFailure refused(String run, String why, String hint) {
    return CommandFailure.usage(Problem.of("RUN", run + " " + why, hint));
  }
}
