package io.elastune.cli.imports;

import io.elastune.cli.imports.OptunaStudy.StoredTrial;
import io.elastune.core.config.yaml.ListNode;
import io.elastune.executor.journal.SqlConnection;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the studies of Optuna in a database of SQLite. */
final class OptunaDatabase {
  private static final String NAMES = "study:metric_names";

  private final SqlConnection connection;

  private OptunaDatabase(SqlConnection connection) {
    this.connection = connection;
  }

  private record Stored(long id, String name) {}

  /** A row of a trial and a hyperparameter. */
  private record Parameter(long trial, String name, double value, String distribution) {}

  /** A file that cannot be read as a database of Optuna. */
  static final class ReadException extends RuntimeException {
    private static final long serialVersionUID = 1;
    private static final int BUSY = 5;
    private static final int LOCKED = 6;
    private static final int READ_ONLY = 8;
    private static final int CANNOT_OPEN = 14;

    ReadException(SQLException cause) {
      super(reason(cause), cause);
    }

    private static String reason(SQLException cause) {
      return switch (cause.getErrorCode()) {
        case BUSY, LOCKED ->
            "cannot be read: another program writes it; import a copy, or try again later";
        case READ_ONLY, CANNOT_OPEN ->
            "cannot be read: SQLite needs a folder that you can write; import a copy, together with"
                + " its file -wal if there is one";
        default -> "is no database of Optuna: " + cause.getMessage();
      };
    }
  }

  /**
   * Returns all studies.
   *
   * @throws ReadException if it cannot be read, or is no database of Optuna
   */
  static List<OptunaStudy> read(Path file) {
    try (SqlConnection connection =
        SqlConnection.open(file, true, (verb, cause) -> new ReadException(cause))) {
      OptunaDatabase database = new OptunaDatabase(connection);
      return connection
          .list(
              "SELECT study_id, study_name FROM studies ORDER BY study_id",
              row -> new Stored(row.getLong(1), row.getString(2)))
          .stream()
          .map(database::study)
          .toList();
    } catch (SQLException e) {
      throw new ReadException(e);
    }
  }

  private OptunaStudy study(Stored stored) {
    Map<Long, StoredTrial> trials = new LinkedHashMap<>();
    connection
        .list(
            "SELECT trial_id, state FROM trials WHERE study_id = ? ORDER BY trial_id",
            row -> Map.entry(row.getLong(1), "COMPLETE".equals(row.getString(2))),
            stored.id())
        .forEach(one -> trials.put(one.getKey(), new StoredTrial(one.getValue())));
    List<Parameter> parameters =
        connection.list(
            "SELECT p.trial_id, p.param_name, p.param_value, p.distribution_json FROM trial_params"
                + " p JOIN trials t ON t.trial_id = p.trial_id WHERE t.study_id = ?"
                + " ORDER BY p.param_id",
            row ->
                new Parameter(row.getLong(1), row.getString(2), row.getDouble(3), row.getString(4)),
            stored.id());
    for (Parameter one : parameters) {
      StoredTrial trial = trials.get(one.trial());
      if (trial != null) {
        trial.suggest(one.name(), one.distribution(), one.value());
      }
    }
    return new OptunaStudy(
        stored.name(), directions(stored), metrics(stored), new ArrayList<>(trials.values()));
  }

  /** Versions of Optuna before 2.0 have the direction in the table of studies. */
  private List<String> directions(Stored stored) {
    try {
      return connection.list(
          "SELECT direction FROM study_directions WHERE study_id = ? ORDER BY objective",
          row -> row.getString(1),
          stored.id());
    } catch (ReadException e) {
      return connection.list(
          "SELECT direction FROM studies WHERE study_id = ?", row -> row.getString(1), stored.id());
    }
  }

  private List<String> metrics(Stored stored) {
    return connection
        .list(
            "SELECT value_json FROM study_system_attributes WHERE study_id = ? AND key = ?",
            row -> row.getString(1),
            stored.id(),
            NAMES)
        .stream()
        .flatMap(json -> FileTree.find(json).stream())
        .filter(ListNode.class::isInstance)
        .flatMap(list -> ((ListNode) list).items().stream())
        .flatMap(item -> SpaceText.plain(item).stream())
        .toList();
  }
}
