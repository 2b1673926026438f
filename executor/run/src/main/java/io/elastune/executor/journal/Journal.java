package io.elastune.executor.journal;

import io.elastune.core.files.PrivateFiles;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.JournalNote;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunEvent;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.StepResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the journal of a run. Each step is one durable transaction with the event, the resulting
 * commands and the status tables. Commands are executed only after their transaction, and then
 * confirmed.
 */
public final class Journal implements AutoCloseable {
  /**
   * The format that this version writes. Increment it with every change to what a journal stores.
   */
  static final int FORMAT = 6;

  /** The key for the cost in USD that the meter of a simulated environment has counted. */
  public static final String METERED_USD = "metered_usd";

  /** The key for the confirmation time of the plan, in nanoseconds since 1970. */
  static final String CONFIRMED = "confirmed_ns";

  private static final Logger LOG = LoggerFactory.getLogger(Journal.class);

  private final RunFolder folder;
  private final RunDefinition definition;
  private final StatusTables.Configs configs;
  private final SqlConnection connection;
  private final StatusTables statusTables;
  private final JournalReserve reserve;
  private long seq;

  private Journal(
      RunFolder folder,
      RunDefinition definition,
      StatusTables.Configs configs,
      SqlConnection connection,
      long seq) {
    this.folder = folder;
    this.definition = definition;
    this.configs = configs;
    this.connection = connection;
    this.statusTables = new StatusTables(connection, definition, configs);
    this.reserve = new JournalReserve(folder);
    this.seq = seq;
  }

  /**
   * Creates the journal of a new run with its metadata.
   *
   * @param confirmed when its plan was confirmed; the time of the run counts from then
   */
  public static Journal create(
      RunFolder folder,
      RunDefinition definition,
      Instant confirmed,
      Map<String, String> meta,
      StatusTables.Configs configs) {
    SqlConnection connection = open(folder.journal(), false);
    Journal journal = new Journal(folder, definition, configs, connection, 0);
    journal.transaction(
        () -> {
          connection.runAll(SqlConnection.script(Journal.class, "schema.sql"));
          connection.run("PRAGMA user_version = " + FORMAT);
          journal.begin(definition, meta);
          journal.put(Map.of(CONFIRMED, Long.toString(Nanoseconds.of(confirmed))));
          journal.statusTables.create(RunState.confirmed(definition, confirmed));
        });
    return journal;
  }

  /**
   * Opens the journal of a run that is resumed after {@link ReplayedRun} has read it.
   *
   * @param definition the definition from now on
   * @param meta the metadata from now on
   */
  public static Journal reopen(
      RunFolder folder,
      RunDefinition definition,
      Map<String, String> meta,
      StatusTables.Configs configs) {
    SqlConnection connection = open(folder.journal(), false);
    Journal journal = new Journal(folder, definition, configs, connection, last(connection));
    journal.transaction(() -> journal.begin(definition, meta));
    return journal;
  }

  private static long last(SqlConnection connection) {
    return connection.list("SELECT coalesce(max(seq), 0) FROM event", row -> row.getLong(1)).get(0);
  }

  /**
   * Writes the journal again if its file was deleted: the open file still has everything. Closes
   * this one in that case.
   *
   * @return the journal from now on; empty if the file exists, or if it cannot be written
   */
  public Optional<Journal> restore() {
    if (Files.exists(folder.journal()) || !Files.isDirectory(folder.path())) {
      return Optional.empty();
    }
    try {
      Path copy = folder.restoredJournal();
      Files.deleteIfExists(copy);
      connection.copyTo(PrivateFiles.createFile(copy));
      close(); // it removes the other files of the deleted database
      for (Path other : folder.journalFiles()) {
        Files.deleteIfExists(other);
      }
      Files.move(copy, folder.journal(), StandardCopyOption.ATOMIC_MOVE);
      SqlConnection opened = open(folder.journal(), false);
      return Optional.of(new Journal(folder, definition, configs, opened, last(opened)));
    } catch (IOException | JournalException e) {
      LOG.warn("The deleted journal cannot be written again: {}", e.toString());
      return Optional.empty();
    }
  }

  /** Adds to the metadata of the run. */
  public void putMeta(Map<String, String> meta) {
    if (!meta.isEmpty()) {
      transaction(() -> put(meta));
    }
  }

  private void put(Map<String, String> meta) {
    meta.forEach(
        (key, value) ->
            connection.replace("meta", new ColumnValues().set("key", key).set("value", value)));
  }

  private void begin(RunDefinition definition, Map<String, String> meta) {
    put(meta);
    connection.replace(
        "definition", new ColumnValues().set("seq", seq).set("body", EventJson.json(definition)));
    connection.insert(
        "controller",
        new ColumnValues()
            .set("pid", ProcessHandle.current().pid())
            .set("version", meta.getOrDefault("version", ""))
            .set("started_ms", started()));
  }

  /** The start time of this process by the operating system. */
  private static long started() {
    return ProcessHandle.current().info().startInstant().map(Instant::toEpochMilli).orElse(0L);
  }

  /** Opens a database file. Every commit is on disk when it returns. */
  static SqlConnection open(Path file, boolean readOnly) {
    try {
      if (!readOnly) {
        PrivateFiles.createFile(file); // SQLite gives its other files the same permissions.
      }
      SqlConnection connection = SqlConnection.open(file, readOnly, Journal::failure);
      if (!readOnly) {
        connection.list("PRAGMA journal_mode = WAL", row -> row.getString(1));
        connection.run("PRAGMA synchronous = FULL");
        connection.useTransactions();
      }
      return connection;
    } catch (IOException | SQLException e) {
      throw new JournalException("cannot open " + file + ": " + e.getMessage(), e);
    }
  }

  private static JournalException failure(String verb, SQLException cause) {
    return new JournalException("cannot " + verb + " the journal: " + cause.getMessage(), cause);
  }

  /**
   * Writes one step.
   *
   * @return the ids of its commands, in order, for {@link #confirm}
   */
  public List<Long> append(RunEvent event, RunState before, StepResult stepResult) {
    seq++;
    List<Long> ids = new ArrayList<>();
    transaction(
        () -> {
          ids.clear();
          connection.insert(
              "event",
              new ColumnValues()
                  .set("seq", seq)
                  .set("at_ms", event.at())
                  .set("now_ns", Nanoseconds.of(before.now()))
                  .set("kind", EventJson.kind(event))
                  .set("body", EventJson.body(event)));
          stepResult.commands().forEach(command -> ids.add(insert(command)));
          stepResult.notes().forEach(journalNote -> journalNote.match(new NoteWriter(event.at())));
          statusTables.write(event, before, stepResult.state());
          if (event instanceof RunEvent.BudgetAnswered) {
            keepAllowance(before, stepResult.state());
          }
        });
    return ids;
  }

  /** Stores an increased budget as screens show it, including the cost of profiling. */
  private void keepAllowance(RunState before, RunState after) {
    OptionalDouble allowed = after.steering().allowance().allowedUsd();
    if (allowed.isEmpty() || allowed.equals(before.steering().allowance().allowedUsd())) {
      return;
    }
    double profiling =
        connection
            .list(
                "SELECT value FROM meta WHERE key = 'profiling_usd'",
                row -> Double.parseDouble(row.getString(1)))
            .stream()
            .mapToDouble(usd -> usd)
            .sum();
    put(Map.of("budget_usd", Double.toString(allowed.getAsDouble() + profiling)));
  }

  /** Updates status and cost, which change with time alone, without an event. */
  public void progress(RunState state) {
    transaction(
        () -> {
          statusTables.money(state);
          statusTables.progress(state);
        });
  }

  private long insert(Command command) {
    connection.insert(
        "command",
        new ColumnValues()
            .set("seq", seq)
            .set("kind", WireNames.command(command.getClass()))
            .set("body", EventJson.json(command)));
    return connection.list("SELECT last_insert_rowid()", row -> row.getLong(1)).get(0);
  }

  /** Marks commands as executed, that is, passed to the cloud or the engine. */
  public void confirm(List<Long> commands, Instant at) {
    if (commands.isEmpty()) {
      return;
    }
    ColumnValues done = new ColumnValues().set("done_ms", at);
    transaction(() -> commands.forEach(id -> connection.update("command", done, "id", id)));
  }

  /** Makes changes durable, on a full disk with the space that is reserved for that. */
  private void transaction(Runnable work) {
    try {
      work.run();
      connection.commit();
    } catch (JournalException e) {
      if (!reserve.release(e)) {
        throw e;
      }
      connection.rollBack();
      work.run();
      connection.commit();
    }
  }

  /** Returns whether the disk was full: what was reserved of it is enough to stop the run. */
  public boolean isDiskFull() {
    return reserve.isReleased();
  }

  /** Closes the database. All relevant data is committed before, so a full disk is only logged. */
  @Override
  public void close() {
    reserve.remove();
    try {
      connection.close();
    } catch (JournalException e) {
      LOG.warn("Closing the journal failed: {}", e.toString());
    }
  }

  private final class NoteWriter implements JournalNote.Visitor<Optional<Void>> {
    private final Instant at;

    NoteWriter(Instant at) {
      this.at = at;
    }

    @Override
    public Optional<Void> decision(JournalNote.Decision note) {
      connection.insert(
          "decision",
          new ColumnValues()
              .set("seq", seq)
              .set("at_ms", at)
              .set("decision", new WireNames.KindAndSubject(note.kind(), note.subject()).text())
              .set("reason", note.reason().code().wireName())
              .set("details", EventJson.json(note.reason().details()))
              .set("numbers", EventJson.json(note.numbers())));
      return Optional.empty();
    }

    @Override
    public Optional<Void> fault(JournalNote.TrialFault note) {
      connection.insert(
          "fault",
          new ColumnValues()
              .set("at_ms", at)
              .set("trial", note.trial())
              .set("attempt", note.attempt())
              .set("message", note.message()));
      return Optional.empty();
    }
  }
}
