package io.elastune.executor.journal;

import io.elastune.executor.core.Place;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/** What the rows of a journal's tables mean. */
final class Rows {
  private Rows() {}

  static RunReader.Progress progress(ResultSet row) throws SQLException {
    return new RunReader.Progress(
        Instant.ofEpochMilli(row.getLong("at_ms")),
        row.getString("phase"),
        row.getDouble("spent_usd"),
        row.getDouble("forecast_usd"),
        row.getDouble("remaining_s"),
        Sql.instant(row, "began_ms"),
        Sql.instant(row, "completed_ms"),
        Sql.count(row, "exit_code"),
        row.getString("reason"),
        Sql.count(row, "instances_left"));
  }

  static RunReader.Group group(ResultSet row) throws SQLException {
    return new RunReader.Group(
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

  static RunReader.Lease lease(ResultSet row) throws SQLException {
    return new RunReader.Lease(
        row.getString("lease"),
        row.getString("offer"),
        row.getString("grp"),
        row.getString("phase"),
        row.getDouble("usd_per_hour"),
        Instant.ofEpochMilli(row.getLong("requested_ms")),
        Sql.instant(row, "running_ms"),
        Sql.instant(row, "ready_ms"),
        Sql.instant(row, "released_ms"),
        Sql.instant(row, "terminated_ms"),
        row.getDouble("usd"));
  }

  static RunReader.Trial trial(ResultSet row) throws SQLException {
    return new RunReader.Trial(
        row.getInt("trial"),
        row.getString("chain"),
        row.getString("config"),
        row.getString("status"),
        row.getInt("unit"),
        Sql.number(row, "metric"),
        row.getInt("checkpoint"),
        row.getInt("failures"),
        row.getInt("attempts"));
  }

  static RunReader.Attempt attempt(ResultSet row) throws SQLException {
    return new RunReader.Attempt(
        row.getString("attempt"),
        row.getInt("trial"),
        row.getString("grp"),
        row.getInt("from_unit"),
        row.getInt("to_unit"),
        List.of(Json.read(row.getString("leases"), Place[].class)),
        Instant.ofEpochMilli(row.getLong("started_ms")),
        Sql.instant(row, "ended_ms"),
        Sql.count(row, "exit_code"));
  }

  static RunReader.Report report(ResultSet row) throws SQLException {
    return new RunReader.Report(
        row.getString("attempt"),
        row.getInt("trial"),
        row.getInt("unit"),
        Instant.ofEpochMilli(row.getLong("at_ms")),
        Json.numbers(row.getString("metrics")));
  }

  static RunReader.Fault fault(ResultSet row) throws SQLException {
    return new RunReader.Fault(
        Instant.ofEpochMilli(row.getLong("at_ms")),
        row.getInt("trial"),
        row.getString("attempt"),
        row.getString("message"));
  }

  static RunReader.Decision decision(ResultSet row) throws SQLException {
    return new RunReader.Decision(
        Instant.ofEpochMilli(row.getLong("at_ms")),
        row.getString("decision"),
        row.getString("reason"),
        row.getString("numbers"));
  }
}
