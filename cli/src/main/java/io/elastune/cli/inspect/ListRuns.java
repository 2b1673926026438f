package io.elastune.cli.inspect;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.text.ByteFormat;
import io.elastune.cli.text.TextTable;
import io.elastune.cli.text.UsdFormat;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunMeta;
import io.elastune.plan.json.KeyIfPresent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** Implements {@code elastune runs list}. It reads the journals only and calls no cloud. */
public final class ListRuns {
  private static final String UNREADABLE = "unreadable";

  private final CliEnvironment cliEnvironment;
  private final Output output;

  public ListRuns(CliEnvironment cliEnvironment, Output output) {
    this.cliEnvironment = cliEnvironment;
    this.output = output;
  }

  /** A run in the document of {@code runs list --json}. */
  public record RunDocument(
      @JsonPropertyDescription("The ID of the run.") String run,
      @JsonPropertyDescription("\"tuning\", or \"profiling\" for the measurement of a program.")
          String kind,
      @JsonPropertyDescription("Its state.") String state,
      @JsonPropertyDescription("When it began, if it did.") Optional<Instant> began,
      @JsonPropertyDescription("The exit code, once finished.") OptionalInt exit,
      @JsonPropertyDescription("Cost so far in USD; null if its journal cannot be read.")
          OptionalDouble spentUsd,
      @JsonPropertyDescription("Size of its folder and checkpoints in bytes.") long bytes,
      @KeyIfPresent @JsonPropertyDescription("True if the run was simulated.")
          Optional<Boolean> simulated) {}

  /**
   * One run.
   *
   * @param status empty if its journal cannot be read
   * @param bytes size of its folder, plus its checkpoints if they are stored elsewhere
   */
  private record Row(RunFolder folder, Optional<RunStatus> status, long bytes) {
    String state() {
      return status.map(some -> some.standing().label()).orElse(UNREADABLE);
    }

    String kind() {
      return record().filter(run -> run.meta().kind() == RunMeta.Kind.PROFILE).isPresent()
          ? "profiling"
          : "tuning";
    }

    String exit() {
      return status
          .filter(some -> some.exit().isPresent())
          .map(some -> Integer.toString(some.exit().getAsInt()))
          .orElse("");
    }

    Optional<Instant> began() {
      return record().flatMap(run -> run.progress().began());
    }

    Optional<RunRecord> record() {
      return status.flatMap(RunStatus::record);
    }

    RunDocument document() {
      return new RunDocument(
          folder.run(),
          kind(),
          state(),
          began(),
          status.map(RunStatus::exit).orElse(OptionalInt.empty()),
          status.stream().mapToDouble(RunStatus::spentUsd).findFirst(),
          bytes,
          record().filter(RunRecord::simulated).map(simulated -> true));
    }

    String trials() {
      return record().map(run -> run.plannedTrials() + "").orElse("");
    }

    String cost() {
      return record()
          .map(
              run ->
                  UsdFormat.format(run.costUsd())
                      + (run.simulated() ? " simulated" : run.meta().notional() ? " notional" : ""))
          .orElse("");
    }
  }

  /** Lists all runs, the newest first. */
  public ExitCode list() {
    List<Row> rows = new ArrayList<>();
    StatusReader reader = new StatusReader(cliEnvironment);
    for (RunFolder folder : new RunFinder(cliEnvironment).all()) {
      Optional<RunStatus> status = status(reader, folder);
      rows.add(new Row(folder, status, bytes(folder, status.flatMap(RunStatus::record))));
    }
    if (rows.isEmpty()) {
      output
          .text()
          .println("No runs found in " + cliEnvironment.displayPath(cliEnvironment.home()) + ".");
    } else {
      lines(rows).forEach(output.text()::println);
    }
    output.jsonDocument(() -> rows.stream().map(Row::document).toList());
    return ExitCode.DONE;
  }

  private static Optional<RunStatus> status(StatusReader reader, RunFolder folder) {
    try {
      return Optional.of(reader.readLocally(folder));
    } catch (CommandFailure e) {
      return Optional.empty(); // One unreadable journal must not hide the other runs.
    }
  }

  /** Returns the disk space that a run uses, in bytes. */
  static long bytes(RunFolder folder, Optional<RunRecord> record) {
    return FileTree.bytes(folder.path()) + elsewhere(record);
  }

  /** Returns the disk space of its checkpoints, in bytes. */
  static long checkpointBytes(RunFolder folder, Optional<RunRecord> record) {
    return FileTree.bytes(folder.checkpointStore()) + elsewhere(record);
  }

  private static long elsewhere(Optional<RunRecord> record) {
    return record.flatMap(RunRecord::checkpointsElsewhere).map(FileTree::bytes).orElse(0L);
  }

  private static List<String> lines(List<Row> rows) {
    TextTable table =
        new TextTable()
            .left("run")
            .left("kind")
            .left("state")
            .right("exit")
            .left("started")
            .right("trials")
            .right("cost")
            .right("disk");
    rows.forEach(
        row ->
            table.row(
                row.folder().run(),
                row.kind(),
                row.state(),
                row.exit(),
                row.began().map(StatusScreen.MOMENT::format).orElse(""),
                row.trials(),
                row.cost(),
                ByteFormat.format(row.bytes())));
    List<String> lines = new ArrayList<>(table.lines());
    long bytes = rows.stream().mapToLong(Row::bytes).sum();
    lines.add(
        rows.size()
            + (rows.size() == 1 ? " run, " : " runs, ")
            + ByteFormat.format(bytes)
            + "; to remove one: elastune runs rm RUN");
    return lines;
  }
}
