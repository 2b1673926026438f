package io.elastune.cli.runs;

import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.failure.Problem;
import io.elastune.cli.screen.Bytes;
import io.elastune.cli.world.Answer;
import io.elastune.cli.world.Output;
import io.elastune.cli.world.World;
import io.elastune.executor.journal.ControllerLock;
import io.elastune.executor.journal.RunFolder;
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
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Implements {@code elastune runs rm}. A run is removed only after its controller has stopped and
 * no cloud lists instances of it. Its folder is first moved away in one step, and then deleted file
 * by file.
 */
public final class RemoveRuns {
  private final World world;
  private final Output output;
  private final StatusReader reader;

  public RemoveRuns(World world, Output output) {
    this.world = world;
    this.output = output;
    reader = new StatusReader(world);
  }

  /**
   * A run that may be removed, with its state at the time of that check.
   *
   * @param bytes disk space of the files to remove
   */
  private record Doomed(
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
    List<Doomed> candidates = new ArrayList<>();
    Runs runs = new Runs(world);
    Set<RunFolder> named = new LinkedHashSet<>();
    names.forEach(name -> named.add(runs.find(name))); // a run may be named twice
    named.forEach(folder -> candidates.add(checked(folder, checkpointsOnly)));
    olderThan.ifPresent(age -> addOlder(runs, age, candidates, checkpointsOnly));
    if (candidates.isEmpty()) {
      output.people().println("No finished run is that old. Nothing to remove.");
    } else {
      confirm(candidates, checkpointsOnly, yes);
    }
    candidates.forEach(one -> remove(one, checkpointsOnly));
    report(candidates, checkpointsOnly);
    return ExitCode.DONE;
  }

  private void addOlder(Runs runs, Duration age, List<Doomed> candidates, boolean checkpointsOnly) {
    Instant last = world.clock().instant().minus(age);
    for (RunFolder folder : runs.all()) {
      boolean named = candidates.stream().anyMatch(some -> some.folder().equals(folder));
      if (named || !Runs.begunAt(folder).isBefore(last)) {
        continue;
      }
      try {
        candidates.add(checked(folder, checkpointsOnly));
      } catch (CommandFailure e) {
        e.problems().forEach(problem -> output.people().println("kept: " + problem));
      }
    }
  }

  /** Fails unless the run is over and no instance of it is left. */
  private Doomed checked(RunFolder folder, boolean checkpointsOnly) {
    RunStatus status = reader.read(folder);
    if (!status.standing().over()) {
      throw CommandFailure.usage(
          Problem.of(
              folder.run(),
              "is " + status.standing().word(),
              "stop it first: elastune stop " + folder.run()));
    }
    if (!reader.nothingLeft(status)) {
      throw new CommandFailure(
          ExitCode.CLEANUP_UNCONFIRMED,
          List.of(
              Problem.of(
                  folder.run(),
                  "instances of it may still exist, and its journal identifies them",
                  "see: elastune orphans; then: elastune runs rm " + folder.run())));
    }
    return new Doomed(
        folder,
        status.record(),
        status.standing() != Standing.FINISHED,
        checkpointsOnly
            ? ListRuns.checkpointBytes(folder, status.record())
            : ListRuns.bytes(folder, status.record()));
  }

  private void confirm(List<Doomed> candidates, boolean checkpointsOnly, boolean yes) {
    String what = checkpointsOnly ? "the checkpoints of " : "";
    for (Doomed one : candidates) {
      output
          .people()
          .println(
              " "
                  + what
                  + one.folder().run()
                  + "  "
                  + Bytes.format(one.bytes())
                  + (one.resumable() ? "  (can be resumed; not after removal)" : ""));
    }
    boolean confirmed =
        yes
            || (world.terminal()
                && Answer.to(
                        "Remove " + what + count(candidates) + "? Type 'yes' to confirm:",
                        world,
                        output)
                    .equals("yes"));
    if (!confirmed) {
      throw new CommandFailure(
          ExitCode.NOT_CONFIRMED,
          List.of(
              Problem.of(
                  "",
                  "nothing was removed",
                  "answer 'yes' to remove; -y removes without a prompt")));
    }
  }

  private static String count(List<Doomed> candidates) {
    return candidates.size() == 1 ? "1 run" : candidates.size() + " runs";
  }

  /** Removes a run under its lock, so that no controller can resume it meanwhile. */
  private void remove(Doomed one, boolean checkpointsOnly) {
    ControllerLock lock = lock(one);
    try {
      if (changed(one)) {
        throw CommandFailure.usage(
            Problem.of(one.folder().run(), "has been resumed meanwhile", "it was not removed"));
      }
      one.record().flatMap(RunRecord::checkpointsElsewhere).ifPresent(FileTree::delete);
      FileTree.delete(checkpointsOnly ? one.folder().checkpointStore() : moveAway(one.folder()));
    } finally {
      lock.close();
    }
  }

  private static ControllerLock lock(Doomed one) {
    return ControllerLock.tryAcquire(one.folder())
        .orElseThrow(
            () ->
                CommandFailure.usage(
                    Problem.of(
                        one.folder().run(), "has an active controller", "it was not removed")));
  }

  private static boolean changed(Doomed one) {
    return one.record().isPresent()
        && !RunRecord.read(one.folder()).progress().equals(one.record().get().progress());
  }

  /**
   * Moves the folder away, so that no command finds the run even if its deletion is interrupted.
   */
  private Path moveAway(RunFolder folder) {
    try {
      Files.createDirectories(removed());
      Path aside = Files.createTempDirectory(removed(), folder.run() + "-");
      Files.move(folder.path(), aside.resolve(folder.run()));
      return aside;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Deletes what an interrupted removal has left. */
  private void sweep() {
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
    return world.home().resolve("removed");
  }

  private void report(List<Doomed> candidates, boolean checkpointsOnly) {
    long bytes = candidates.stream().mapToLong(Doomed::bytes).sum();
    if (!candidates.isEmpty()) {
      String what = checkpointsOnly ? "the checkpoints of " : "";
      output
          .people()
          .println("Removed " + what + count(candidates) + ", " + Bytes.format(bytes) + ".");
    }
    output.document(
        () -> {
          ObjectNode document = JsonNodeFactory.instance.objectNode();
          ArrayNode names = document.putArray("removed");
          candidates.forEach(one -> names.add(one.folder().run()));
          return document.put("checkpoints_only", checkpointsOnly).put("bytes", bytes);
        });
  }
}
