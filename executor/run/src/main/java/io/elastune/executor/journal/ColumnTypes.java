package io.elastune.executor.journal;

import io.elastune.executor.decision.model.Reason;
import io.elastune.executor.decision.model.RunOutcome;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How columns of a journal are converted to values. {@link ColumnValues} converts back. */
final class ColumnTypes {
  private static final Map<Type, Conversion> CONVERSIONS =
      Map.of(
          int.class,
          ResultSet::getInt,
          long.class,
          ResultSet::getLong,
          double.class,
          ResultSet::getDouble,
          boolean.class,
          (row, position) -> row.getInt(position) != 0,
          String.class,
          ResultSet::getString,
          Instant.class,
          (row, position) -> Instant.ofEpochMilli(row.getLong(position)),
          Reason.class,
          (row, position) -> WireNames.reason(row.getString(position)),
          RunOutcome.class,
          (row, position) -> outcome(row.getInt(position)));

  private ColumnTypes() {}

  /** Reads the value of a column from a row. */
  interface Conversion {
    @Nullable Object read(ResultSet row, int position) throws SQLException;
  }

  /** Returns the conversion to {@code type}; empty if there is none. */
  static Optional<Conversion> find(Type type) {
    Conversion known = CONVERSIONS.get(type);
    if (known != null) {
      return Optional.of(known);
    }
    if (type instanceof Class<?> raw && raw.isEnum()) {
      return Optional.of((row, position) -> WireNames.anyConstant(raw, row.getString(position)));
    }
    boolean json =
        type instanceof ParameterizedType some
            && (some.getRawType() == Map.class || some.getRawType() == List.class);
    return json
        ? Optional.of((row, position) -> JournalJson.read(row.getString(position), type))
        : Optional.empty();
  }

  private static RunOutcome outcome(int exitCode) {
    try {
      return RunOutcome.ofExitCode(exitCode);
    } catch (IllegalArgumentException e) {
      throw JournalException.corrupt("unknown exit code " + exitCode);
    }
  }
}
