package io.elastune.executor.ray;

import io.elastune.executor.checkpoint.CheckpointStore.CleanupResult;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.protocol.FoundReports;
import io.elastune.executor.ray.link.Frame;
import io.elastune.executor.ray.link.LinkException;
import java.time.Instant;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** How an attempt ends: the first failure of its workers and nodes decides. */
final class AttemptOutcome {
  static final int SIGTERM_EXIT = 128 + 15;
  static final int SIGKILL_EXIT = 128 + 9;
  private static final int CANNOT_START_EXIT = 127;

  /** A worker that exits with this is not a failure in any case. */
  private static final int RETRY_EXIT = 75;

  private int exitCode;
  private String problem = "";
  private boolean lost;
  private boolean diskFull;

  /** Records a failure with its known cause, which may be empty. */
  void fail(int code, String message) {
    if (exitCode == 0) {
      exitCode = code;
      problem = message;
    }
  }

  /** Returns whether no worker has failed so far. */
  boolean hasSucceeded() {
    return exitCode == 0;
  }

  /** Records that workers of the attempt before have ended instead of training this one. */
  void notContinued() {
    exitCode = RETRY_EXIT;
    problem = EngineEvent.Ended.NOT_CONTINUED;
  }

  /** Records that the workers could not be started. */
  void cannotStart(@Nullable Throwable failure) {
    lost |= LinkException.causeOf(failure).filter(LinkException::isLost).isPresent();
    Throwable cause = failure != null && failure.getCause() != null ? failure.getCause() : failure;
    fail(CANNOT_START_EXIT, "could not start: " + (cause == null ? "" : cause.getMessage()));
  }

  /** Records that the workers ended with an instance. */
  void lose(String message) {
    lost = true;
    fail(SIGKILL_EXIT, message);
  }

  /** Records the exit of one worker; returns whether it failed. */
  boolean exited(int code, boolean stopping) {
    boolean bySignal = code == SIGKILL_EXIT && !stopping;
    if (code != 0) {
      fail(code, bySignal ? "killed by SIGKILL (exit 137), perhaps out of memory" : "");
    }
    return code != 0;
  }

  /** Records the end of the workers on one lease. */
  void ended(Frame event) {
    int code = event.header().path("code").asInt(0);
    diskFull |= event.header().path("full").asBoolean(false);
    if (code == 0) {
      return;
    }
    fail(code, "");
    if (problem.isEmpty()) {
      String message = event.header().path("message").asString("");
      problem =
          switch (event.header().path("reason").asString("")) {
            case "cannot-start" -> "could not start: " + message;
            case "dead-man" -> "no controller renewed the lease in time";
            case "shim-lost", "shim-failed" -> message;
            default -> "";
          };
    }
  }

  /** Returns the event of an attempt that the engine could not continue. */
  EngineEvent.Ended broken(String attempt, OptionalInt newest, Instant at) {
    return new EngineEvent.Ended(attempt, exitCode, newest, false, problem, at, lost);
  }

  /**
   * Returns the event.
   *
   * @param storage the storage of the trial's checkpoints, and {@code result} what is in it
   * @param reports its reports, and whether it left a corrupt checkpoint on its instance
   * @param lines the last lines of the log
   * @param stopping whether the end was requested
   */
  EngineEvent.Ended event(
      String attempt,
      CheckpointStorage storage,
      CleanupResult result,
      StoredReports reports,
      String lines,
      boolean stopping,
      Instant at) {
    String message = "";
    if (exitCode != 0) {
      message = problem.isEmpty() ? "exit " + exitCode : problem;
      message += lines.isEmpty() ? "" : "; last lines:\n" + lines;
    } else {
      message = FoundReports.message(reports.found(), result, lines);
    }
    boolean anyTorn = result.torn() || reports.isTorn();
    boolean full = diskFull || storage.isFull();
    boolean failed = exitCode != 0 && exitCode != RETRY_EXIT && !stopping;
    if (full && (failed || anyTorn)) {
      message = EngineEvent.Ended.DISK_FULL + " (" + storage.location() + "): " + message;
    }
    return new EngineEvent.Ended(
            attempt, exitCode, result.newest(), anyTorn, message, at, lost && exitCode != 0)
        .withDigests(result.digests());
  }
}
