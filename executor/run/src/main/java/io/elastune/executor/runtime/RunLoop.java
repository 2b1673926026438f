package io.elastune.executor.runtime;

import io.elastune.executor.decision.RunCore;
import io.elastune.executor.decision.forecast.Ledger;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.StepResult;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.journal.Journal;
import io.elastune.executor.journal.JournalException;
import io.elastune.provisioner.CloudEvent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Runs the event loop of one run. A run whose journal cannot be written could never be resumed. It
 * is therefore stopped: everything is released and confirmed as in any stop, but nothing more is
 * journaled. A stopping run starts nothing new.
 */
final class RunLoop {
  private final RunSpec spec;
  private final InstantSource time;
  private final RunListener listener;
  private final EventQueue queue;
  private final EventSource eventSource;
  private final Journal first;
  private final RequestFactory requestFactory;
  private final CommandExecutor commandExecutor;
  private final RunCore core;
  private final EventTextGate gate;
  private final boolean hadWorkdir;
  private Journal journal;
  private RunState state;
  private Optional<String> unwritten = Optional.empty();

  RunLoop(
      RunSpec spec,
      InstantSource time,
      RunListener listener,
      EventQueue queue,
      EventSource eventSource,
      Journal journal,
      RequestFactory requestFactory,
      CommandExecutor commandExecutor,
      RunState state) {
    this.spec = spec;
    this.time = time;
    this.listener = listener;
    this.queue = queue;
    this.eventSource = eventSource;
    this.first = journal;
    this.journal = journal;
    this.requestFactory = requestFactory;
    this.commandExecutor = commandExecutor;
    this.core = new RunCore(spec.definition());
    this.gate = new EventTextGate(spec.mask(), spec.definition().metric().name());
    this.hadWorkdir = Files.isDirectory(spec.workdir());
    this.state = state;
  }

  /** Processes events until the run is finished. */
  RunResult run() {
    try {
      return finished();
    } finally {
      if (journal != first) {
        journal.close();
      }
    }
  }

  private RunResult finished() {
    do {
      RunEvent event = eventSource.next(state);
      if (event instanceof RunEvent.Ticked) {
        checkRunFolder();
      }
      // Before the event: such an attempt must not fail. The working folders of trials are in the
      // run's folder, whose loss is the cause then.
      if (isWorkdirLost(event) && !noticeRemovedFolder()) {
        String what = "the loss of its working folder " + lostFolder().orElse(spec.workdir());
        process(new RunEvent.StopAsked(RunOutcome.TERMINATED, false, what, time.instant()));
      }
      if (journal.isDiskFull() && state.phase() == RunState.Phase.RUNNING) {
        String by = "a full disk; free some space first";
        process(new RunEvent.StopAsked(RunOutcome.TERMINATED, false, by, time.instant()));
      }
      fullDisk(event) // likewise; further attempts would fail, too
          .map(disk -> "a full disk " + disk + "; free some space first")
          .map(by -> new RunEvent.StopAsked(RunOutcome.TERMINATED, false, by, time.instant()))
          .ifPresent(this::process);
      process(event);
    } while (state.phase() != RunState.Phase.FINISHED);
    noticeRemovedFolder(); // SQLite can write to a file that has been removed
    storeRemarks();
    return new RunResult(state, unwritten);
  }

  private void storeRemarks() {
    if (unwritten.isPresent()) {
      return;
    }
    try {
      journal.putMeta(eventSource.journalValues());
    } catch (JournalException e) {
      unwritten = Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private void process(RunEvent given) {
    gate.pass(given).forEach(this::processPassed);
  }

  private void processPassed(RunEvent event) {
    if (event instanceof RunEvent.FromCloud cloud
        && cloud.event() instanceof CloudEvent.Ready ready) {
      requestFactory.ready(ready.lease(), ready.node());
    }
    if (unwritten.isPresent()) {
      processUnjournaled(event);
      return;
    }
    RunState before = state;
    StepResult stepResult = core.step(before, event);
    Optional<String> error = writeOrRestore(event, before, stepResult);
    if (error.isPresent()) {
      loseJournal(error.get());
      processUnjournaled(event);
    } else {
      listener.onStep(event, before, stepResult);
    }
  }

  /** Returns why a step cannot be written, also not to a journal that replaces a deleted one. */
  private Optional<String> writeOrRestore(RunEvent event, RunState before, StepResult stepResult) {
    try {
      write(event, before, stepResult);
      return Optional.empty();
    } catch (JournalException e) {
      if (!restoreJournal()) {
        return Optional.of(String.valueOf(e.getMessage()));
      }
      queue.add(journalLost());
      return writeOrRestore(event, before, stepResult);
    }
  }

  /** Writes the journal again if its file was deleted; false if that is impossible. */
  private boolean restoreJournal() {
    Optional<Journal> restored = unwritten.isEmpty() ? journal.restore() : Optional.empty();
    restored.ifPresent(again -> journal = again);
    return restored.isPresent();
  }

  private RunEvent journalLost() {
    String by = "the loss of its journal, which was written again";
    return new RunEvent.StopAsked(RunOutcome.JOURNAL_LOST, false, by, time.instant());
  }

  private void write(RunEvent event, RunState before, StepResult stepResult) {
    if (isIdleTick(event, before, stepResult)) {
      journal.progress(stepResult.state());
      state = stepResult.state();
      return;
    }
    List<Long> ids = journal.append(event, before, stepResult);
    state = stepResult.state();
    execute(stepResult);
    try {
      journal.confirm(ids, time.instant());
    } catch (JournalException e) {
      loseJournal(String.valueOf(e.getMessage()));
    }
  }

  private void processUnjournaled(RunEvent event) {
    RunState before = state;
    StepResult stepResult = core.step(before, event);
    state = stepResult.state();
    execute(stepResult);
    listener.onStep(event, before, stepResult);
  }

  private void execute(StepResult stepResult) {
    requestFactory.trials(stepResult.state().trials());
    commandExecutor.limitNodeExpiry(Ledger.of(spec.definition(), stepResult.state()));
    stepResult.commands().forEach(command -> command.match(commandExecutor));
  }

  private void loseJournal(String why) {
    if (unwritten.isEmpty()) {
      unwritten = Optional.of(why);
      processUnjournaled(
          new RunEvent.StopAsked(
              RunOutcome.JOURNAL_LOST, false, "the loss of its journal", time.instant()));
    }
  }

  /**
   * A tick that only advances the time is not journaled: replaying the journal does not need it.
   */
  private static boolean isIdleTick(RunEvent event, RunState before, StepResult stepResult) {
    return event instanceof RunEvent.Ticked
        && stepResult.commands().isEmpty()
        && stepResult.notes().isEmpty()
        && before.at(stepResult.state().now()).equals(stepResult.state());
  }

  private boolean isWorkdirLost(RunEvent event) {
    boolean mayFindLoss =
        event instanceof RunEvent.Ticked
            || (event instanceof RunEvent.FromEngine engine
                && engine.event() instanceof EngineEvent.Ended);
    return mayFindLoss
        && state.phase() == RunState.Phase.RUNNING
        && hadWorkdir
        && lostFolder().isPresent();
  }

  private Optional<Path> lostFolder() {
    return Stream.of(spec.workdir(), spec.setupFolder())
        .filter(folder -> !Files.isDirectory(folder))
        .findFirst();
  }

  /** Returns which disk is full, if this has ended an attempt. */
  private Optional<String> fullDisk(RunEvent event) {
    return state.phase() == RunState.Phase.RUNNING
            && event instanceof RunEvent.FromEngine engine
            && engine.event() instanceof EngineEvent.Ended ended
            && ended.isDiskFull()
        ? Optional.of(
            ended.fullDisk().map(place -> "with " + place + " ").orElse("")
                + "(attempt "
                + ended.attempt()
                + ")")
        : Optional.empty();
  }

  /** Returns whether the journal has been removed, and perhaps its folder. */
  private boolean noticeRemovedFolder() {
    boolean isRemoved = !spec.folder().exists();
    if (isRemoved && restoreJournal()) {
      process(journalLost());
    } else if (isRemoved) {
      loseJournal(
          Files.isDirectory(spec.folder().path())
              ? "the file " + spec.folder().journal() + " has been deleted"
              : "the run's folder " + spec.folder().path() + " has been removed");
    }
    return isRemoved;
  }

  private void checkRunFolder() {
    noticeRemovedFolder();
    if (state.phase() == RunState.Phase.RUNNING && Files.exists(spec.folder().stopRequest())) {
      queue.add(
          new RunEvent.StopAsked(RunOutcome.INTERRUPTED, false, "elastune stop", time.instant()));
    }
  }
}
