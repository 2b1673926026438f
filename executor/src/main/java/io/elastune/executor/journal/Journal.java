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
import java.util.OptionalDouble;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The journal as the controller writes it. Each step is one durable transaction: the event, what is
 * to be done because of it, and the tables that show how the run stands. Commands are carried out
 * only after their transaction, and confirmed one by one.
 */
public final class Journal implements AutoCloseable {
  /** Of what this version writes. Whoever changes what a journal holds counts it up. */
  static final int FORMAT = 2;

  /** Under this name is kept what a simulated world's own meter has counted, in dollars. */
  public static final String METERED_USD = "metered_usd";

  /** Under this name is kept when the plan was confirmed, in nanoseconds since 1970. */
  static final String CONFIRMED = "confirmed_ns";

  private static final Logger LOG = LoggerFactory.getLogger(Journal.class);

  private final Connection connection;
  private final Tables tables;
  private long seq;

  private Journal(Connection connection, Tables tables, long seq) {
    this.connection = connection;
    this.tables = tables;
    this.seq = seq;
  }

  /**
   * Makes the journal of a new run, with what it is about.
   *
   * @param confirmed when its plan was: its time counts from then, whatever happens to whom
   */
  public static Journal create(
      RunFolder folder,
      RunDefinition definition,
      Instant confirmed,
      Map<String, String> meta,
      Tables.Configs configs) {
    Connection connection = open(folder.journal(), false);
    Journal journal = new Journal(connection, new Tables(connection, definition, configs), 0);
    journal.transaction(
        () -> {
          for (String statement : schema().split(";", -1)) {
            if (!statement.isBlank()) {
              Sql.run(connection, statement);
            }
          }
          Sql.run(connection, "PRAGMA user_version = " + FORMAT);
          journal.begin(definition, meta);
          journal.put(Map.of(CONFIRMED, Long.toString(Sql.nanos(confirmed))));
          journal.tables.create(RunState.confirmed(definition, confirmed));
        });
    return journal;
  }

  /**
   * Opens the journal of a run that goes on, of which {@link PastRun} has told.
   *
   * @param definition what it is decided by from now on
   * @param meta what it is about from now on
   */
  public static Journal reopen(
      RunFolder folder,
      RunDefinition definition,
      Map<String, String> meta,
      Tables.Configs configs) {
    Connection connection = open(folder.journal(), false);
    long last =
        Sql.list(connection, "SELECT coalesce(max(seq), 0) FROM event", row -> row.getLong(1))
            .get(0);
    Journal journal = new Journal(connection, new Tables(connection, definition, configs), last);
    journal.transaction(() -> journal.begin(definition, meta));
    return journal;
  }

  /** Adds to what the run is about, by name. */
  public void keep(Map<String, String> meta) {
    if (!meta.isEmpty()) {
      transaction(() -> put(meta));
    }
  }

  private void put(Map<String, String> meta) {
    meta.forEach(
        (key, value) ->
            Sql.run(connection, "INSERT OR REPLACE INTO meta VALUES (?, ?)", key, value));
  }

  private void begin(RunDefinition definition, Map<String, String> meta) {
    put(meta);
    Sql.run(
        connection,
        "INSERT OR REPLACE INTO definition VALUES (?, ?)",
        seq,
        EventJson.json(definition));
    Sql.run(
        connection,
        "INSERT INTO controller (pid, version, started_ms) VALUES (?, ?, ?)",
        ProcessHandle.current().pid(),
        meta.getOrDefault("version", ""),
        started());
  }

  /** When this process began, as its system knows it. */
  private static long started() {
    return ProcessHandle.current().info().startInstant().map(Instant::toEpochMilli).orElse(0L);
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
              "INSERT INTO event VALUES (?, ?, ?, ?, ?)",
              seq,
              event.at(),
              Sql.nanos(before.now()),
              EventJson.kind(event),
              EventJson.body(event));
          step.commands().forEach(command -> ids.add(insert(command)));
          step.notes().forEach(note -> note.match(new NoteWriter(event.at())));
          tables.write(event, before, step.state());
          keepAllowance(before, step.state());
        });
    return ids;
  }

  /** The budget as the screens show it: with what profiling took of it. */
  private void keepAllowance(RunState before, RunState after) {
    OptionalDouble allowed = after.steering().allowance().allowedUsd();
    if (allowed.isEmpty() || allowed.equals(before.steering().allowance().allowedUsd())) {
      return;
    }
    double profiling =
        Sql.list(
                connection,
                "SELECT value FROM meta WHERE key = 'profiling_usd'",
                row -> Double.parseDouble(row.getString(1)))
            .stream()
            .mapToDouble(usd -> usd)
            .sum();
    put(Map.of("budget_usd", Double.toString(allowed.getAsDouble() + profiling)));
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

  /** Everything that counts is committed by then: a disk that is full does not matter any more. */
  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      LOG.warn("the journal was not closed in order: {}", e.toString());
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
