package io.elastune.profiler.history;

import io.elastune.core.files.PrivateFiles;
import io.elastune.executor.journal.ColumnValues;
import io.elastune.executor.journal.JournalException;
import io.elastune.executor.journal.RowMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A connection to the file of the history. Several processes may use it at the same time. */
final class HistoryDatabase implements AutoCloseable {
  private static final Pattern FORMAT = Pattern.compile("PRAGMA user_version = (\\d+)");

  /** Codes of SQLite for a file that is no database, and for a damaged one. */
  private static final int CORRUPT = 11;

  private static final int NOT_A_DATABASE = 26;
  private static final int BUSY = 5;
  private static final int LOW_BYTE = 0xff;

  private final Connection connection;

  private HistoryDatabase(Connection connection) {
    this.connection = connection;
  }

  /** Reads one row. */
  interface Row<T> {
    T read(ResultSet row) throws SQLException;
  }

  /** Creates the reader of the rows of a result. */
  private interface RowReader<T> {
    Row<T> of(ResultSet rows) throws SQLException;
  }

  /** Executes statements that may fail. */
  interface Work {
    void run() throws SQLException;
  }

  /**
   * Opens the database and creates its tables.
   *
   * @throws HistoryException if that fails, or if another version has written it
   */
  static HistoryDatabase open(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    System.setProperty("org.sqlite.tmpdir", String.valueOf(folder));
    try {
      PrivateFiles.createParent(file);
      if (!Files.exists(file)) {
        PrivateFiles.createFile(file); // SQLite gives its other files the same permissions.
      }
      HistoryDatabase database =
          new HistoryDatabase(DriverManager.getConnection("jdbc:sqlite:" + file));
      try {
        database.prepare();
        return database;
      } catch (HistoryException e) {
        database.close();
        throw e;
      }
    } catch (IOException | SQLException e) {
      throw failure("cannot open the history " + file, e);
    }
  }

  private void prepare() {
    run("PRAGMA busy_timeout = 5000");
    useWriteAheadLog();
    int format = format();
    String schema = schema();
    int own = formatOf(schema);
    if (format == 0) {
      transaction(() -> createTables(schema));
    } else if (format != own) {
      String message = "the history has format " + format + ", this version uses " + own;
      throw new HistoryException(message, true, new IllegalStateException(message));
    }
  }

  /**
   * Lets readers continue while another process writes. SQLite does not wait for others here. If
   * one uses the file now, it has changed the mode itself, or the next process does so.
   */
  private void useWriteAheadLog() {
    try {
      list("PRAGMA journal_mode = WAL", row -> row.getString(1));
    } catch (HistoryException e) {
      if (!hasCode(e.getCause(), BUSY)) {
        throw e;
      }
    }
  }

  private int format() {
    return list("PRAGMA user_version", row -> row.getInt(1)).get(0);
  }

  /** Another process may have created them since the format was read. */
  private void createTables(String schema) {
    if (format() != 0) {
      return;
    }
    for (String statement : schema.split(";", -1)) {
      if (!statement.isBlank()) {
        run(statement);
      }
    }
  }

  private static int formatOf(String schema) {
    Matcher format = FORMAT.matcher(schema);
    if (!format.find()) {
      throw new IllegalStateException("schema.sql has no format");
    }
    return Integer.parseInt(format.group(1));
  }

  private static String schema() {
    try (InputStream in = HistoryDatabase.class.getResourceAsStream("schema.sql")) {
      if (in == null) {
        throw new IllegalStateException("schema.sql is missing");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).replaceAll("--[^\n]*", "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Executes {@code work} completely or not at all. Waits for other processes that write. */
  void transaction(Work work) {
    run("BEGIN IMMEDIATE");
    boolean done = false;
    try {
      work.run();
      run("COMMIT");
      done = true;
    } catch (SQLException e) {
      throw failure("cannot write the history", e);
    } finally {
      if (!done) {
        rollBack();
      }
    }
  }

  private void rollBack() {
    try {
      run("ROLLBACK");
    } catch (HistoryException e) {
      // The first error is reported; SQLite itself rolls back when the connection is closed.
      return;
    }
  }

  void run(String sql, @Nullable Object... values) {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, values);
      statement.execute();
    } catch (SQLException e) {
      throw failure("cannot write the history", e);
    }
  }

  /** Inserts a row. */
  void insert(String table, ColumnValues row) {
    String places = String.join(", ", Collections.nCopies(row.names().size(), "?"));
    run(
        "INSERT INTO "
            + table
            + " ("
            + String.join(", ", row.names())
            + ") VALUES ("
            + places
            + ")",
        row.values().toArray());
  }

  /** Returns rows as records; see {@link RowMapper}. */
  <T> List<T> records(Class<T> type, String sql, @Nullable Object... values) {
    RowMapper<T> mapper = RowMapper.of(type);
    try {
      return query(
          sql,
          rows -> {
            Map<String, Integer> columns = RowMapper.columns(rows);
            return row -> mapper.read(row, columns);
          },
          values);
    } catch (JournalException e) {
      throw new HistoryException("cannot read the history: " + e.getMessage(), true, e);
    }
  }

  <T> List<T> list(String sql, Row<T> reader, @Nullable Object... values) {
    return query(sql, rows -> reader, values);
  }

  private <T> List<T> query(String sql, RowReader<T> readers, @Nullable Object... values) {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, values);
      List<T> rows = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        Row<T> reader = readers.of(row);
        while (row.next()) {
          rows.add(reader.read(row));
        }
      }
      return rows;
    } catch (SQLException e) {
      throw failure("cannot read the history", e);
    }
  }

  private static void bind(PreparedStatement statement, @Nullable Object[] values)
      throws SQLException {
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, plain(values[i]));
    }
  }

  private static @Nullable Object plain(@Nullable Object value) {
    if (value instanceof Optional<?> optional) {
      return optional.orElse(null);
    }
    return value;
  }

  static OptionalDouble number(ResultSet row, String column) throws SQLException {
    double value = row.getDouble(column);
    return row.wasNull() ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  private static HistoryException failure(String what, Exception cause) {
    boolean damaged = hasCode(cause, CORRUPT) || hasCode(cause, NOT_A_DATABASE);
    return new HistoryException(what + ": " + cause.getMessage(), damaged, cause);
  }

  private static boolean hasCode(@Nullable Throwable cause, int code) {
    return cause instanceof SQLException sql && (sql.getErrorCode() & LOW_BYTE) == code;
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw failure("cannot close the history", e);
    }
  }
}
