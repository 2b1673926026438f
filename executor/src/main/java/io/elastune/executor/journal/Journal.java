package io.elastune.executor.journal;

import io.elastune.executor.core.Command;
import io.elastune.executor.core.Note;
import io.elastune.executor.core.RunDefinition;
import io.elastune.executor.core.RunEvent;
import io.elastune.executor.core.RunState;
import io.elastune.executor.core.Step;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The journal as the controller writes it. Each step is one durable transaction: the event, what is
 * to be done because of it, and the tables that show how the run stands. Commands are carried out
 * only after their transaction, and confirmed one by one.
 */
public final class Journal implements AutoCloseable {
  private final Connection connection;
  private final Tables tables;
  private long seq;

  private Journal(Connection connection, Tables tables) {
    this.connection = connection;
    this.tables = tables;
  }

  /** Makes the journal of a new run, with what it is about. */
  public static Journal create(
      RunFolder folder,
      RunDefinition definition,
      Map<String, String> meta,
      Tables.Configs configs) {
    Connection connection = open(folder.journal(), false);
    Journal journal = new Journal(connection, new Tables(connection, definition, configs));
    journal.transaction(
        () -> {
          for (String statement : schema().split(";", -1)) {
            if (!statement.isBlank()) {
              Sql.run(connection, statement);
            }
          }
          meta.forEach(
              (key, value) -> Sql.run(connection, "INSERT INTO meta VALUES (?, ?)", key, value));
          journal.tables.create();
        });
    return journal;
  }

  /** Opens a database file. Durable: every commit is on the disk when it returns. */
  static Connection open(Path file, boolean readOnly) {
    Path folder = file.toAbsolutePath().getParent();
    System.setProperty("org.sqlite.tmpdir", String.valueOf(folder));
    String mode = readOnly ? "?open_mode=1" : "";
    try {
      Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file + mode);
      Sql.run(connection, "PRAGMA busy_timeout = 5000");
      if (!readOnly) {
        Sql.list(connection, "PRAGMA journal_mode = WAL", row -> row.getString(1));
        Sql.run(connection, "PRAGMA synchronous = FULL");
        connection.setAutoCommit(false);
      }
      return connection;
    } catch (SQLException e) {
      throw new JournalException("cannot open " + file + ": " + e.getMessage(), e);
    }
  }

  private static String schema() {
    try (InputStream in = Journal.class.getResourceAsStream("schema.sql")) {
      if (in == null) {
        throw new IllegalStateException("schema.sql is missing");
      }
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return text.replaceAll("--[^\n]*", "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Writes one step.
   *
   * @return the ids of its commands, in order, for {@link #confirm}
   */
  public List<Long> append(RunEvent event, RunState before, Step step) {
    seq++;
    List<Long> ids = new ArrayList<>();
    transaction(
        () -> {
          Sql.run(
              connection,
              "INSERT INTO event VALUES (?, ?, ?, ?)",
              seq,
              event.at(),
              EventJson.kind(event),
              EventJson.body(event));
          step.commands().forEach(command -> ids.add(insert(command)));
          step.notes().forEach(note -> note.match(new NoteWriter(event.at())));
          tables.write(event, before, step.state());
        });
    return ids;
  }

  /** Brings what time alone changes up to date, without an event: how the run stands, its money. */
  public void progress(RunState state) {
    transaction(
        () -> {
          tables.money(state);
          tables.progress(state);
        });
  }

  private long insert(Command command) {
    Sql.run(
        connection,
        "INSERT INTO command (seq, kind, body) VALUES (?, ?, ?)",
        seq,
        command.getClass().getSimpleName(),
        EventJson.json(command));
    return Sql.list(connection, "SELECT last_insert_rowid()", row -> row.getLong(1)).get(0);
  }

  /** Says that a command has been carried out: handed to the cloud or the engine. */
  public void confirm(List<Long> commands, Instant at) {
    if (commands.isEmpty()) {
      return;
    }
    transaction(
        () ->
            commands.forEach(
                id -> Sql.run(connection, "UPDATE command SET done_ms = ? WHERE id = ?", at, id)));
  }

  private void transaction(Runnable work) {
    try {
      work.run();
      connection.commit();
    } catch (SQLException e) {
      throw new JournalException("cannot write the journal: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new JournalException("cannot close the journal: " + e.getMessage(), e);
    }
  }

  /** Every event told so far, in order. */
  public static List<RunEvent> events(RunFolder folder) {
    try (Connection connection = open(folder.journal(), true)) {
      return Sql.list(
          connection,
          "SELECT kind, body FROM event ORDER BY seq",
          row -> EventJson.read(row.getString(1), row.getString(2)));
    } catch (SQLException e) {
      throw new JournalException("cannot close the journal: " + e.getMessage(), e);
    }
  }

  private final class NoteWriter implements Note.Visitor<Optional<Void>> {
    private final Instant at;

    NoteWriter(Instant at) {
      this.at = at;
    }

    @Override
    public Optional<Void> decision(Note.Decision note) {
      Sql.run(
          connection,
          "INSERT INTO decision (seq, at_ms, decision, reason, numbers) VALUES (?, ?, ?, ?, ?)",
          seq,
          at,
          note.decision(),
          note.reason(),
          EventJson.json(note.numbers()));
      return Optional.empty();
    }

    @Override
    public Optional<Void> fault(Note.TrialFault note) {
      Sql.run(
          connection,
          "INSERT INTO fault (at_ms, trial, attempt, message) VALUES (?, ?, ?, ?)",
          at,
          note.trial(),
          note.attempt(),
          note.message());
      return Optional.empty();
    }
  }
}
