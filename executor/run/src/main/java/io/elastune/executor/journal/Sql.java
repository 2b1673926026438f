package io.elastune.executor.journal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * Executes SQL statements for the journal; a failed statement throws a {@link JournalException}.
 */
final class Sql {
  private static final long NANOS_PER_S = 1_000_000_000;

  private Sql() {}

  /** Reads one row. */
  interface Row<T> {
    T read(ResultSet row) throws SQLException;
  }

  static void run(Connection connection, String sql, Object... values) {
    execute(connection, sql, List.of(values));
  }

  private static void execute(Connection connection, String sql, List<?> values) {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      ColumnValues.bind(statement, values);
      statement.execute();
    } catch (SQLException e) {
      throw new JournalException("cannot write the journal: " + e.getMessage(), e);
    }
  }

  /** Inserts a row. */
  static void insert(Connection connection, String table, ColumnValues row) {
    insert(connection, "INSERT", table, row);
  }

  /** Inserts a row in place of one with the same key, if there is one. */
  static void replace(Connection connection, String table, ColumnValues row) {
    insert(connection, "INSERT OR REPLACE", table, row);
  }

  private static void insert(Connection connection, String verb, String table, ColumnValues row) {
    String places = String.join(", ", Collections.nCopies(row.names().size(), "?"));
    String columns = String.join(", ", row.names());
    execute(
        connection,
        verb + " INTO " + table + " (" + columns + ") VALUES (" + places + ")",
        row.values());
  }

  /** Updates columns of the rows in which the column {@code key} has {@code value}. */
  static void update(
      Connection connection, String table, ColumnValues changes, String key, Object value) {
    String assignments = String.join(" = ?, ", changes.names()) + " = ?";
    List<Object> values = new ArrayList<>(changes.values());
    values.add(value);
    execute(
        connection, "UPDATE " + table + " SET " + assignments + " WHERE " + key + " = ?", values);
  }

  /** Returns rows as records; see {@link RowMapper}. */
  static <T> List<T> records(Connection connection, Class<T> type, String sql, Object... values) {
    RowMapper<T> mapper = RowMapper.of(type);
    return query(
        connection,
        sql,
        values,
        rows -> {
          Map<String, Integer> columns = RowMapper.columns(rows);
          return row -> mapper.read(row, columns);
        });
  }

  /** Returns rows that {@code reader} reads. */
  static <T> List<T> list(Connection connection, String sql, Row<T> reader, Object... values) {
    return query(connection, sql, values, rows -> reader);
  }

  /** Creates the reader of the rows of a result. */
  private interface Rows<T> {
    Row<T> reader(ResultSet rows) throws SQLException;
  }

  private static <T> List<T> query(
      Connection connection, String sql, Object[] values, Rows<T> readers) {
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
      throw new JournalException("cannot read the journal: " + e.getMessage(), e);
    }
  }

  /** Returns nanoseconds since 1970; valid until 2262. */
  static long nanos(Instant at) {
    return Math.addExact(Math.multiplyExact(at.getEpochSecond(), NANOS_PER_S), at.getNano());
  }

  /** Returns the time from {@link #nanos}. */
  static Instant ofNanos(long nanos) {
    return Instant.ofEpochSecond(
        Math.floorDiv(nanos, NANOS_PER_S), Math.floorMod(nanos, NANOS_PER_S));
  }
}
