package io.elastune.cli.inspect;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.env.PromptAnswer;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.text.ByteFormat;
import io.elastune.core.files.PrivateFiles;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.runtime.ControllerLock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Implements {@code elastune runs rm}. A run is removed only after its controller has stopped and
 * no cloud lists instances of it. Its folder is first moved away in one step, and then deleted file
 * by file.
 */
public final class RemoveRuns {
  private final CliEnvironment cliEnvironment;
  private final Output output;
  private final StatusReader reader;

  public RemoveRuns(CliEnvironment cliEnvironment, Output output) {
    this.cliEnvironment = cliEnvironment;
    this.output = output;
    reader = new StatusReader(cliEnvironment);
  }

  /**
   * A run that may be removed, with its state at the time of that check.
   *
   * @param bytes disk space of the files to remove
   */
  private record RemovalCandidate(
      RunFolder folder, Optional<RunRecord> record, boolean resumable, long bytes) {}

  /**
   * Removes runs.
   *
   * @param names names of runs, or unique prefixes
   * @param olderThan also removes every finished run that started longer ago
   * @param checkpointsOnly removes checkpoints only; journals, logs and reports stay
   * @param yes whether it is confirmed on the command line
   */
  public ExitCode remove(
      List<String> names, Optional<Duration> olderThan, boolean checkpointsOnly, boolean yes) {
    sweep();
    List<RemovalCandidate> candidates = new ArrayList<>();
    RunFinder runFinder = new RunFinder(cliEnvironment);
    Set<RunFolder> named = new LinkedHashSet<>();
    names.forEach(name -> named.add(runFinder.find(name))); // a run may be named twice
    named.forEach(folder -> candidates.add(checked(folder, checkpointsOnly)));
    olderThan.ifPresent(age -> addOlder(runFinder, age, candidates, checkpointsOnly));
    if (candidates.isEmpty()) {
      output.text().println("No finished run is that old. Nothing to remove.");
    } else {
      confirm(candidates, checkpointsOnly, yes);
    }
    candidates.forEach(one -> remove(one, checkpointsOnly));
    report(candidates, checkpointsOnly);
    return ExitCode.DONE;
  }

  private void addOlder(
      RunFinder runFinder,
      Duration age,
      List<RemovalCandidate> candidates,
      boolean checkpointsOnly) {
    Instant last = cliEnvironment.clock().instant().minus(age);
    for (RunFolder folder : runFinder.all()) {
      boolean named = candidates.stream().anyMatch(some -> some.folder().equals(folder));
      if (named || !RunFinder.startedAt(folder).isBefore(last)) {
        continue;
      }
      try {
        candidates.add(checked(folder, checkpointsOnly));
      } catch (CommandFailure e) {
        e.problems().forEach(errorDetail -> output.text().println("kept: " + errorDetail));
      }
    }
  }

  /** Fails unless the run is over and no instance of it is left. */
  private RemovalCandidate checked(RunFolder folder, boolean checkpointsOnly) {
    RunStatus status = reader.read(folder);
    if (!status.standing().isOver()) {
      throw CommandFailure.invalid(
          folder.run(),
          "is " + status.standing().label(),
          "stop it first: elastune stop " + folder.run());
    }
    if (!reader.isCleanedUp(status)) {
      throw CommandFailure.of(
          ExitCode.of(RunOutcome.CLEANUP_UNCONFIRMED),
          folder.run(),
          "instances of it may still exist, and its journal identifies them",
          "see: elastune orphans; then: elastune runs rm " + folder.run());
    }
    return new RemovalCandidate(
        folder,
        status.record(),
        status.standing() != RunStateLabel.FINISHED,
        checkpointsOnly
            ? ListRuns.checkpointBytes(folder, status.record())
            : ListRuns.bytes(folder, status.record()));
  }

  private void confirm(List<RemovalCandidate> candidates, boolean checkpointsOnly, boolean yes) {
    String what = checkpointsOnly ? "the checkpoints of " : "";
    for (RemovalCandidate one : candidates) {
      output
          .text()
          .println(
              " "
                  + what
                  + one.folder().run()
                  + "  "
                  + ByteFormat.format(one.bytes())
                  + (one.resumable() ? "  (can be resumed until it is removed)" : ""));
    }
    boolean confirmed =
        yes
            || (cliEnvironment.terminal()
                && PromptAnswer.prompt(
                        "Remove " + what + count(candidates) + "? Type 'yes' to confirm:",
                        cliEnvironment,
                        output)
                    .equals("yes"));
    if (!confirmed) {
      throw CommandFailure.of(
          ExitCode.NOT_CONFIRMED,
          "",
          "nothing was removed",
          "answer 'yes' to remove; -y removes without a prompt");
    }
  }

  private static String count(List<RemovalCandidate> candidates) {
    return candidates.size() == 1 ? "1 run" : candidates.size() + " runs";
  }

  /** Removes a run under its lock, so that no controller can resume it meanwhile. */
  private void remove(RemovalCandidate one, boolean checkpointsOnly) {
    ControllerLock lock = lock(one);
    try {
      if (changed(one)) {
        throw CommandFailure.invalid(
            one.folder().run(), "was resumed in the meantime", "it was not removed");
      }
      one.record().flatMap(RunRecord::checkpointsElsewhere).ifPresent(FileTree::delete);
      FileTree.delete(checkpointsOnly ? one.folder().checkpointStore() : moveAway(one.folder()));
    } finally {
      lock.close();
    }
  }

  private static ControllerLock lock(RemovalCandidate one) {
    return ControllerLock.tryAcquire(one.folder())
        .orElseThrow(
            () ->
                CommandFailure.invalid(
                    one.folder().run(), "has an active controller", "it was not removed"));
  }

  private static boolean changed(RemovalCandidate one) {
    return one.record().isPresent()
        && !RunRecord.read(one.folder()).progress().equals(one.record().get().progress());
  }

  /**
   * Moves the folder away, so that no command finds the run even if its deletion is interrupted.
   */
  private Path moveAway(RunFolder folder) {
    try {
      PrivateFiles.createFolder(removed());
      Path aside = Files.createTempDirectory(removed(), folder.run() + "-");
      Files.move(folder.path(), aside.resolve(folder.run()));
      return aside;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Deletes what an interrupted removal, or an interrupted start of a run, has left. */
  private void sweep() {
    Instant yesterday = cliEnvironment.clock().instant().minus(Duration.ofDays(1));
    RunFolder.unstarted(cliEnvironment.home(), yesterday).forEach(FileTree::delete);
    if (!Files.isDirectory(removed())) {
      return;
    }
    try (Stream<Path> left = Files.list(removed())) {
      left.forEach(FileTree::delete);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path removed() {
    return cliEnvironment.home().resolve("removed");
  }

  private void report(List<RemovalCandidate> candidates, boolean checkpointsOnly) {
    long bytes = candidates.stream().mapToLong(RemovalCandidate::bytes).sum();
    if (!candidates.isEmpty()) {
      String what = checkpointsOnly ? "the checkpoints of " : "";
      output
          .text()
          .println("Removed " + what + count(candidates) + ", " + ByteFormat.format(bytes) + ".");
    }
    output.jsonDocument(
        () ->
            new RemovedRuns(
                candidates.stream().map(one -> one.folder().run()).toList(),
                checkpointsOnly,
                bytes));
  }

  /** The document of {@code runs rm --json}. */
  public record RemovedRuns(
      @JsonPropertyDescription("The IDs of the removed runs.") List<String> removed,
      @JsonPropertyDescription("Whether only their checkpoints were removed.")
          boolean checkpointsOnly,
      @JsonPropertyDescription("Freed disk space in bytes.") long bytes) {}
}
