package io.elastune.executor.journal;

import io.elastune.core.job.Metric;
import io.elastune.core.job.Search;
import io.elastune.core.offer.Offer;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.decision.model.DecisionReason;
import io.elastune.executor.decision.model.GpuSlot;
import io.elastune.executor.decision.model.LeaseState;
import io.elastune.executor.decision.model.Reason;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.engine.CheckpointTimes;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.NodePreparation;
import java.sql.Connection;
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
  public record ReasonColumns(
      @Column("reason") Reason code, @Column("details") String detailsText) {
    /** The reason with its details. */
    public DecisionReason reason() {
      try {
        return new DecisionReason(code, JournalJson.strings(detailsText));
      } catch (IllegalArgumentException e) {
        throw JournalException.corrupt(String.valueOf(e.getMessage()));
      }
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
      @Column("exit_code") Optional<RunOutcome> outcome,
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
      double usd) {}

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
      @Column("grp") String group,
      LeaseState.Phase phase,
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
      @Column("config") String configText,
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

    /** Orders trials by units trained and then by metric, the best first. */
    public static Comparator<TrialRow> byRank(Metric.Goal goal) {
      double sign = goal == Metric.Goal.MAXIMIZE ? -1 : 1;
      return Comparator.comparingInt(TrialRow::unit)
          .reversed()
          .thenComparingDouble(row -> 0.0 + sign * row.metric().orElse(Double.NaN))
          .thenComparingInt(TrialRow::trial);
    }

    /** Returns it as completed, if it waits and has been trained to the last unit. */
    public TrialRow completedAt(int lastUnit) {
      return status != TrialState.Status.WAITING || unit < lastUnit
          ? this
          : new TrialRow(
              trial,
              chain,
              configText,
              TrialState.Status.COMPLETED,
              unit,
              metric,
              checkpoint,
              failures,
              attempts,
              endedEarly,
              parent,
              parentUnit,
              proposed);
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
      @Column("grp") String group,
      @Column("from_unit") int from,
      @Column("to_unit") int to,
      @Column("leases") List<GpuSlot> places,
      Instant started,
      Optional<Instant> ended,
      OptionalInt exitCode) {}

  /** One report of a trial. */
  public record ReportRow(
      String attempt, int trial, int unit, Instant at, Map<String, Double> metrics) {}

  /** One fault of a trial. */
  public record FaultRow(Instant at, int trial, String attempt, String message) {}

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

    /** The numbers that it is based on, by name. */
    public Map<String, Double> numbers() {
      return JournalJson.numbers(numbersText);
    }
  }

  /** The columns of a decision. */
  private record DecisionColumns(
      Instant at, String decision, ReasonColumns reason, String numbers) {
    DecisionRow row() {
      WireNames.KindAndSubject kind = WireNames.KindAndSubject.of(decision);
      return new DecisionRow(at, kind.kind(), kind.subject(), reason, numbers);
    }
  }

  /** A key of the metadata with its value. */
  private record MetaRow(String key, String value) {}

  /** A process that executes, or executed, the run. */
  public record ControllerRow(long pid, Instant started) {}

  /** The run's controllers, the latest last. */
  public List<ControllerRow> controllers() {
    return Sql.records(connection, ControllerRow.class, "SELECT * FROM controller ORDER BY id");
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
    Sql.records(connection, MetaRow.class, "SELECT * FROM meta ORDER BY key")
        .forEach(row -> meta.put(row.key(), row.value()));
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

  /** Returns the deadline in seconds from the start of the run, by its latest definition. */
  public OptionalDouble deadlineS() {
    return Sql.list(
            connection,
            "SELECT body -> '$.deadlineS' FROM definition ORDER BY seq DESC LIMIT 1",
            row -> row.getString(1))
        .stream()
        .filter(json -> !json.equals("null"))
        .mapToDouble(Double::parseDouble)
        .findFirst();
  }

  /** The status of the run. */
  public ProgressRow progress() {
    return Sql.records(connection, ProgressRow.class, "SELECT * FROM progress").get(0);
  }

  /** All groups in the plan's order. */
  public List<GroupRow> groups() {
    return Sql.records(connection, GroupRow.class, "SELECT * FROM grp ORDER BY position");
  }

  /** All leases in order of request. */
  public List<LeaseRow> leases() {
    return Sql.records(connection, LeaseRow.class, "SELECT * FROM lease ORDER BY number");
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
    return Sql.records(connection, TrialRow.class, "SELECT * FROM trial ORDER BY trial");
  }

  /** All attempts in order of their start. */
  public List<AttemptRow> attempts() {
    return Sql.records(
        connection, AttemptRow.class, "SELECT * FROM attempt ORDER BY started_ms, attempt");
  }

  /** The attempts that have not ended, in order of their start. */
  public List<AttemptRow> runningAttempts() {
    return Sql.records(
        connection,
        AttemptRow.class,
        "SELECT * FROM attempt WHERE ended_ms IS NULL ORDER BY started_ms, attempt");
  }

  /** All reports in order of arrival. */
  public List<ReportRow> reports() {
    return Sql.records(connection, ReportRow.class, "SELECT * FROM report ORDER BY rowid");
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
    return Sql.records(connection, FaultRow.class, "SELECT * FROM fault ORDER BY id");
  }

  /** All decisions in chronological order. */
  public List<DecisionRow> decisions() {
    return Sql.records(connection, DecisionColumns.class, "SELECT * FROM decision ORDER BY id")
        .stream()
        .map(DecisionColumns::row)
        .toList();
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
