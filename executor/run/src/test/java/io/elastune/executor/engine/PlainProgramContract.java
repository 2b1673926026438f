package io.elastune.executor.engine;

import static io.elastune.executor.engine.TrialScripts.lib;
import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.job.Metric;
import io.elastune.executor.engine.EngineEvent.Ended;
import io.elastune.executor.engine.EngineEvent.Reported;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * The contract of engines with real processes: how they read the reports and the metric of programs
 * that other code prints beside.
 */
public abstract class PlainProgramContract extends EngineTestBase {
  private static final String LOSS = "loss";

  protected PlainProgramContract() {}

  protected PlainProgramContract(String run) {
    super(run);
  }

  private AttemptSpec plain(String command, Optional<String> pattern, Optional<String> from) {
    Metric metric =
        new Metric(LOSS, Metric.Goal.MINIMIZE, pattern, from, Optional.of(Metric.Scope.LAST));
    return AttemptSpecBuilder.builder(spec(ATTEMPT, 0, 1, command, 1))
        .metric(Optional.of(metric))
        .resumable(false)
        .build();
  }

  @Test
  void reportsAreFoundBehindOtherOutput() {
    engine.start(spec(ATTEMPT, 0, 2, lib("printf ' 50%%|## |'; report 1; printf .; train"), 1));

    assertThat(awaitEnd(ATTEMPT).exitCode()).isZero();
    assertThat(events.reports(ATTEMPT)).extracting(Reported::unit).startsWith(1).endsWith(2);
    assertThat(events.faults(ATTEMPT)).isEmpty();
  }

  @Test
  void reportChannelReplacesStandardOutput() {
    engine.start(
        spec(
            ATTEMPT,
            0,
            2,
            lib("train >> \"$ELASTUNE_REPORTS\"; printf '{\"unit\": 2, \"metrics\": {}}'"),
            1));
    Ended ended = awaitEnd(ATTEMPT);

    assertThat(ended.exitCode()).isZero();
    assertThat(ended.checkpoint()).hasValue(2);
    assertThat(events.reports(ATTEMPT)).extracting(Reported::unit).containsExactly(1, 2);
  }

  @Test
  void limitOfALineIsNamedWhereAReportExceedsIt() {
    for (String redirected : new String[] {"", " >> \"$ELASTUNE_REPORTS\""}) {
      String attempt = ATTEMPT + redirected.length();
      String report = "printf 'ELASTUNE {\"unit\": 1, \"x\": \"%070000d\"}\\n' 0";
      engine.start(plain(attempt, report + redirected));

      assertThat(awaitEnd(attempt).message())
          .contains("one cannot be read: it is longer than the limit of 64 KiB: ELASTUNE {");
      assertThat(events.faults(attempt)).singleElement().asString().contains("64 KiB");
    }
  }

  private AttemptSpec plain(String attempt, String command) {
    return AttemptSpecBuilder.builder(spec(attempt, 0, 1, command, 1)).resumable(false).build();
  }

  /** The pipes are two, so what is written first must not depend on which is read first. */
  @Test
  void outputAfterTheFirstReportOfTheChannelIsNoReport() {
    for (int i = 0; i < 20; i++) {
      String attempt = ATTEMPT + i;
      String both =
          "echo '{\"unit\": 1, \"metrics\": {\"loss\": 1}}' >> \"$ELASTUNE_REPORTS\"; "
              + "echo 'ELASTUNE {\"unit\": 1, \"metrics\": {\"loss\": 77}}'; train";
      engine.start(spec(attempt, 0, 1, lib(both), 1));
      assertThat(awaitEnd(attempt).exitCode()).isZero();
      assertThat(events.reports(attempt))
          .extracting(report -> report.metrics().get(LOSS))
          .first()
          .isEqualTo(1.0);
    }
  }

  @Test
  void patternFindsTheMetric() {
    engine.start(
        plain(
            "echo 'loss = 0.5'; echo 'loss = 0.25' >&2; exit 0",
            Optional.of("loss = (.*)"),
            Optional.empty()));

    assertThat(awaitEnd(ATTEMPT).exitCode()).isZero();
    assertThat(events.reports(ATTEMPT))
        .singleElement()
        .satisfies(report -> assertThat(report.unit()).isEqualTo(1))
        .satisfies(report -> assertThat(report.metrics()).containsOnlyKeys(LOSS));
  }

  @Test
  void lastJsonLineHasTheMetric() {
    engine.start(
        plain("echo '{\"loss\": 0.5, \"n\": {\"a\": 1}}'", Optional.empty(), Optional.empty()));

    awaitEnd(ATTEMPT);
    assertThat(events.reports(ATTEMPT))
        .extracting(Reported::metrics)
        .containsExactly(Map.of(LOSS, 0.5, "n/a", 1.0));
  }

  @Test
  void fileHasTheMetric() {
    engine.start(
        plain(
            "mkdir -p out && echo '{\"loss\": 0.5}' > out/m.json",
            Optional.empty(),
            Optional.of("out/m.json")));

    awaitEnd(ATTEMPT);
    assertThat(events.reports(ATTEMPT))
        .extracting(Reported::metrics)
        .containsExactly(Map.of(LOSS, 0.5));
  }

  @Test
  void missingMetricIsExplained() {
    engine.start(plain("echo nothing", Optional.empty(), Optional.of("out/no.json")));

    Ended ended = awaitEnd(ATTEMPT);
    assertThat(ended.exitCode()).isZero();
    assertThat(ended.message())
        .contains("found no report on its standard output; out/no.json does not exist")
        .endsWith("; last lines:\nnothing");
    assertThat(events.reports(ATTEMPT)).isEmpty();
  }

  @Test
  void checkpointOfTheBestUnitIsKept() {
    Metric metric =
        new Metric(
            "acc",
            Metric.Goal.MAXIMIZE,
            Optional.empty(),
            Optional.empty(),
            Optional.of(Metric.Scope.BEST));
    String script =
        "save 1; report 1 0.5; save 2; report 2 0.9; save 3; report 3 0.1; save 4; report 4 0.2";
    AttemptSpec first =
        AttemptSpecBuilder.builder(spec("7-1-1", 0, 4, lib(script), 1))
            .metric(Optional.of(metric))
            .build();
    engine.start(first);
    assertThat(awaitEnd("7-1-1").checkpoint()).hasValue(4);
    AttemptSpec again =
        AttemptSpecBuilder.builder(spec("7-2-1", 2, 3, lib("save 3; report 3"), 1))
            .metric(Optional.of(metric))
            .build();
    engine.start(again); // it could not start without the checkpoint

    assertThat(awaitEnd("7-2-1").exitCode()).isZero();
    assertThat(events.reports("7-2-1")).hasSize(1);
  }
}
