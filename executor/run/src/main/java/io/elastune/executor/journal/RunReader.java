package io.elastune.executor.journal;

import io.elastune.core.job.Metric;
import io.elastune.core.job.Search;
import io.elastune.core.offer.Offer;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.GpuSlot;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.engine.CheckpointTimes;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.NodePreparation;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads the journal of a run, even while its controller writes it. */
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

  /**
   * The reason for a decision or for the outcome of the run.
   *
   * @param detailsText its details as JSON, which most callers do not parse
   */
  public record ReasonColumns(ReasonCode code, String detailsText) {
    /** The reason with its details. */
    public DecisionReason reason() {
      try {
        return new DecisionReason(code, JournalJson.strings(detailsText));
      } catch (IllegalArgumentException e) {
        throw JournalException.corrupt(String.valueOf(e.getMessage()));
      }
    }

    private static ReasonColumns of(ResultSet row) throws SQLException {
      return new ReasonColumns(WireNames.reason(row.getString("reason")), row.getString("details"));
    }
  }

  /** The status of the run; times are empty until they are known. */
  public record ProgressRow(
      Instant at,
      RunState.Phase phase,
      double spentUsd,
      double forecastUsd,
      double remainingS,
      Optional<Instant> began,
      Optional<Instant> completed,
      Optional<RunOutcome> outcome,
      Optional<ReasonColumns> reasonColumns,
      OptionalInt instancesLeft) {
    /** Why the run did not complete as planned; empty while nothing is wrong. */
    public Optional<DecisionReason> reason() {
      return reasonColumns.map(ReasonColumns::reason);
    }

    /** The exit code, once finished. */
    public OptionalInt exitCode() {
      return outcome.stream().mapToInt(RunOutcome::exitCode).findFirst();
    }

    private static RunOutcome outcome(int exitCode) {
      try {
        return RunOutcome.ofExitCode(exitCode);
      } catch (IllegalArgumentException e) {
        throw JournalException.corrupt("unknown exit code " + exitCode);
      }
    }

    private static ProgressRow of(ResultSet row) throws SQLException {
      return new ProgressRow(
          Instant.ofEpochMilli(row.getLong("at_ms")),
          WireNames.constant(RunState.Phase.class, row.getString("phase")),
          row.getDouble("spent_usd"),
          row.getDouble("forecast_usd"),
          row.getDouble("remaining_s"),
          Sql.instant(row, "began_ms"),
          Sql.instant(row, "completed_ms"),
          Sql.count(row, "exit_code").stream().mapToObj(ProgressRow::outcome).findFirst(),
          row.getString("reason") == null ? Optional.empty() : Optional.of(ReasonColumns.of(row)),
          Sql.count(row, "instances_left"));
    }
  }

  /** One trial group: its allocation, prediction and result. */
  public record GroupRow(
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
      double usd) {
    private static GroupRow of(ResultSet row) throws SQLException {
      return new GroupRow(
          row.getString("name"),
          row.getInt("trials"),
          row.getInt("from_unit"),
          row.getInt("to_unit"),
          row.getString("offer"),
          row.getInt("instances"),
          row.getInt("gpus_per_trial"),
          row.getInt("trials_per_gpu"),
          Sql.number(row, "predicted_s"),
          Sql.number(row, "predicted_usd"),
          Sql.instant(row, "started_ms"),
          Sql.instant(row, "ended_ms"),
          row.getDouble("usd"));
    }
  }

  /**
   * How an instance was prepared.
   *
   * @param zone the zone in which it runs; empty if the provider did not report it
   * @param setupS the seconds of its boot that the setup took; empty if they are unknown
   * @param imageS the seconds of its setup that the image took; empty if there was none
   */
  public record PreparationRow(
      Optional<String> zone, OptionalDouble setupS, OptionalDouble imageS) {
    /** Nothing is known. */
    public static final PreparationRow UNKNOWN = of(NodePreparation.UNKNOWN);

    private static PreparationRow of(NodePreparation preparation) {
      return new PreparationRow(preparation.zone(), preparation.setupS(), preparation.imageS());
    }
  }

  /** One lease, from request to confirmed end. */
  public record LeaseRow(
      String lease,
      String offer,
      String group,
      LeaseState.Phase phase,
      double usdPerHour,
      Instant requested,
      Optional<Instant> running,
      Optional<Instant> ready,
      Optional<Instant> released,
      Optional<Instant> terminated,
      double usd) {
    private static LeaseRow of(ResultSet row) throws SQLException {
      return new LeaseRow(
          row.getString("lease"),
          row.getString("offer"),
          row.getString("grp"),
          WireNames.constant(LeaseState.Phase.class, row.getString("phase")),
          row.getDouble("usd_per_hour"),
          Instant.ofEpochMilli(row.getLong("requested_ms")),
          Sql.instant(row, "running_ms"),
          Sql.instant(row, "ready_ms"),
          Sql.instant(row, "released_ms"),
          Sql.instant(row, "terminated_ms"),
          row.getDouble("usd"));
    }
  }

  /**
   * One trial.
   *
   * @param configText its hyperparameters as JSON, which most callers do not parse
   * @param unit units at the end of the last group that it completed
   * @param endedEarly units after which it ended early, if it did
   * @param parent the trial from which its configuration is derived, if any
   * @param parentUnit units of the checkpoint of that trial from which it started; 0 for none
   * @param proposed whether the sampler proposed its configuration
   */
  public record TrialRow(
      int trial,
      String chain,
      String configText,
      TrialState.Status status,
      int unit,
      OptionalDouble metric,
      int checkpoint,
      int failures,
      int attempts,
      OptionalInt endedEarly,
      OptionalInt parent,
      OptionalInt parentUnit,
      boolean proposed) {
    private static TrialRow of(ResultSet row) throws SQLException {
      return new TrialRow(
          row.getInt("trial"),
          row.getString("chain"),
          row.getString("config"),
          WireNames.constant(TrialState.Status.class, row.getString("status")),
          row.getInt("unit"),
          Sql.number(row, "metric"),
          row.getInt("checkpoint"),
          row.getInt("failures"),
          row.getInt("attempts"),
          Sql.optionalCount(row, "ended_early"),
          Sql.optionalCount(row, "parent"),
          Sql.optionalCount(row, "parent_unit"),
          row.getInt("proposed") == 1);
    }

    /** Orders trials by units trained and then by metric, the best first. */
    public static Comparator<TrialRow> byRank(Metric.Goal goal) {
      double sign = goal == Metric.Goal.MAXIMIZE ? -1 : 1;
      return Comparator.comparingInt(TrialRow::unit)
          .reversed()
          .thenComparingDouble(row -> 0.0 + sign * row.metric().orElse(Double.NaN))
          .thenComparingInt(TrialRow::trial);
    }

    /** Units that it was trained. */
    public int trainedUnits() {
      return endedEarly.orElse(unit);
    }

    /** Returns how its configuration was chosen. */
    public Search.Origin origin(Search search) {
      if (proposed) {
        return Search.Origin.PROPOSED;
      }
      return parent.isPresent() ? Search.Origin.EXPLORED : search.origin(trial);
    }

    /** Its hyperparameters by name. */
    public Map<String, Object> config() {
      return JournalJson.values(configText);
    }
  }

  /** One attempt with the slots of its workers; {@code ended} is empty while it runs. */
  public record AttemptRow(
      String attempt,
      int trial,
      String group,
      int from,
      int to,
      List<GpuSlot> places,
      Instant started,
      Optional<Instant> ended,
      OptionalInt exitCode) {
    private static AttemptRow of(ResultSet row) throws SQLException {
      return new AttemptRow(
          row.getString("attempt"),
          row.getInt("trial"),
          row.getString("grp"),
          row.getInt("from_unit"),
          row.getInt("to_unit"),
          List.of(JournalJson.read(row.getString("leases"), GpuSlot[].class)),
          Instant.ofEpochMilli(row.getLong("started_ms")),
          Sql.instant(row, "ended_ms"),
          Sql.count(row, "exit_code"));
    }
  }

  /** One report of a trial. */
  public record ReportRow(
      String attempt, int trial, int unit, Instant at, Map<String, Double> metrics) {
    private static ReportRow of(ResultSet row) throws SQLException {
      return new ReportRow(
          row.getString("attempt"),
          row.getInt("trial"),
          row.getInt("unit"),
          Instant.ofEpochMilli(row.getLong("at_ms")),
          JournalJson.numbers(row.getString("metrics")));
    }
  }

  /** One fault of a trial. */
  public record FaultRow(Instant at, int trial, String attempt, String message) {
    private static FaultRow of(ResultSet row) throws SQLException {
      return new FaultRow(
          Instant.ofEpochMilli(row.getLong("at_ms")),
          row.getInt("trial"),
          row.getString("attempt"),
          row.getString("message"));
    }
  }

  /**
   * One decision with its reason.
   *
   * @param subject the name of the group that starts; else empty
   * @param numbersText the numbers that it is based on, as JSON
   */
  public record DecisionRow(
      Instant at,
      DecisionKind kind,
      String subject,
      ReasonColumns reasonColumns,
      String numbersText) {
    /** The decision as shown on screens and in JSON output, e.g. {@code start group 2}. */
    public String decision() {
      return kind.label(subject);
    }

    /** The reason with its details. */
    public DecisionReason reason() {
      return reasonColumns.reason();
    }

    private static DecisionRow of(ResultSet row) throws SQLException {
      WireNames.KindAndSubject kind = WireNames.KindAndSubject.of(row.getString("decision"));
      return new DecisionRow(
          Instant.ofEpochMilli(row.getLong("at_ms")),
          kind.kind(),
          kind.subject(),
          ReasonColumns.of(row),
          row.getString("numbers"));
    }

    /** The numbers that it is based on, by name. */
    public Map<String, Double> numbers() {
      return JournalJson.numbers(numbersText);
    }
  }

  /** A process that executes, or executed, the run. */
  public record ControllerRow(long pid, Instant started) {}

  /** The run's controllers, the latest last. */
  public List<ControllerRow> controllers() {
    String sql = "SELECT pid, started_ms FROM controller ORDER BY id";
    return Sql.list(
        connection,
        sql,
        row -> new ControllerRow(row.getLong(1), Instant.ofEpochMilli(row.getLong(2))));
  }

  /**
   * Returns whether nothing was ever committed because the controller ended while it created the
   * journal.
   */
  public static boolean isBlank(RunFolder folder) {
    try (RunReader reader = open(folder)) {
      return Sql.list(reader.connection, "SELECT name FROM sqlite_master", row -> row.getString(1))
          .isEmpty();
    }
  }

  /** The metadata of the run, by key. */
  public Map<String, String> meta() {
    Map<String, String> meta = new LinkedHashMap<>();
    Sql.list(
        connection,
        "SELECT key, value FROM meta ORDER BY key",
        row -> meta.put(row.getString(1), row.getString(2)));
    return meta;
  }

  /** Cost of all leases in USD by the meter of the simulated environment; empty for a real run. */
  public OptionalDouble meteredUsd() {
    return Sql.list(
            connection,
            "SELECT value FROM meta WHERE key = '" + Journal.METERED_USD + "'",
            row -> Double.parseDouble(row.getString(1)))
        .stream()
        .mapToDouble(usd -> usd)
        .findFirst();
  }

  /** The status of the run. */
  public ProgressRow progress() {
    return Sql.list(connection, "SELECT * FROM progress", ProgressRow::of).get(0);
  }

  /** All groups in the plan's order. */
  public List<GroupRow> groups() {
    return Sql.list(connection, "SELECT * FROM grp ORDER BY position", GroupRow::of);
  }

  /** All leases in order of request. */
  public List<LeaseRow> leases() {
    return Sql.list(connection, "SELECT * FROM lease ORDER BY number", LeaseRow::of);
  }

  /** The offers of the run by name, with their prices when it was last started or resumed. */
  public Map<String, Offer> offers() {
    return Sql.list(
            connection,
            "SELECT body FROM definition ORDER BY seq DESC LIMIT 1",
            row -> EventJson.readDefinition(row.getString(1)).offers())
        .get(0);
  }

  /**
   * How the instances were lost that the run had not released, by lease: PREEMPTED, FAILED or
   * LOST_CONTACT.
   */
  public Map<String, String> losses() {
    Map<String, String> losses = new LinkedHashMap<>();
    events(CloudEvent.Lost.class).forEach(event -> losses.put(event.lease(), event.loss().name()));
    return losses;
  }

  /** How the leases that became ready were prepared. */
  public Map<String, PreparationRow> preparations() {
    Map<String, PreparationRow> preparations = new LinkedHashMap<>();
    events(CloudEvent.Ready.class)
        .forEach(
            event ->
                preparations.putIfAbsent(event.lease(), PreparationRow.of(event.preparation())));
    return preparations;
  }

  /** The leases that the cloud refused. */
  public Set<String> refusals() {
    return events(CloudEvent.Refused.class).stream()
        .map(CloudEvent.Refused::lease)
        .collect(Collectors.toSet());
  }

  private <T> List<T> events(Class<T> type) {
    return Sql.list(
        connection,
        "SELECT body FROM event WHERE kind = ? ORDER BY seq",
        row -> JournalJson.read(row.getString(1), type),
        WireNames.event(type));
  }

  /** All trials by number. */
  public List<TrialRow> trials() {
    return Sql.list(connection, "SELECT * FROM trial ORDER BY trial", TrialRow::of);
  }

  /** All attempts in order of their start. */
  public List<AttemptRow> attempts() {
    return Sql.list(
        connection, "SELECT * FROM attempt ORDER BY started_ms, attempt", AttemptRow::of);
  }

  /** All reports in order of arrival. */
  public List<ReportRow> reports() {
    return Sql.list(connection, "SELECT * FROM report ORDER BY rowid", ReportRow::of);
  }

  /** What the engine measured of the checkpoints of attempts that have ended, by attempt. */
  public Map<String, CheckpointTimes> checkpointTimes() {
    Map<String, CheckpointTimes> times = new LinkedHashMap<>();
    events(EngineEvent.Ended.class)
        .forEach(end -> end.checkpoints().ifPresent(one -> times.put(end.attempt(), one)));
    return times;
  }

  /** All faults of trials in chronological order. */
  public List<FaultRow> faults() {
    return Sql.list(connection, "SELECT * FROM fault ORDER BY id", FaultRow::of);
  }

  /** All decisions in chronological order. */
  public List<DecisionRow> decisions() {
    return Sql.list(connection, "SELECT * FROM decision ORDER BY id", DecisionRow::of);
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
