package io.elastune.executor.journal;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

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

  static void run(Connection connection, String sql, @Nullable Object... values) {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, values);
      statement.execute();
    } catch (SQLException e) {
      throw new JournalException("cannot write the journal: " + e.getMessage(), e);
    }
  }

  static <T> List<T> list(
      Connection connection, String sql, Row<T> reader, @Nullable Object... values) {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      bind(statement, values);
      List<T> rows = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          rows.add(reader.read(row));
        }
      }
      return rows;
    } catch (SQLException e) {
      throw new JournalException("cannot read the journal: " + e.getMessage(), e);
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
      return optional.isPresent() ? plain(optional.get()) : null;
    }
    if (value instanceof OptionalDouble optional) {
      return optional.isPresent() ? optional.getAsDouble() : null;
    }
    if (value instanceof Instant instant) {
      return instant.toEpochMilli();
    }
    return value instanceof Enum<?> word ? WireNames.word(word) : value;
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

  static Optional<Instant> instant(ResultSet row, String column) throws SQLException {
    long millis = row.getLong(column);
    return row.wasNull() ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
  }

  static OptionalDouble number(ResultSet row, String column) throws SQLException {
    double value = row.getDouble(column);
    return row.wasNull() ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  /** Same as {@link #count}, for a column that journals of earlier versions lack. */
  static OptionalInt optionalCount(ResultSet row, String column) throws SQLException {
    ResultSetMetaData columns = row.getMetaData();
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      if (columns.getColumnName(i).equals(column)) {
        return count(row, column);
      }
    }
    return OptionalInt.empty();
  }

  static OptionalInt count(ResultSet row, String column) throws SQLException {
    int value = row.getInt(column);
    return row.wasNull() ? OptionalInt.empty() : OptionalInt.of(value);
  }
}
