package io.elastune.executor.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.job.Metric;
import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.EngineEvent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

class AttemptReportsTest {
  private static final Instant NOW = Instant.EPOCH;
  private static final Metric.Scope LAST = Metric.Scope.LAST;
  private static final Metric.Scope BEST = Metric.Scope.BEST;
  private static final String ESCAPE = "\u001b[0m";

  @TempDir Path folder;

  private final List<EngineEvent> events = new ArrayList<>();
  private final List<String> log = new ArrayList<>();
  private final OmittedMetrics omitted = new OmittedMetrics();
  private final AttemptReports reports = reports();

  @Test
  void reportIsFoundWhereverItBegins() {
    output(" 67%|######| 2/3 [00:00<00:00]" + report(1));
    output("[default0]:" + report(2));
    output("2026-11-28 12:00:00 INFO train: " + report(3));
    output(ESCAPE + report(4) + ESCAPE);
    output("..." + report(5) + " 70%|#######|");

    assertThat(units()).containsExactly(1, 2, 3, 4, 5);
    assertThat(faults()).isEmpty();
    assertThat(log)
        .containsExactly(
            " 67%|######| 2/3 [00:00<00:00]",
            "[default0]:", "2026-11-28 12:00:00 INFO train: ", "... 70%|#######|");
  }

  @Test
  void allReportsOfOneLineCount() {
    output(report(1) + report(2) + "and" + report(3));

    assertThat(units()).containsExactly(1, 2, 3);
    assertThat(log).containsExactly("and");
  }

  @Test
  void damagedReportDoesNotHideTheNextOne() {
    output("ELASTUNE {\"unit\": 1, \"met" + report(2));

    assertThat(units()).containsExactly(2);
    assertThat(faults()).singleElement().asString().contains("cannot be read");
    assertThat(log).containsExactly("ELASTUNE {\"unit\": 1, \"met");
  }

  @Test
  void otherOutputIsLog() {
    output("the word ELASTUNE alone");
    output("ELASTUNE");
    output("{\"unit\": 1, \"metrics\": {}}");

    assertThat(events).isEmpty();
    assertThat(log).hasSize(3);
  }

  @Test
  void usedChannelReplacesStandardOutput() {
    output(report(1));
    channel("");
    output(report(2));
    channel(report(3));
    channel("{\"unit\": 4, \"metrics\": {}}");
    channel("nonsense");

    assertThat(units()).containsExactly(1, 3, 4);
    assertThat(log).containsExactly(report(2));
    assertThat(faults()).singleElement().asString().contains("nonsense");
  }

  @Test
  void metricThatIsNoNumberIsNamedOnce() {
    String text = "ELASTUNE {\"unit\": %d, \"metrics\": {\"loss\": 1, \"best\": \"m.pt\"}}";
    output(text.formatted(1));
    output(text.formatted(2));
    AttemptReports another = reports();
    var unused =
        another.read(bytes(text.formatted(3)), bytes(text.formatted(3)).length, false, NOW);

    assertThat(units()).containsExactly(1, 2, 3);
    assertThat(events)
        .filteredOn(EngineEvent.Reported.class::isInstance)
        .allMatch(it -> ((EngineEvent.Reported) it).metrics().equals(Map.of("loss", 1.0)));
    assertThat(faults()).containsExactly("the metric best is text, not a number: left out");
  }

  @Test
  void findingsNameWhatIsThereInstead() {
    assertThat(reports.foundInstead()).contains("found no report on its standard output");
    output(report(1));
    output(report(3));
    output("x ELASTUNE {oops");
    reports.readErrors(bytes("INFO " + report(9)), bytes("INFO " + report(9)).length);

    assertThat(reports.foundInstead().orElseThrow())
        .startsWith("found 2 reports, the last for unit 3; one cannot be read: ")
        .contains("ELASTUNE {oops")
        .endsWith("; those on standard error do not count");
    output(report(9));
    assertThat(reports.foundInstead()).isEmpty();
  }

  /** The line may end at any place: within numbers, words, names or strings, and between them. */
  @Test
  void limitOfALineIsNamedWhereverItCutsAReport() {
    String entry = "{\"name\": [12.5e-3, true, null, \"x\\ty\"]}, ";
    for (int pad = 0; pad < entry.length(); pad++) {
      String begin = "ELASTUNE {\"unit\": 9, " + " ".repeat(pad) + "\"metrics\": {\"all\": [";
      byte[] line = bytes(begin + entry.repeat(ReportLine.MAX_BYTES / entry.length()));
      AttemptReports cut = reports();
      var unused = cut.read(line, ReportLine.MAX_BYTES, true, NOW);

      assertThat(cut.foundInstead().orElseThrow())
          .as("%s spaces", pad)
          .contains("; one cannot be read: it is longer than the limit of 64 KiB: ELASTUNE");
    }
  }

  @Test
  void limitOfALineIsNamedWhereAReportExceedsIt() {
    String begin = "ELASTUNE {\"unit\": 9, \"metrics\": {\"loss\": 1, \"text\": \"";
    byte[] line = bytes(begin + "x".repeat(ReportLine.MAX_BYTES - begin.length()));
    var unused = reports.read(line, line.length, true, NOW);
    reports.readChannel(line, line.length, true, NOW);

    String problem = "it is longer than the limit of 64 KiB: " + begin.substring(0, 20);
    assertThat(faults())
        .hasSize(2)
        .allMatch(fault -> fault.startsWith("a report cannot be read: " + problem));
    assertThat(reports.foundInstead().orElseThrow()).contains("one cannot be read: " + problem);
  }

  @Test
  void reportBeforeOtherTextOfALongLineCounts() {
    byte[] line = bytes(report(2) + "x".repeat(ReportLine.MAX_BYTES));
    var unused = reports.read(line, ReportLine.MAX_BYTES, true, NOW);

    assertThat(units()).containsExactly(2);
    assertThat(faults()).isEmpty();
  }

  @Test
  void linesThatThePatternCannotBeSearchedInAreNamed() {
    for (boolean found : new boolean[] {true, false}) {
      events.clear();
      AttemptReports all =
          reports(metric(Optional.of("(\\d)(?:a|a)+=\\1"), Optional.empty(), LAST));
      log(all, "3" + "a".repeat(40), "3" + "a".repeat(50), found ? "7a=7" : "b");
      all.complete(true, Optional.empty(), NOW);

      String lines =
          "2 lines were not searched, because search.metric.pattern takes too many steps there;"
              + " without lookahead, lookbehind and back references it does not: \"3aaa";
      assertThat(reported()).isEqualTo(found ? List.of(Map.of("loss", 7.0)) : List.of());
      assertThat(found ? faults() : List.of(all.foundInstead().orElseThrow()))
          .singleElement()
          .asString()
          .contains(lines);
    }
  }

  @Test
  void channelWithoutReportIsNamed() {
    channel("");

    assertThat(reports.foundInstead()).contains("found no report in the file of ELASTUNE_REPORTS");
  }

  @Test
  void lastMatchOfThePatternIsTheReport() {
    AttemptReports found = reports(metric(Optional.of("val loss = (.*)"), Optional.empty(), LAST));
    log(found, "epoch 1: val loss = 0.5 (best)", ESCAPE + "val loss = 3e-1s" + ESCAPE, "done");
    found.complete(true, Optional.empty(), NOW);

    assertThat(reported()).containsExactly(Map.of("loss", 0.3));
    assertThat(units()).containsExactly(9);
    assertThat(found.hasReached(9)).isTrue();
    assertThat(found.foundInstead()).isEmpty();
  }

  @Test
  void bestMatchOfThePatternCountsWithScopeBest() {
    AttemptReports found = reports(metric(Optional.of("loss=(\\S+)"), Optional.empty(), BEST));
    log(found, "loss=0.5 loss=0.2", "loss=nan", "loss=0.4");
    found.complete(true, Optional.empty(), NOW);

    assertThat(reported()).containsExactly(Map.of("loss", 0.2));
  }

  @Test
  void patternWithoutNumberIsNamed() {
    AttemptReports found = reports(metric(Optional.of("loss: (.*)"), Optional.empty(), LAST));
    found.complete(true, Optional.empty(), NOW);
    assertThat(found.foundInstead().orElseThrow())
        .endsWith("; no line of its output matches search.metric.pattern");
    log(found, "loss: high");
    found.complete(true, Optional.empty(), NOW);

    assertThat(events).isEmpty();
    assertThat(found.foundInstead().orElseThrow())
        .endsWith("; search.metric.pattern finds no number, but \"high\"");
  }

  @Test
  void lastJsonLineWithTheMetricIsTheReport() {
    AttemptReports found = reports(metric(Optional.empty(), Optional.empty(), LAST));
    log(
        found,
        "{\"loss\": 0.5}",
        "{\"loss\": 0.25, \"val\": {\"acc\": 1}, \"n\": \"x\"}",
        "{\"a\": 1}");
    found.complete(true, Optional.empty(), NOW);

    assertThat(reported()).containsExactly(Map.of("loss", 0.25, "val/acc", 1.0));
  }

  @Test
  void numberThatMayHaveAnotherValueIsNone() {
    for (String value : List.of("1,234.5", "0,91", "1_000", "1.234.567")) {
      events.clear();
      AttemptReports found = reports(metric(Optional.of("loss: (.*)"), Optional.empty(), LAST));
      log(found, "loss: 2.5", "loss: " + value);
      found.complete(true, Optional.empty(), NOW);

      assertThat(events).as(value).isEmpty();
      assertThat(found.foundInstead().orElseThrow())
          .endsWith(
              "finds no number, but \""
                  + value
                  + "\"; write numbers with a decimal point and no other separators");
    }
    AttemptReports found = reports(metric(Optional.of("loss: (.*)"), Optional.empty(), LAST));
    log(found, "loss: 0.5,0.25");
    found.complete(true, Optional.empty(), NOW);
    assertThat(reported()).containsExactly(Map.of("loss", 0.5));
  }

  @Test
  void namedGroupsOfPythonAreGroups() {
    AttemptReports found =
        reports(metric(Optional.of("\\(?P<val_loss>(\\d), (?P<a_b>\\d)"), Optional.empty(), LAST));
    log(found, "P<val_loss>7, 3");
    found.complete(true, Optional.empty(), NOW);
    assertThat(reported()).containsExactly(Map.of("loss", 7.0));

    found = reports(metric(Optional.of("(?P<val_loss>.*) it"), Optional.empty(), LAST));
    log(found, "4 it");
    found.complete(true, Optional.empty(), NOW);
    assertThat(reported()).contains(Map.of("loss", 4.0));
  }

  @Test
  void jsonObjectMayFollowOtherTextAndTakeSeveralLines() {
    Map<String, String> texts =
        Map.of(
            "bar", "\r 50%|##  |\r100%|####|{\"loss\": 0.5}\r",
            "logging", "INFO:{root}:{\"loss\": 0.5}",
            "torchrun", "[default0]:{\"val\": {\"x\": 1}, \"loss\": 0.5}",
            "indented", "{\r\n  \"val\": {\r\n    \"x\": 1\r\n  },\r\n  \"loss\": 0.5\r\n}\r");
    texts.forEach(
        (name, text) -> {
          events.clear();
          AttemptReports found = reports(metric(Optional.empty(), Optional.empty(), LAST));
          log(found, "{\"loss\": 9}", "{");
          log(found, text.split("\n"));
          log(found, "done {x}", "{", "\"loss\": 3");
          found.complete(true, Optional.empty(), NOW);

          assertThat(reported()).as(name).hasSize(1);
          assertThat(reported().get(0)).as(name).containsEntry("loss", 0.5);
        });
  }

  @Test
  void kindOfOtherMetricIsNamed() {
    AttemptReports found = reports(metric(Optional.empty(), Optional.empty(), LAST));
    log(found, "{\"loss\": \"0.5\", \"acc\": 1}");
    found.complete(true, Optional.empty(), NOW);

    assertThat(found.foundInstead().orElseThrow()).endsWith("no JSON line with loss: it is text");
  }

  @Test
  void foundLinesContinueAfterRestoringStateOfAnEarlierVersion() {
    String json = "{\"last\":null,\"best\":null,\"wrong\":\"\",\"line\":\"{}\",\"other\":\"\"}";
    OutputMetric.State earlier = new JsonMapper().readValue(json, OutputMetric.State.class);
    OutputMetric found = new OutputMetric(metric(Optional.empty(), Optional.empty(), LAST));
    found.restore(earlier);
    found.line("{");
    OutputMetric next = new OutputMetric(metric(Optional.empty(), Optional.empty(), LAST));
    next.restore(found.state());
    next.line(" \"loss\": 1");
    next.line("}");

    assertThat(next.ofLastLine()).contains(Map.of("loss", 1.0));
  }

  @Test
  void jsonLineDoesNotReplaceTheLastReportOfProtocol() {
    AttemptReports found = reports(metric(Optional.empty(), Optional.empty(), LAST));
    var unused = found.read(bytes(report(3)), bytes(report(3)).length, false, NOW);
    log(found, "{\"loss\": 0.5}");
    found.complete(true, Optional.empty(), NOW);

    assertThat(units()).containsExactly(3);
    assertThat(found.foundInstead()).contains("found 1 report, the last for unit 3");
  }

  @Test
  void otherJsonLineIsNamed() {
    AttemptReports found = reports(metric(Optional.empty(), Optional.empty(), LAST));
    log(found, "{\"val_loss\": 0.5, \"acc\": 1}");
    found.complete(true, Optional.empty(), NOW);

    assertThat(found.foundInstead().orElseThrow())
        .endsWith("; no JSON line with loss; the last JSON object has acc, val_loss");
  }

  @Test
  void fileHasTheMetric() throws IOException {
    Metric metric = metric(Optional.empty(), Optional.of("out/m.json"), LAST);
    Path file = Files.createDirectory(folder.resolve("out")).resolve("m.json");
    Files.writeString(file, "{\"loss\": 9}");
    MetricFile before = MetricFile.before(metric, folder).orElseThrow();
    AttemptReports found = reports(metric);
    found.complete(true, Optional.of(before.read()), NOW);
    assertThat(found.foundInstead().orElseThrow()).endsWith("; out/m.json was not written");

    Files.writeString(file, "{\"loss\": 0.5}\n{\"loss\": 0.125}\n");
    found.complete(true, Optional.of(before.read()), NOW);
    assertThat(reported()).containsExactly(Map.of("loss", 0.125));

    Map<String, String> contents =
        Map.of(
            "\ufeff{\"loss\": 0.25}\r\n", "",
            "{\"loss\": 0.25}\n{\"time\": 3}\n{\"los", "",
            "{\"loss\": \"0.25\"}", "has no number loss: it is text",
            "{\"acc\": 0.25}", "has no number loss; the last JSON object has acc",
            "{\"loss\": ", "is no JSON object",
            "", "is empty");
    for (Map.Entry<String, String> text : contents.entrySet()) {
      events.clear();
      Files.writeString(file, text.getKey());
      AttemptReports other = reports(metric);
      other.complete(true, Optional.of(before.read()), NOW);
      if (text.getValue().isEmpty()) {
        assertThat(reported()).as(text.getKey()).containsExactly(Map.of("loss", 0.25));
      } else {
        assertThat(other.foundInstead().orElseThrow()).endsWith("; out/m.json " + text.getValue());
      }
    }

    Files.delete(file);
    Files.createDirectory(file);
    found = reports(metric);
    found.complete(true, Optional.of(before.read()), NOW);
    assertThat(found.foundInstead().orElseThrow()).endsWith("; out/m.json is not a file");

    Files.delete(file);
    found = reports(metric);
    found.complete(true, Optional.of(before.read()), NOW);
    assertThat(found.foundInstead().orElseThrow()).endsWith("; out/m.json does not exist");
  }

  @Test
  void fileThatOtherTrialsWriteHasNoMetric() throws IOException {
    Path shared = Files.createDirectory(folder.resolve("shared"));
    Path workdir = Files.createDirectory(folder.resolve("work"));
    Files.createSymbolicLink(workdir.resolve("out"), shared);
    Metric metric = metric(Optional.empty(), Optional.of("out/m.json"), LAST);
    MetricFile before = MetricFile.before(metric, workdir).orElseThrow();
    Files.writeString(shared.resolve("m.json"), "{\"loss\": 0.5}");
    AttemptReports found = reports(metric);
    found.complete(true, Optional.of(before.read()), NOW);

    assertThat(events).isEmpty();
    assertThat(found.foundInstead().orElseThrow())
        .contains("; out/m.json is outside of the working folder of the trial: ");
  }

  @Test
  void reportWithoutTheMetricGetsItFromThePattern() {
    AttemptReports found = reports(metric(Optional.of("loss=(.*)"), Optional.empty(), LAST));
    var unused = found.read(bytes(report(9)), bytes(report(9)).length, false, NOW);
    log(found, "loss=0.5");
    assertThat(events).isEmpty();
    found.complete(true, Optional.empty(), NOW);

    assertThat(reported()).containsExactly(Map.of("loss", 0.5));
  }

  @Test
  void failedProgramHasNoMetric() {
    AttemptReports found = reports(metric(Optional.of("loss=(.*)"), Optional.empty(), LAST));
    log(found, "loss=0.5");
    found.complete(false, Optional.empty(), NOW);

    assertThat(events).isEmpty();
  }

  @Test
  void bestReportIsNeverSkipped() {
    AttemptReports found = reports(metric(Optional.empty(), Optional.empty(), BEST));
    for (int unit = 1; unit < 9; unit++) {
      for (int repeat = 0; repeat < 30; repeat++) { // more than are recorded at once
        String line = "{\"unit\": %d, \"metrics\": {\"loss\": %d}}";
        byte[] bytes = bytes(line.formatted(unit, unit == 6 ? 1 : 5));
        found.readChannel(bytes, bytes.length, false, NOW);
      }
    }
    found.complete(true, Optional.empty(), NOW);

    assertThat(found.bestUnit()).hasValue(6);
    assertThat(found.neededCheckpoints()).containsExactlyInAnyOrder(0, 6);
    assertThat(reported()).contains(Map.of("loss", 1.0));
  }

  private static Metric metric(
      Optional<String> pattern, Optional<String> from, Metric.Scope scope) {
    return new Metric("loss", Metric.Goal.MINIMIZE, pattern, from, Optional.of(scope));
  }

  private void log(AttemptReports found, String... lines) {
    for (String line : lines) {
      found.readOutput(bytes(line), bytes(line).length);
    }
  }

  private List<Map<String, Double>> reported() {
    return events.stream()
        .filter(EngineEvent.Reported.class::isInstance)
        .map(it -> ((EngineEvent.Reported) it).metrics())
        .toList();
  }

  private AttemptReports reports() {
    return reports(Optional.empty());
  }

  private AttemptReports reports(Metric metric) {
    return reports(Optional.of(metric));
  }

  private AttemptReports reports(Optional<Metric> metric) {
    AttemptSpec spec =
        AttemptSpec.builder()
            .attempt("7-1-1")
            .run("run")
            .trial(7)
            .config(Map.of())
            .unit("epoch")
            .to(9)
            .command("true")
            .workdir("/")
            .checkpointDir("/")
            .log("/dev/null")
            .environment(Map.of())
            .workers(List.of(new AttemptSpec.Worker("1", "localhost", "0", 0)))
            .metric(metric)
            .build();
    return new AttemptReports(spec, omitted, events::add);
  }

  private static String report(int unit) {
    return "ELASTUNE {\"unit\": " + unit + ", \"metrics\": {}}";
  }

  private void output(String line) {
    byte[] bytes = bytes(line);
    reports
        .read(bytes, bytes.length, false, NOW)
        .ifPresent(rest -> log.add(new String(rest, StandardCharsets.UTF_8)));
  }

  private void channel(String line) {
    reports.readChannel(bytes(line), bytes(line).length, false, NOW);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private List<Integer> units() {
    return events.stream()
        .filter(EngineEvent.Reported.class::isInstance)
        .map(it -> ((EngineEvent.Reported) it).unit())
        .toList();
  }

  private List<String> faults() {
    return events.stream()
        .filter(EngineEvent.Faulted.class::isInstance)
        .map(it -> ((EngineEvent.Faulted) it).message())
        .toList();
  }
}
