package io.elastune.cli.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.job.Metric;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.journal.FaultRow;
import io.elastune.executor.journal.GroupRow;
import io.elastune.executor.journal.ProgressRow;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunMeta;
import io.elastune.executor.journal.RunMetaBuilder;
import io.elastune.executor.journal.TrialRow;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RunRecordTest {
  private static TrialRow trial(int number, int unit, double metric) {
    return new TrialRow(
        number,
        "",
        "{}",
        TrialState.Status.COMPLETED,
        unit,
        OptionalDouble.of(metric),
        0,
        0,
        1,
        OptionalInt.empty(),
        OptionalInt.empty(),
        OptionalInt.empty(),
        false);
  }

  private static RunRecord record(
      Metric.Goal goal, List<TrialRow> trialRows, List<FaultRow> faultRows) {
    RunMeta some = SmallTestJob.meta();
    RunMeta meta = RunMetaBuilder.builder(some).metric(new Metric("acc", goal)).build();
    ProgressRow progressRow =
        new ProgressRow(
            Instant.EPOCH,
            RunState.Phase.RUNNING,
            0,
            0,
            0,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            OptionalInt.empty());
    return new RunRecord(
        new RunFolder(Path.of("job-1")),
        meta,
        OptionalDouble.empty(),
        progressRow,
        List.of(),
        List.of(),
        Map.of(),
        trialRows,
        List.of(),
        faultRows,
        List.of(),
        Map.of(),
        OptionalDouble.empty());
  }

  /** Groups of a profiling run that were not chosen have no trials that wait. */
  @Test
  void profilingRunCountsOnlyTheTrialsItHasChosen() {
    RunRecord tuning = record(Metric.Goal.MAXIMIZE, List.of(trial(1, 1, 0.5)), List.of());
    RunRecord profiling = withGroups(tuning, SmallTestJob.profilingMeta());

    assertThat(RunStatus.Trials.of(withGroups(tuning, tuning.meta())).waiting()).isEqualTo(31);
    assertThat(RunStatus.Trials.of(profiling).waiting()).isZero();
    assertThat(profiling.plannedTrials()).isEqualTo(1);
  }

  /** Returns {@code run} as another run with two groups of 16 trials. */
  private static RunRecord withGroups(RunRecord run, RunMeta meta) {
    GroupRow group =
        new GroupRow(
            "1",
            16,
            0,
            3,
            "local/core",
            1,
            1,
            1,
            OptionalDouble.empty(),
            OptionalDouble.empty(),
            Optional.empty(),
            Optional.empty(),
            0);
    return new RunRecord(
        run.folder(),
        meta,
        run.deadlineS(),
        run.progress(),
        List.of(group, group),
        run.leases(),
        run.copyGbPerS(),
        run.trials(),
        run.running(),
        run.faults(),
        run.decisions(),
        run.bestUnits(),
        run.meteredUsd());
  }

  private static int best(Metric.Goal goal, TrialRow... trialRows) {
    return record(goal, List.of(trialRows), List.of()).best().map(TrialRow::trial).orElse(0);
  }

  @Test
  void bestTrialIsTrainedTheLongest() {
    assertThat(best(Metric.Goal.MAXIMIZE, trial(1, 1, 0.9), trial(2, 4, 0.5), trial(3, 4, 0.6)))
        .isEqualTo(3);
    assertThat(best(Metric.Goal.MINIMIZE, trial(1, 1, 0.1), trial(2, 4, 0.5), trial(3, 4, 0.6)))
        .isEqualTo(2);
  }

  @Test
  void tieGoesToTheLowerNumber() {
    assertThat(best(Metric.Goal.MAXIMIZE, trial(2, 4, 0.5), trial(1, 4, 0.5))).isEqualTo(1);
    assertThat(best(Metric.Goal.MINIMIZE, trial(2, 4, -0.0), trial(1, 4, 0.0))).isEqualTo(1);
  }

  @Test
  void bestTrialHasAFiniteMetric() {
    assertThat(
            best(
                Metric.Goal.MAXIMIZE,
                trial(1, 8, Double.NaN),
                trial(2, 8, Double.POSITIVE_INFINITY),
                trial(3, 1, 0.1)))
        .isEqualTo(3);
    assertThat(best(Metric.Goal.MAXIMIZE, trial(1, 8, Double.NaN))).isZero();
  }

  @Test
  void truncatesLongFaultLists() {
    List<FaultRow> faultRows = new ArrayList<>();
    IntStream.rangeClosed(1, 27)
        .forEach(
            trial ->
                faultRows.add(new FaultRow(Instant.EPOCH, trial, trial + "-1-1", "exit " + trial)));
    List<String> lines = new FaultList(record(Metric.Goal.MAXIMIZE, List.of(), faultRows)).lines();
    assertThat(lines).hasSize(26).contains("   trial 24: exit 24");
    assertThat(lines.get(25)).isEqualTo("   and 3 more; all output: elastune logs job-1 --trial N");
  }

  @Test
  void deviationIsPercentOfPrediction() {
    assertThat(GroupTable.deviation(OptionalDouble.of(11), OptionalDouble.of(10)))
        .isEqualTo("+10%");
    assertThat(GroupTable.deviation(OptionalDouble.of(9), OptionalDouble.of(10))).isEqualTo("-10%");
    assertThat(GroupTable.deviation(OptionalDouble.of(10), OptionalDouble.of(10))).isEqualTo("0%");
    assertThat(GroupTable.deviation(OptionalDouble.empty(), OptionalDouble.of(10))).isEqualTo("–");
    assertThat(GroupTable.deviation(OptionalDouble.of(1), OptionalDouble.of(0))).isEqualTo("–");
  }

  @Test
  void numbersHaveAtMostSixDigits() {
    assertThat(ValueFormat.text(0.43000000000000005)).isEqualTo("0.43");
    assertThat(ValueFormat.text(128)).isEqualTo("128");
    assertThat(ValueFormat.text(1.0 / 3)).isEqualTo("0.333333");
    assertThat(ValueFormat.text(0.0000123456789)).isEqualTo("1.23457E-5");
    assertThat(ValueFormat.text(Double.NaN)).isEqualTo("NaN");
    assertThat(ValueFormat.value("adam")).isEqualTo("adam");
  }
}
