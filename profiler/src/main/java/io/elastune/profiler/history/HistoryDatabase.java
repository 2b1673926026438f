package io.elastune.profiler.history;

import io.elastune.core.files.PrivateFiles;
import io.elastune.executor.journal.ColumnValues;
import io.elastune.executor.journal.JournalException;
import io.elastune.executor.journal.SqlConnection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
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

  private final SqlConnection connection;

  private HistoryDatabase(SqlConnection connection) {
    this.connection = connection;
  }

  /**
   * Opens the database and creates its tables.
   *
   * @throws HistoryException if that fails, or if another version has written it
   */
  static HistoryDatabase open(Path file) {
    try {
      PrivateFiles.createParent(file);
      if (!Files.exists(file)) {
        PrivateFiles.createFile(file); // SQLite gives its other files the same permissions.
      }
      HistoryDatabase database =
          new HistoryDatabase(
              SqlConnection.open(
                  file, false, (verb, cause) -> failure("cannot " + verb + " the history", cause)));
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
    useWriteAheadLog();
    int format = format();
    String schema = SqlConnection.script(HistoryDatabase.class, "schema.sql");
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
    connection.runAll(schema);
  }

  private static int formatOf(String schema) {
    Matcher format = FORMAT.matcher(schema);
    if (!format.find()) {
      throw new IllegalStateException("schema.sql has no format");
    }
    return Integer.parseInt(format.group(1));
  }

  /** Executes {@code work} completely or not at all. Waits for other processes that write. */
  void transaction(Runnable work) {
    run("BEGIN IMMEDIATE");
    boolean done = false;
    try {
      work.run();
      run("COMMIT");
      done = true;
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

  void run(String sql, Object... values) {
    connection.run(sql, values);
  }

  /** Inserts a row. */
  void insert(String table, ColumnValues row) {
    connection.insert(table, row);
  }

  /** Returns rows as records, by the names of columns. */
  <T> List<T> records(Class<T> type, String sql, Object... values) {
    try {
      return connection.records(type, sql, values);
    } catch (JournalException e) {
      throw new HistoryException("cannot read the history: " + e.getMessage(), true, e);
    }
  }

  <T> List<T> list(String sql, SqlConnection.Row<T> reader, Object... values) {
    return connection.list(sql, reader, values);
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
    connection.close();
  }
}
