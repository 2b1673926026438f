package io.elastune.executor.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.protocol.ReportLine.InvalidReport;
import io.elastune.executor.protocol.ReportLine.Report;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReportParserTest {
  @Test
  void readsUnitAndMetrics() {
    assertThat(
            ReportParser.parse("ELASTUNE {\"unit\": 3, \"metrics\": {\"acc\": 0.91, \"loss\": 2}}"))
        .contains(new Report(3, Map.of("acc", 0.91, "loss", 2.0), false));
  }

  @Test
  void readsWhetherTheTrialIsDone() {
    assertThat(ReportParser.parse("ELASTUNE {\"unit\": 3, \"metrics\": {}, \"done\": true}"))
        .contains(new Report(3, Map.of(), true));
    assertThat(ReportParser.parse("ELASTUNE {\"unit\": 3, \"metrics\": {}, \"done\": false}"))
        .contains(new Report(3, Map.of(), false));
  }

  @Test
  void unknownFieldsAreIgnored() {
    assertThat(ReportParser.parse("ELASTUNE {\"unit\": 3, \"metrics\": {}, \"seconds\": 7}"))
        .contains(new Report(3, Map.of(), false));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "ELASTUNE", "ELASTUNE{\"unit\": 1}", " ELASTUNE {}", "elastune {}", "epoch 1"})
  void linesWithoutThePrefixAreLog(String line) {
    assertThat(ReportParser.parse(line)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "hello",
        "[]",
        "7",
        "null",
        "{",
        "{}",
        "{\"unit\": 1}",
        "{\"unit\": 1.5, \"metrics\": {}}",
        "{\"unit\": \"1\", \"metrics\": {}}",
        "{\"unit\": 99999999999, \"metrics\": {}}",
        "{\"unit\": 1, \"metrics\": []}",
        "{\"unit\": 1, \"unit\": 2, \"metrics\": {}}",
        "{\"unit\": 1, \"metrics\": {}, \"done\": 1}",
        "{\"unit\": 1, \"metrics\": {}, \"done\": null}"
      })
  void invalidReportsAreUnreadable(String rest) {
    assertThat(ReportParser.parse(ReportLine.PREFIX + rest))
        .hasValueSatisfying(line -> assertThat(line).isInstanceOf(InvalidReport.class));
  }

  @Test
  void valuesThatAreNoNumbersAreLeftOut() {
    assertThat(
            ReportParser.parse(
                "ELASTUNE {\"unit\": 1, \"metrics\": {\"loss\": 0.5, \"name\": \"model-3.pt\","
                    + " \"matrix\": [[5, 1], [0, 6]], \"ok\": true, \"lr\": null}}"))
        .contains(
            new Report(
                1,
                Map.of("loss", 0.5, "lr", Double.NaN),
                false,
                Map.of("name", "text", "matrix", "a list", "ok", "true or false")));
  }

  @Test
  void nestedMetricsHaveThePathOfTheirNames() {
    assertThat(
            ReportParser.parse(
                "ELASTUNE {\"unit\": 1, \"metrics\": {\"val\": {\"acc\": 0.5, \"top\": {\"5\": 1},"
                    + " \"name\": \"x\"}, \"val/acc\": 0.7, \"none\": {}}}"))
        .contains(
            new Report(
                1, Map.of("val/acc", 0.7, "val/top/5", 1.0), false, Map.of("val/name", "text")));
  }

  @Test
  void textAfterTheReportIsNoPartOfIt() {
    assertThat(ReportParser.parse("ELASTUNE {\"unit\": 1, \"metrics\": {}} and more"))
        .contains(new Report(1, Map.of(), false));
  }

  @Test
  void deepNestingDoesNotOverflow() {
    assertThat(ReportParser.parse(ReportLine.PREFIX + "[".repeat(60_000)))
        .hasValueSatisfying(line -> assertThat(line).isInstanceOf(InvalidReport.class));
  }

  @Test
  void problemIsShortAndTerminalSafe() {
    ReportLine line = ReportParser.parse("ELASTUNE \u001b[31m" + "x".repeat(5000)).orElseThrow();

    assertThat(((InvalidReport) line).problem()).hasSizeLessThan(500).doesNotContain("\u001b");
  }

  @Test
  void repeatedNameIsExplainedWithoutNamesOfLibraries() {
    InvalidReport invalid =
        (InvalidReport)
            ReportParser.parse("ELASTUNE {\"unit\": 1, \"unit\": 2, \"metrics\": {}}")
                .orElseThrow();

    assertThat(invalid.problem()).startsWith("Duplicate property \"unit\": ELASTUNE {");
  }
}
