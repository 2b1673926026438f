package io.elastune.executor.journal;

import io.elastune.core.field.CanonicalConstructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Maps the rows of a query to records. A component is read from the column with its name in snake
 * case, with {@code _ms} for a time, or from its {@link Column}. A component that is a record is
 * read from columns of the same row. An optional component is empty if its column, or the first
 * column of its record, is NULL, or if the table has no such column because an earlier version
 * created it.
 */
final class RowMapper<T> {
  private final CanonicalConstructor<T> constructor;
  private final List<Cell> cells;

  private RowMapper(CanonicalConstructor<T> constructor, List<Cell> cells) {
    this.constructor = constructor;
    this.cells = cells;
  }

  /** Reads the value of a component from a row, beginning at {@code position}. */
  private interface CellReader {
    @Nullable Object read(ResultSet row, int position, Map<String, Integer> columns)
        throws SQLException;
  }

  /**
   * The part of a row that one component is read from.
   *
   * @param column the first of its columns
   * @param absent the value if that is NULL or missing; empty for a component that is not optional
   */
  private record Cell(String column, CellReader reader, Optional<Object> absent) {
    @Nullable Object read(ResultSet row, Map<String, Integer> columns) throws SQLException {
      Integer position = columns.get(column);
      if (absent.isPresent() && (position == null || row.getObject(position) == null)) {
        return absent.get();
      }
      if (position == null) {
        throw new SQLException("no such column: '" + column + "'");
      }
      return reader.read(row, position, columns);
    }
  }

  /**
   * Returns the mapper to a type of records.
   *
   * @throws IllegalArgumentException if a component has a type without a conversion
   */
  static <T> RowMapper<T> of(Class<T> type) {
    CanonicalConstructor<T> constructor = CanonicalConstructor.of(type);
    return new RowMapper<>(
        constructor, constructor.components().stream().map(RowMapper::cell).toList());
  }

  private static Cell cell(RecordComponent component) {
    Type type = component.getGenericType();
    if (type == OptionalInt.class) {
      return new Cell(
          column(component, type),
          (row, position, columns) -> OptionalInt.of(row.getInt(position)),
          Optional.of(OptionalInt.empty()));
    }
    if (type == OptionalDouble.class) {
      return new Cell(
          column(component, type),
          (row, position, columns) -> OptionalDouble.of(row.getDouble(position)),
          Optional.of(OptionalDouble.empty()));
    }
    if (type instanceof ParameterizedType some && some.getRawType() == Optional.class) {
      Cell value = required(component, some.getActualTypeArguments()[0]);
      return new Cell(
          value.column(),
          (row, position, columns) ->
              Optional.ofNullable(value.reader().read(row, position, columns)),
          Optional.of(Optional.empty()));
    }
    return required(component, type);
  }

  private static Cell required(RecordComponent component, Type type) {
    Optional<ColumnTypes.Conversion> conversion = ColumnTypes.find(type);
    if (conversion.isPresent()) {
      return new Cell(
          column(component, type),
          (row, position, columns) -> conversion.get().read(row, position),
          Optional.empty());
    }
    if (type instanceof Class<?> raw && raw.isRecord()) {
      RowMapper<?> inner = RowMapper.of(raw);
      return new Cell(
          inner.cells.get(0).column(),
          (row, position, columns) -> inner.read(row, columns),
          Optional.empty());
    }
    throw new IllegalArgumentException("no conversion to " + type + " for " + component);
  }

  /** Returns the name of the column of a component with a value of {@code type}. */
  static String column(RecordComponent component, Type type) {
    Column named = component.getAnnotation(Column.class);
    if (named != null) {
      return named.value();
    }
    String snake = CanonicalConstructor.snakeCase(component.getName());
    return type == Instant.class ? snake + "_ms" : snake;
  }

  /** Returns the position of each column by name. */
  static Map<String, Integer> columns(ResultSet rows) throws SQLException {
    ResultSetMetaData data = rows.getMetaData();
    Map<String, Integer> columns = new HashMap<>();
    for (int i = 1; i <= data.getColumnCount(); i++) {
      columns.put(data.getColumnName(i), i);
    }
    return columns;
  }

  /**
   * Returns the present row as a record, with the positions from {@link #columns}.
   *
   * @throws JournalException if the record refuses its values
   */
  T read(ResultSet row, Map<String, Integer> columns) throws SQLException {
    @Nullable Object[] values = new Object[cells.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = cells.get(i).read(row, columns);
    }
    try {
      return constructor.create(values);
    } catch (RuntimeException e) {
      throw JournalException.corrupt(e.toString());
    }
  }
}
