package io.elastune.executor.journal;

import java.lang.reflect.RecordComponent;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;

/** Values of columns by name, to insert or update a row. An empty optional is written as NULL. */
public final class ColumnValues {
  private final Map<String, Optional<Object>> values = new LinkedHashMap<>();

  /** Sets a column. */
  public ColumnValues set(String column, Object value) {
    values.put(column, plain(value));
    return this;
  }

  /** Sets the columns that {@link RowMapper} reads the components of a record from. */
  public ColumnValues setAll(Record record) {
    for (RecordComponent component : record.getClass().getRecordComponents()) {
      try {
        set(
            RowMapper.column(component, component.getType()),
            Objects.requireNonNull(component.getAccessor().invoke(record)));
      } catch (ReflectiveOperationException e) {
        throw new IllegalArgumentException("cannot read " + component, e);
      }
    }
    return this;
  }

  /** Returns the names of the columns in the order in which they were set. */
  Set<String> names() {
    return values.keySet();
  }

  /** Returns the values in the same order. */
  List<Optional<Object>> values() {
    return List.copyOf(values.values());
  }

  private static Optional<Object> plain(Object value) {
    if (value instanceof Optional<?> optional) {
      return optional.flatMap(ColumnValues::plain);
    }
    if (value instanceof OptionalDouble number) {
      return number.isPresent() ? Optional.of(number.getAsDouble()) : Optional.empty();
    }
    if (value instanceof OptionalInt number) {
      return number.isPresent() ? Optional.of(number.getAsInt()) : Optional.empty();
    }
    if (value instanceof Instant instant) {
      return Optional.of(instant.toEpochMilli());
    }
    if (value instanceof Boolean flag) {
      return Optional.of(flag ? 1 : 0);
    }
    return Optional.of(value instanceof Enum<?> word ? WireNames.word(word) : value);
  }

  /** Sets the parameters of a statement. */
  static void bind(PreparedStatement statement, List<?> values) throws SQLException {
    for (int i = 0; i < values.size(); i++) {
      statement.setObject(i + 1, plain(values.get(i)).orElse(null));
    }
  }
}
