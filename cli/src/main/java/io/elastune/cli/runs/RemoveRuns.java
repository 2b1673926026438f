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
 * The command {@code runs rm}. A run is removed only when its controller is gone and nothing of it
 * is left in any cloud; the whole folder disappears at once, and is then deleted file by file.
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
   * A run that may be removed, as it was when that was found.
   *
   * @param bytes what is to be removed of it takes on the disk
   */
  private record Doomed(
      RunFolder folder, Optional<RunRecord> record, boolean resumable, long bytes) {}

  /**
   * Removes runs.
   *
   * @param names their names, or beginnings of these
   * @param olderThan all that began longer ago and may be removed, too
   * @param checkpointsOnly leaves journals, logs and reports
   * @param yes whether it is confirmed on the command line
   */
  public ExitCode remove(
      List<String> names, Optional<Duration> olderThan, boolean checkpointsOnly, boolean yes) {
    sweep();
    List<Doomed> doomed = new ArrayList<>();
    Runs runs = new Runs(world);
    Set<RunFolder> named = new LinkedHashSet<>();
    names.forEach(name -> named.add(runs.find(name))); // one may be named twice
    named.forEach(folder -> doomed.add(judged(folder, checkpointsOnly)));
    olderThan.ifPresent(age -> addOlder(runs, age, doomed, checkpointsOnly));
    if (doomed.isEmpty()) {
      output.people().println("No run is that old and over: nothing to remove.");
    } else {
      confirm(doomed, checkpointsOnly, yes);
    }
    doomed.forEach(one -> remove(one, checkpointsOnly));
    tell(doomed, checkpointsOnly);
    return ExitCode.DONE;
  }

  private void addOlder(Runs runs, Duration age, List<Doomed> doomed, boolean checkpointsOnly) {
    Instant last = world.clock().instant().minus(age);
    for (RunFolder folder : runs.all()) {
      boolean named = doomed.stream().anyMatch(some -> some.folder().equals(folder));
      if (named || !Runs.begunAt(folder).isBefore(last)) {
        continue;
      }
      try {
        doomed.add(judged(folder, checkpointsOnly));
      } catch (CommandFailure e) {
        e.problems().forEach(problem -> output.people().println("left: " + problem));
      }
    }
  }

  /** Fails unless the run is over and nothing of it is left. */
  private Doomed judged(RunFolder folder, boolean checkpointsOnly) {
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
                  "instances of it may be left, and its journal knows which",
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

  private void confirm(List<Doomed> doomed, boolean checkpointsOnly, boolean yes) {
    String what = checkpointsOnly ? "the checkpoints of " : "";
    for (Doomed one : doomed) {
      output
          .people()
          .println(
              " "
                  + what
                  + one.folder().run()
                  + "  "
                  + Bytes.format(one.bytes())
                  + (one.resumable() ? "  it could be resumed now, and not after" : ""));
    }
    boolean confirmed =
        yes
            || (world.terminal()
                && Answer.to(
                        "Remove " + what + count(doomed) + "? Only 'yes' removes:", world, output)
                    .equals("yes"));
    if (!confirmed) {
      throw new CommandFailure(
          ExitCode.NOT_CONFIRMED,
          List.of(
              Problem.of("", "nothing was removed", "only 'yes' removes; -y without a question")));
    }
  }

  private static String count(List<Doomed> doomed) {
    return doomed.size() == 1 ? "1 run" : doomed.size() + " runs";
  }

  /** While it is removed nobody may resume it. */
  private void remove(Doomed one, boolean checkpointsOnly) {
    ControllerLock lock = lock(one);
    try {
      if (changed(one)) {
        throw CommandFailure.usage(
            Problem.of(one.folder().run(), "has gone on meanwhile", "it was not removed"));
      }
      one.record().flatMap(RunRecord::checkpointsElsewhere).ifPresent(FileTree::delete);
      FileTree.delete(checkpointsOnly ? one.folder().checkpointStore() : putAside(one.folder()));
    } finally {
      lock.close();
    }
  }

  private static ControllerLock lock(Doomed one) {
    return ControllerLock.take(one.folder())
        .orElseThrow(
            () ->
                CommandFailure.usage(
                    Problem.of(
                        one.folder().run(),
                        "has been taken up by a controller",
                        "it was not removed")));
  }

  private static boolean changed(Doomed one) {
    return one.record().isPresent()
        && !RunRecord.read(one.folder()).progress().equals(one.record().get().progress());
  }

  /** From here on no command knows it any more, however far its deletion gets. */
  private Path putAside(RunFolder folder) {
    try {
      Files.createDirectories(removed());
      Path aside = Files.createTempDirectory(removed(), folder.run() + "-");
      Files.move(folder.path(), aside.resolve(folder.run()));
      return aside;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Deletes what an earlier removal did not get to. */
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

  private void tell(List<Doomed> doomed, boolean checkpointsOnly) {
    long bytes = doomed.stream().mapToLong(Doomed::bytes).sum();
    if (!doomed.isEmpty()) {
      String what = checkpointsOnly ? "the checkpoints of " : "";
      output.people().println("Removed " + what + count(doomed) + ", " + Bytes.format(bytes) + ".");
    }
    output.document(
        () -> {
          ObjectNode document = JsonNodeFactory.instance.objectNode();
          ArrayNode names = document.putArray("removed");
          doomed.forEach(one -> names.add(one.folder().run()));
          return document.put("checkpoints_only", checkpointsOnly).put("bytes", bytes);
        });
  }
}
