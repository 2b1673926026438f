package io.elastune.executor.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.elastune.executor.decision.model.Reason;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.decision.model.RunOutcome;
import io.elastune.executor.decision.model.TrialState;
import java.net.URI;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RowMapperTest {
  @TempDir Path folder;
  private SqlConnection connection;

  private record WhyRow(@Column("reason") Reason code, String details) {}

  private record All(
      int count,
      long pid,
      double usd,
      boolean proposed,
      String name,
      Instant startedAt,
      TrialState.Status status,
      @Column("exit_code") RunOutcome outcome,
      List<Integer> sizes,
      Map<String, Double> metrics,
      WhyRow why) {}

  private record Optionals(
      OptionalInt fromUnit,
      OptionalDouble metric,
      Optional<Instant> ended,
      Optional<String> zone,
      Optional<RunOutcome> outcome,
      Optional<WhyRow> why) {}

  private record Unknown(URI uri) {}

  @BeforeEach
  void open() {
    connection = Journal.open(folder.resolve("journal.db"), false);
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  @Test
  void readsWhatColumnValuesWrote() {
    connection.run(
        "CREATE TABLE t (usd, count, pid, proposed, name, started_at_ms, status, exit_code, sizes,"
            + " metrics, reason, details)");
    connection.insert(
        "t",
        new ColumnValues()
            .set("count", 3)
            .set("pid", 5_000_000_000L)
            .set("usd", OptionalDouble.of(0.25))
            .set("proposed", true)
            .set("name", Optional.of("grp"))
            .set("started_at_ms", Instant.ofEpochMilli(1_700_000_000_123L))
            .set("status", TrialState.Status.FAILED)
            .set("exit_code", OptionalInt.of(13))
            .set("sizes", "[1,2]")
            .set("metrics", "{\"loss\":0.5}")
            .set("reason", ReasonCode.STOPPED_BY.wireName())
            .set("details", "[]"));
    assertThat(connection.records(All.class, "SELECT * FROM t"))
        .containsExactly(
            new All(
                3,
                5_000_000_000L,
                0.25,
                true,
                "grp",
                Instant.ofEpochMilli(1_700_000_000_123L),
                TrialState.Status.FAILED,
                RunOutcome.ofExitCode(13),
                List.of(1, 2),
                Map.of("loss", 0.5),
                new WhyRow(ReasonCode.STOPPED_BY, "[]")));
  }

  @Test
  void nullAndMissingColumnsAreEmpty() {
    connection.run("CREATE TABLE t (from_unit, metric, ended_ms, reason)");
    connection.insert(
        "t",
        new ColumnValues()
            .set("from_unit", OptionalInt.empty())
            .set("metric", OptionalDouble.empty())
            .set("ended_ms", Optional.empty()));
    Optionals empty =
        new Optionals(
            OptionalInt.empty(),
            OptionalDouble.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    assertThat(connection.records(Optionals.class, "SELECT * FROM t")).containsExactly(empty);
  }

  @Test
  void updatesRowsWithKey() {
    connection.run("CREATE TABLE t (code, details, reason)");
    for (String name : List.of("a", "b")) {
      connection.insert(
          "t",
          new ColumnValues().set("details", name).set("reason", ReasonCode.STOPPED_BY.wireName()));
    }
    ColumnValues change = new ColumnValues().set("details", "c").set("code", 1);
    connection.update("t", change, "details", "b");
    assertThat(connection.records(WhyRow.class, "SELECT * FROM t ORDER BY rowid"))
        .extracting(WhyRow::details)
        .containsExactly("a", "c");
  }

  @Test
  void missingColumnIsReported() {
    connection.run("CREATE TABLE t (reason)");
    connection.insert("t", new ColumnValues().set("reason", ReasonCode.STOPPED_BY.wireName()));
    assertThatExceptionOfType(JournalException.class)
        .isThrownBy(() -> connection.records(WhyRow.class, "SELECT * FROM t"))
        .withMessageContaining("no such column: 'details'");
  }

  @Test
  void unknownConstantsAreCorrupt() {
    connection.run("CREATE TABLE t (reason, details)");
    connection.insert("t", new ColumnValues().set("reason", "no-such-reason").set("details", "[]"));
    assertThatExceptionOfType(JournalException.class)
        .isThrownBy(() -> connection.records(WhyRow.class, "SELECT * FROM t"))
        .matches(JournalException::isCorrupt);
  }

  @Test
  void typeWithoutConversionIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RowMapper.of(Unknown.class))
        .withMessageContaining("java.net.URI");
  }
}
