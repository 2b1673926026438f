package io.elastune.executor.shell;

import io.elastune.executor.core.Ledger;
import io.elastune.executor.core.RunCore;
import io.elastune.executor.core.RunEvent;
import io.elastune.executor.core.RunState;
import io.elastune.executor.core.Step;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.journal.Journal;
import io.elastune.executor.journal.JournalException;
import io.elastune.provisioner.CloudEvent;
import java.nio.file.Files;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * The loop of one run. Without its journal a run must not go on, for nobody could take it up: when
 * it cannot be written any more, the run is stopped, and everything is released and asked for as at
 * any stop, only that nothing of it is written down. A run that stops begins nothing new.
 */
final class RunLoop {
  private final RunSpec spec;
  private final InstantSource time;
  private final RunListener listener;
  private final Told told;
  private final Happenings happenings;
  private final Journal journal;
  private final Requests requests;
  private final Doors doors;
  private final RunCore core;
  private final boolean hadWorkdir;
  private RunState state;
  private Optional<String> unwritten = Optional.empty();

  RunLoop(
      RunSpec spec,
      InstantSource time,
      RunListener listener,
      Told told,
      Happenings happenings,
      Journal journal,
      Requests requests,
      Doors doors,
      RunState state) {
    this.spec = spec;
    this.time = time;
    this.listener = listener;
    this.told = told;
    this.happenings = happenings;
    this.journal = journal;
    this.requests = requests;
    this.doors = doors;
    this.core = new RunCore(spec.definition());
    this.hadWorkdir = Files.isDirectory(spec.workdir());
    this.state = state;
  }

  /** Takes events until the run is finished; one that is resumed begins anew with the first. */
  RunEnd run() {
    do {
      RunEvent event = happenings.next(state);
      if (event instanceof RunEvent.Ticked) {
        lookIntoFolder();
      }
      if (isWorkdirLost(event)) { // an attempt that could not start for that has not failed
        String what = "the loss of its working folder " + spec.workdir();
        take(new RunEvent.StopAsked(Told.TERMINATED, false, what, time.instant()));
      }
      take(event);
    } while (state.phase() != RunState.Phase.FINISHED);
    keepRemarks();
    return new RunEnd(state, unwritten);
  }

  private void keepRemarks() {
    if (unwritten.isPresent()) {
      return;
    }
    try {
      journal.keep(happenings.remarks());
    } catch (JournalException e) {
      unwritten = Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private void take(RunEvent event) {
    if (event instanceof RunEvent.FromCloud cloud
        && cloud.event() instanceof CloudEvent.Ready ready) {
      requests.ready(ready.lease(), ready.node());
    }
    if (unwritten.isPresent()) {
      takeUnwritten(event);
      return;
    }
    RunState before = state;
    Step step = core.step(before, event);
    try {
      write(event, before, step);
    } catch (JournalException e) {
      loseJournal(String.valueOf(e.getMessage()));
      takeUnwritten(event);
      return;
    }
    listener.stepped(event, before, step);
  }

  private void write(RunEvent event, RunState before, Step step) {
    if (isIdleTick(event, before, step)) {
      journal.progress(step.state());
      state = step.state();
      return;
    }
    List<Long> ids = journal.append(event, before, step);
    state = step.state();
    carryOut(step);
    try {
      journal.confirm(ids, time.instant());
    } catch (JournalException e) {
      loseJournal(String.valueOf(e.getMessage()));
    }
  }

  private void takeUnwritten(RunEvent event) {
    RunState before = state;
    Step step = core.step(before, event);
    state = step.state();
    carryOut(step);
    listener.stepped(event, before, step);
  }

  private void carryOut(Step step) {
    doors.limitLives(Ledger.of(spec.definition(), step.state()));
    step.commands().forEach(command -> command.match(doors));
  }

  private void loseJournal(String why) {
    if (unwritten.isEmpty()) {
      unwritten = Optional.of(why);
      takeUnwritten(
          new RunEvent.StopAsked(
              Told.TERMINATED, false, "the loss of its journal", time.instant()));
    }
  }

  /** A tick that changes nothing but the time need not be decided again: it is not written. */
  private static boolean isIdleTick(RunEvent event, RunState before, Step step) {
    return event instanceof RunEvent.Ticked
        && step.commands().isEmpty()
        && step.notes().isEmpty()
        && before.at(step.state().now()).equals(step.state());
  }

  private boolean isWorkdirLost(RunEvent event) {
    boolean asked =
        event instanceof RunEvent.Ticked
            || (event instanceof RunEvent.FromEngine engine
                && engine.event() instanceof EngineEvent.Ended);
    return asked
        && state.phase() == RunState.Phase.RUNNING
        && hadWorkdir
        && !Files.isDirectory(spec.workdir());
  }

  private void lookIntoFolder() {
    if (!spec.folder().exists()) {
      loseJournal("the run's folder " + spec.folder().path() + " has been removed");
    }
    if (state.phase() == RunState.Phase.RUNNING && Files.exists(spec.folder().stopRequest())) {
      told.add(new RunEvent.StopAsked(130, false, "elastune stop", time.instant()));
    }
  }
}
