package io.elastune.executor.journal;

import io.elastune.core.offer.Offer;
import io.elastune.executor.decision.model.AttemptState;
import io.elastune.executor.decision.model.FailureCause;
import io.elastune.executor.engine.CheckpointTimes;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.provisioner.CloudEvent;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads the journal of a run, even while its controller writes it. */
public final class RunReader implements AutoCloseable {
  private final SqlConnection connection;

  private RunReader(SqlConnection connection) {
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

  /** The run's controllers, the latest last. */
  public List<ControllerRow> controllers() {
    return connection.records(ControllerRow.class, "SELECT * FROM controller ORDER BY id");
  }

  /**
   * Returns whether nothing was ever committed because the controller ended while it created the
   * journal.
   */
  public static boolean isBlank(RunFolder folder) {
    try (RunReader reader = open(folder)) {
      return reader
          .connection
          .list("SELECT name FROM sqlite_master", row -> row.getString(1))
          .isEmpty();
    }
  }

  /** The metadata of the run, by key. */
  public Map<String, String> meta() {
    Map<String, String> meta = new LinkedHashMap<>();
    connection
        .records(MetaRow.class, "SELECT * FROM meta ORDER BY key")
        .forEach(row -> meta.put(row.key(), row.value()));
    return meta;
  }

  /** Cost of all leases in USD by the meter of the simulated environment; empty for a real run. */
  public OptionalDouble meteredUsd() {
    return connection
        .list(
            "SELECT value FROM meta WHERE key = '" + Journal.METERED_USD + "'",
            row -> Double.parseDouble(row.getString(1)))
        .stream()
        .mapToDouble(usd -> usd)
        .findFirst();
  }

  /** Returns the deadline in seconds from the start of the run, by its latest definition. */
  public OptionalDouble deadlineS() {
    return connection
        .list(
            "SELECT body -> '$.deadlineS' FROM definition ORDER BY seq DESC LIMIT 1",
            row -> row.getString(1))
        .stream()
        .filter(json -> !json.equals("null"))
        .mapToDouble(Double::parseDouble)
        .findFirst();
  }

  /** The status of the run. */
  public ProgressRow progress() {
    return connection.records(ProgressRow.class, "SELECT * FROM progress").get(0);
  }

  /** All groups in the plan's order. */
  public List<GroupRow> groups() {
    return connection.records(GroupRow.class, "SELECT * FROM grp ORDER BY position");
  }

  /** All leases in order of request. */
  public List<LeaseRow> leases() {
    return connection.records(LeaseRow.class, "SELECT * FROM lease ORDER BY number");
  }

  /** The offers of the run by name, with their prices when it was last started or resumed. */
  public Map<String, Offer> offers() {
    return connection
        .list(
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

  /** The leases whose nodes could not become ready. */
  public Set<String> failedNodes() {
    return events(CloudEvent.PreparationFailed.class).stream()
        .map(CloudEvent.PreparationFailed::lease)
        .collect(Collectors.toSet());
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
    return connection.list(
        "SELECT body FROM event WHERE kind = ? ORDER BY seq",
        row -> JournalJson.read(row.getString(1), type),
        WireNames.event(type));
  }

  /** All trials by number. */
  public List<TrialRow> trials() {
    return connection.records(TrialRow.class, "SELECT * FROM trial ORDER BY trial");
  }

  /** All attempts in order of their start. */
  public List<AttemptRow> attempts() {
    return connection.records(
        AttemptRow.class, "SELECT * FROM attempt ORDER BY started_ms, attempt");
  }

  /** The attempts that have not ended, in order of their start. */
  public List<AttemptRow> runningAttempts() {
    return connection.records(
        AttemptRow.class,
        "SELECT * FROM attempt WHERE ended_ms IS NULL ORDER BY started_ms, attempt");
  }

  /** All reports in order of arrival. */
  public List<ReportRow> reports() {
    return connection.records(ReportRow.class, "SELECT * FROM report ORDER BY rowid");
  }

  /** The last report of each trial that has reported, by trial. */
  public List<ReportRow> lastReports() {
    return connection.records(
        ReportRow.class,
        "SELECT * FROM report WHERE rowid IN (SELECT MAX(rowid) FROM report GROUP BY trial)"
            + " ORDER BY trial");
  }

  /** What the engine measured of the checkpoints of attempts that have ended, by attempt. */
  public Map<String, CheckpointTimes> checkpointTimes() {
    Map<String, CheckpointTimes> times = new LinkedHashMap<>();
    events(EngineEvent.Ended.class)
        .forEach(end -> end.checkpoints().ifPresent(one -> times.put(end.attempt(), one)));
    return times;
  }

  /** The digest of a checkpoint as an attempt of its trial left it last; empty if there is none. */
  public Optional<String> digest(int trial, int unit) {
    return events(EngineEvent.Ended.class).stream()
        .filter(end -> AttemptState.trialOf(end.attempt()) == trial)
        .flatMap(end -> Optional.ofNullable(end.digests().get(unit)).stream())
        .reduce((first, last) -> last);
  }

  /**
   * The most memory that the workers of each attempt used together, as far as it was measured; not
   * of attempts that ran out of it, which did not get what they need.
   */
  public Map<String, Long> memoryBytes() {
    Map<String, Long> bytes = new LinkedHashMap<>();
    events(EngineEvent.Ended.class).stream()
        .filter(end -> end.exitCode() == 0 || !FailureCause.of(end.message()).isOutOfMemory())
        .forEach(end -> end.memoryBytes().ifPresent(most -> bytes.put(end.attempt(), most)));
    return bytes;
  }

  /** All faults of trials in chronological order. */
  public List<FaultRow> faults() {
    return connection.records(FaultRow.class, "SELECT * FROM fault ORDER BY id");
  }

  /** All decisions in chronological order. */
  public List<DecisionRow> decisions() {
    return connection.records(DecisionColumns.class, "SELECT * FROM decision ORDER BY id").stream()
        .map(DecisionColumns::row)
        .toList();
  }

  @Override
  public void close() {
    connection.close();
  }
}
