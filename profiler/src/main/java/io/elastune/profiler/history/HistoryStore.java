package io.elastune.profiler.history;

import io.elastune.core.billing.Billing;
import io.elastune.core.config.ProfileFile;
import io.elastune.core.profile.MeasuredNumber;
import io.elastune.core.profile.Profile;
import io.elastune.executor.journal.ColumnValues;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads and writes the history. Every run is written in one transaction that replaces what was
 * stored of it, so writing it twice has no effect.
 */
public final class HistoryStore implements AutoCloseable {
  private static final List<String> TABLES =
      List.of("run", "prediction", "evidence", "number", "lease", "attempts");

  private final HistoryDatabase database;

  private HistoryStore(HistoryDatabase database) {
    this.database = database;
  }

  /** Returns the file of the history in Elastune's home. */
  public static Path file(Path home) {
    return home.resolve("history.db");
  }

  /**
   * Opens the history in {@code home}, and creates it if it is missing.
   *
   * @throws HistoryException if it cannot be opened
   */
  public static HistoryStore open(Path home) {
    return new HistoryStore(HistoryDatabase.open(file(home)));
  }

  /** Stores a run. */
  public void put(PastRun past) {
    database.transaction(
        () -> {
          TABLES.forEach(
              table -> database.run("DELETE FROM " + table + " WHERE run = ?", past.run()));
          insert(past);
        });
  }

  private void insert(PastRun past) {
    database.insert(
        "run",
        rowOf(past.run())
            .set("job", past.job())
            .set("kind", past.kind())
            .set("simulated", past.simulated())
            .set("ended_ms", past.ended())
            .set("exit_code", past.exitCode())
            .set("code", past.code()));
    past.prediction().ifPresent(this::insert);
    past.evidence().forEach(this::insert);
    past.leases().forEach(lease -> insert(past.run(), lease));
    past.attempts()
        .forEach(counts -> database.insert("attempts", rowOf(past.run()).setAll(counts)));
  }

  /** Returns the columns of a row that belongs to a run. */
  private static ColumnValues rowOf(String run) {
    return new ColumnValues().set("run", run);
  }

  private void insert(PastPrediction past) {
    database.insert(
        "prediction",
        rowOf(past.run())
            .set("p50_s", past.completionS().p50())
            .set("p95_s", past.completionS().p95())
            .set("mean_s", past.completionS().mean())
            .set("p50_usd", past.costUsd().p50())
            .set("p95_usd", past.costUsd().p95())
            .set("mean_usd", past.costUsd().mean())
            .set("actual_s", past.actualS())
            .set("actual_usd", past.actualUsd()));
  }

  private void insert(ProgramEvidence past) {
    Profile profile = past.profile();
    database.insert(
        "evidence",
        rowOf(past.run())
            .set("program", past.program())
            .set("gpu", profile.gpu())
            .set("profile", ProfileFile.write(profile)));
    for (MeasuredNumber number : profile.measured().numbers()) {
      database.insert(
          "number",
          rowOf(past.run())
              .set("gpu", profile.gpu())
              .set("name", number.name())
              .set("value", number.value())
              .set("standard_error", number.standardError())
              .set("observations", number.count()));
    }
  }

  private void insert(String run, PastLease lease) {
    database.insert(
        "lease",
        rowOf(run)
            .set("lease", lease.lease())
            .set("offer", lease.offer())
            .set("place", lease.place())
            .set("instance_type", lease.instanceType())
            .set("market", lease.market())
            .set("setup", lease.setup())
            .set("requested_ms", lease.requested())
            .set("hour", lease.requested().atZone(ZoneOffset.UTC).getHour())
            .set("queue_s", lease.queueS())
            .set("boot_s", lease.bootS())
            .setAll(lease.preparation())
            .set("exposure_s", lease.exposureS())
            .set("outcome", lease.end().word()));
  }

  /** Returns the ids of all runs in the history. */
  public Set<String> runs() {
    return new HashSet<>(database.list("SELECT run FROM run", row -> row.getString(1)));
  }

  /** Returns the evidence of a program, the oldest run first. */
  public List<ProgramEvidence> evidence(String program) {
    return database
        .list(
            "SELECT e.run, r.ended_ms, r.code, e.profile FROM evidence e JOIN run r USING (run)"
                + " WHERE e.program = ? ORDER BY r.ended_ms, e.run",
            row -> evidence(program, row),
            program)
        .stream()
        .flatMap(Optional::stream)
        .toList();
  }

  /** A profile that this version cannot read is no evidence. */
  private static Optional<ProgramEvidence> evidence(String program, ResultSet row)
      throws SQLException {
    String run = row.getString("run");
    Instant ended = Instant.ofEpochMilli(row.getLong("ended_ms"));
    Optional<String> code = Optional.ofNullable(row.getString("code"));
    return ProfileFile.parse(run, row.getString("profile"))
        .match(Optional::of, problems -> Optional.<Profile>empty())
        .map(profile -> new ProgramEvidence(run, ended, code, program, profile));
  }

  /** Returns all predictions, the oldest run first. */
  public List<PastPrediction> predictions() {
    return database.list(
        "SELECT * FROM prediction JOIN run USING (run) ORDER BY ended_ms, run",
        row ->
            new PastPrediction(
                row.getString("run"),
                row.getString("job"),
                Instant.ofEpochMilli(row.getLong("ended_ms")),
                row.getBoolean("simulated"),
                figures(row, "s"),
                figures(row, "usd"),
                HistoryDatabase.number(row, "actual_s"),
                row.getDouble("actual_usd")));
  }

  private static PastPrediction.Figures figures(ResultSet row, String unit) throws SQLException {
    return new PastPrediction.Figures(
        row.getDouble("mean_" + unit), row.getDouble("p50_" + unit), row.getDouble("p95_" + unit));
  }

  /** Returns the provisioning times of all leases, in order of the requests. */
  public List<ProvisioningRow> provisioning() {
    return database.records(
        ProvisioningRow.class,
        "SELECT * FROM lease WHERE queue_s IS NOT NULL ORDER BY requested_ms");
  }

  /** Returns the measured speeds of the GPUs of all instances that were real. */
  public List<CopySpeed> copySpeeds() {
    return database.records(
        CopySpeed.class,
        "SELECT offer, copy_gb_per_s FROM lease JOIN run USING (run)"
            + " WHERE simulated = 0 AND copy_gb_per_s IS NOT NULL");
  }

  /** Returns losses and failures with their exposure, by offer, of all runs that were real. */
  public List<FaultExposure> exposures() {
    String real = " JOIN run r USING (run) WHERE r.simulated = 0 GROUP BY offer";
    String hours = " / " + Billing.SECONDS_PER_HOUR;
    return database.records(
        FaultExposure.class,
        "SELECT l.*, coalesce(a.ended, 0) AS attempts, coalesce(a.failed, 0) AS failed_attempts,"
            + " coalesce(a.seconds, 0)"
            + hours
            + " AS attempt_hours FROM (SELECT offer, min(place) AS place, min(market) AS market,"
            + " count(queue_s) AS leases, sum(exposure_s)"
            + hours
            + " AS instance_hours, sum(outcome = 'preempted') AS preempted,"
            + " sum(outcome IN ('failed', 'lost_contact')) AS failed,"
            + " count(boot_s) AS ready, sum(outcome = 'not_ready') AS not_ready,"
            + " sum(outcome = 'refused') AS refused FROM lease"
            + real
            + ") l LEFT JOIN (SELECT offer, sum(ended) AS ended, sum(failed) AS failed,"
            + " sum(exposure_s) AS seconds FROM attempts"
            + real
            + ") a ON a.offer = l.offer ORDER BY l.offer");
  }

  /** Returns the attempts of the runs of a job that were real, by offer. */
  public List<AttemptCounts> attempts(String job) {
    return database.records(
        AttemptCounts.class,
        "SELECT offer, sum(ended) AS ended, sum(failed) AS failed, sum(exposure_s) AS exposure_s"
            + " FROM attempts JOIN run USING (run) WHERE simulated = 0 AND job = ?"
            + " GROUP BY offer ORDER BY offer",
        job);
  }

  @Override
  public void close() {
    database.close();
  }
}
