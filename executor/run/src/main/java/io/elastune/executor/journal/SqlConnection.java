package io.elastune.executor.journal;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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
import java.util.Objects;
import java.util.Properties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection to a file of SQLite, which executes statements. A statement that fails throws the
 * exception that its {@link FailureFactory} creates.
 */
public final class SqlConnection implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SqlConnection.class);
  private static final String READ_ONLY = "1"; // SQLITE_OPEN_READONLY

  private final Connection connection;
  private final FailureFactory failures;

  private SqlConnection(Connection connection, FailureFactory failures) {
    this.connection = connection;
    this.failures = failures;
  }

  /** Creates the exceptions of statements that fail. */
  public interface FailureFactory {
    /**
     * Creates the exception.
     *
     * @param verb what failed: write, read or close
     */
    RuntimeException of(String verb, SQLException cause);
  }

  /** Reads one row. */
  public interface Row<T> {
    /** Reads the present row. */
    T read(ResultSet row) throws SQLException;
  }

  /** Creates the reader of the rows of a result. */
  private interface Rows<T> {
    Row<T> reader(ResultSet rows) throws SQLException;
  }

  /**
   * Opens a file, whose path may contain any character. Statements wait up to 5 s for other
   * processes that use it.
   *
   * @param readOnly whether statements must not write
   * @param failures creates the exceptions of statements
   * @throws SQLException if it cannot be opened
   */
  public static SqlConnection open(Path file, boolean readOnly, FailureFactory failures)
      throws SQLException {
    SqliteLibrary.load(Objects.requireNonNull(file.toAbsolutePath().getParent()));
    Properties properties = new Properties();
    if (readOnly) {
      properties.setProperty("open_mode", READ_ONLY);
    }
    SqlConnection opened =
        new SqlConnection(
            DriverManager.getConnection(
                // Escaped, as a question mark would begin options of the driver.
                "jdbc:sqlite:" + file.toAbsolutePath().toUri(), properties),
            failures);
    try {
      opened.run("PRAGMA busy_timeout = 5000");
      return opened;
    } catch (RuntimeException e) {
      opened.connection.close();
      throw e;
    }
  }

  /** Returns the statements in a resource of a class, without comments. */
  public static String script(Class<?> owner, String name) {
    try (InputStream in = owner.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is missing");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).replaceAll("--[^\n]*", "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Executes statements that are separated by semicolons. */
  public void runAll(String script) {
    for (String statement : script.split(";", -1)) {
      if (!statement.isBlank()) {
        run(statement);
      }
    }
  }

  /** Begins a transaction now and after each {@link #commit}, not one for each statement. */
  void useTransactions() throws SQLException {
    connection.setAutoCommit(false);
  }

  /** Makes all changes since the last commit durable. */
  void commit() {
    try {
      connection.commit();
    } catch (SQLException e) {
      throw failures.of("write", e);
    }
  }

  /**
   * Discards all changes since the last commit. After some errors, SQLite has already discarded
   * them, and only a transaction begins.
   */
  void rollBack() {
    try {
      connection.rollback();
    } catch (SQLException discarded) {
      beginAgain();
    }
  }

  /**
   * Writes all that was committed to another file, also if its own file was deleted. Afterwards,
   * this connection can only be closed.
   */
  void copyTo(Path copy) {
    rollBack();
    try {
      connection.setAutoCommit(true);
    } catch (SQLException e) {
      throw failures.of("write", e);
    }
    run("VACUUM INTO ?", copy.toAbsolutePath().toString());
  }

  private void beginAgain() {
    try {
      connection.setAutoCommit(true);
    } catch (SQLException e) {
      LOG.debug("No transaction was active: {}", e.toString());
    }
    try {
      connection.setAutoCommit(false); // begins one
    } catch (SQLException e) {
      throw failures.of("write", e);
    }
  }

  /** Executes a statement. */
  public void run(String sql, Object... values) {
    execute(sql, List.of(values));
  }

  private void execute(String sql, List<?> values) {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      ColumnValues.bind(statement, values);
      statement.execute();
    } catch (SQLException e) {
      throw failures.of("write", e);
    }
  }

  /** Inserts a row. */
  public void insert(String table, ColumnValues row) {
    insert("INSERT", table, row);
  }

  /** Inserts a row in place of one with the same key, if there is one. */
  void replace(String table, ColumnValues row) {
    insert("INSERT OR REPLACE", table, row);
  }

  private void insert(String verb, String table, ColumnValues row) {
    String places = String.join(", ", Collections.nCopies(row.names().size(), "?"));
    String columns = String.join(", ", row.names());
    execute(verb + " INTO " + table + " (" + columns + ") VALUES (" + places + ")", row.values());
  }

  /** Updates columns of the rows in which the column {@code key} has {@code value}. */
  void update(String table, ColumnValues changes, String key, Object value) {
    String assignments = String.join(" = ?, ", changes.names()) + " = ?";
    List<Object> values = new ArrayList<>(changes.values());
    values.add(value);
    execute("UPDATE " + table + " SET " + assignments + " WHERE " + key + " = ?", values);
  }

  /**
   * Returns rows as records; see {@link RowMapper}.
   *
   * @throws JournalException if a record refuses its values, whatever the file is
   */
  public <T> List<T> records(Class<T> type, String sql, Object... values) {
    RowMapper<T> mapper = RowMapper.of(type);
    return query(
        sql,
        values,
        rows -> {
          Map<String, Integer> columns = RowMapper.columns(rows);
          return row -> mapper.read(row, columns);
        });
  }

  /** Returns rows that {@code reader} reads. */
  public <T> List<T> list(String sql, Row<T> reader, Object... values) {
    return query(sql, values, rows -> reader);
  }

  private <T> List<T> query(String sql, Object[] values, Rows<T> readers) {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      ColumnValues.bind(statement, List.of(values));
      List<T> found = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery()) {
        Row<T> reader = readers.reader(rows);
        while (rows.next()) {
          found.add(reader.read(rows));
        }
      }
      return found;
    } catch (SQLException e) {
      throw failures.of("read", e);
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw failures.of("close", e);
    }
  }
}
