package io.elastune.executor.journal;

import io.elastune.executor.core.Place;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** Reads a run's journal, also while its controller writes it. */
public final class RunReader implements AutoCloseable {
  private final Connection connection;

  private RunReader(Connection connection) {
    this.connection = connection;
  }

  /**
   * Opens the journal of a run.
   *
   * @throws JournalException if there is none, or it cannot be read
   */
  public static RunReader open(RunFolder folder) {
    return new RunReader(Journal.open(folder.journal(), true));
  }

  /** How the run stands; times are empty until they have come. */
  public record Progress(
      Instant at,
      String phase,
      double spentUsd,
      double forecastUsd,
      double remainingS,
      Optional<Instant> began,
      Optional<Instant> completed,
      OptionalInt exitCode,
      String reason,
      OptionalInt instancesLeft) {}

  /** One group: what it holds, what was predicted, what came of it. */
  public record Group(
      String name,
      int trials,
      int fromUnit,
      int toUnit,
      String offer,
      int instances,
      int gpusPerTrial,
      int trialsPerGpu,
      OptionalDouble predictedS,
      OptionalDouble predictedUsd,
      Optional<Instant> started,
      Optional<Instant> ended,
      double usd) {}

  /** One lease, from request to confirmed end. */
  public record Lease(
      String lease,
      String offer,
      String group,
      String phase,
      double usdPerHour,
      Instant requested,
      Optional<Instant> running,
      Optional<Instant> ready,
      Optional<Instant> released,
      Optional<Instant> terminated,
      double usd) {}

  /**
   * One trial.
   *
   * @param configText its hyperparameters as JSON: most who look at trials look at no more of them
   */
  public record Trial(
      int trial,
      String chain,
      String configText,
      String status,
      int unit,
      OptionalDouble metric,
      int checkpoint,
      int failures,
      int attempts) {
    /** Its hyperparameters by name. */
    public Map<String, Object> config() {
      return Json.values(configText);
    }
  }

  /** One attempt with its workers' places; {@code ended} is empty while it runs. */
  public record Attempt(
      String attempt,
      int trial,
      String group,
      int from,
      int to,
      List<Place> places,
      Instant started,
      Optional<Instant> ended,
      OptionalInt exitCode) {}

  /** One report of a trial. */
  public record Report(
      String attempt, int trial, int unit, Instant at, Map<String, Double> metrics) {}

  /** One fault of a trial. */
  public record Fault(Instant at, int trial, String attempt, String message) {}

  /**
   * One decision with its reason.
   *
   * @param numbersText the figures that it rests on, as JSON
   */
  public record Decision(Instant at, String decision, String reason, String numbersText) {
    /** The figures that it rests on, by name. */
    public Map<String, Double> numbers() {
      return Json.numbers(numbersText);
    }
  }

  /** Who has, or had, the run: a process. */
  public record Controller(long pid, Instant started) {}

  /** The run's controllers, the latest last. */
  public List<Controller> controllers() {
    String sql = "SELECT pid, started_ms FROM controller ORDER BY id";
    return Sql.list(
        connection,
        sql,
        row -> new Controller(row.getLong(1), Instant.ofEpochMilli(row.getLong(2))));
  }

  /** Whether nothing was ever committed: its controller has ended while it made the journal. */
  public static boolean isBlank(RunFolder folder) {
    try (RunReader reader = open(folder)) {
      return Sql.list(reader.connection, "SELECT name FROM sqlite_master", row -> row.getString(1))
          .isEmpty();
    }
  }

  /** What the run is about, by name. */
  public Map<String, String> meta() {
    Map<String, String> meta = new LinkedHashMap<>();
    Sql.list(
        connection,
        "SELECT key, value FROM meta ORDER BY key",
        row -> meta.put(row.getString(1), row.getString(2)));
    return meta;
  }

  /** Dollars of all leases by the simulated world's own meter; empty for a run in the real one. */
  public OptionalDouble meteredUsd() {
    return Sql.list(
            connection,
            "SELECT value FROM meta WHERE key = '" + Journal.METERED_USD + "'",
            row -> Double.parseDouble(row.getString(1)))
        .stream()
        .mapToDouble(usd -> usd)
        .findFirst();
  }

  /** How the run stands. */
  public Progress progress() {
    return Sql.list(connection, "SELECT * FROM progress", Rows::progress).get(0);
  }

  /** All groups in the plan's order. */
  public List<Group> groups() {
    return Sql.list(connection, "SELECT * FROM grp ORDER BY position", Rows::group);
  }

  /** All leases in order of request. */
  public List<Lease> leases() {
    return Sql.list(connection, "SELECT * FROM lease ORDER BY number", Rows::lease);
  }

  /** All trials by number. */
  public List<Trial> trials() {
    return Sql.list(connection, "SELECT * FROM trial ORDER BY trial", Rows::trial);
  }

  /** All attempts in order of their start. */
  public List<Attempt> attempts() {
    return Sql.list(
        connection, "SELECT * FROM attempt ORDER BY started_ms, attempt", Rows::attempt);
  }

  /** All reports in the order in which they came. */
  public List<Report> reports() {
    return Sql.list(connection, "SELECT * FROM report ORDER BY rowid", Rows::report);
  }

  /** All faults of trials in the order in which they happened. */
  public List<Fault> faults() {
    return Sql.list(connection, "SELECT * FROM fault ORDER BY id", Rows::fault);
  }

  /** All decisions in the order in which they were made. */
  public List<Decision> decisions() {
    return Sql.list(connection, "SELECT * FROM decision ORDER BY id", Rows::decision);
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new JournalException("cannot close the journal: " + e.getMessage(), e);
    }
  }
}
