package io.elastune.cli.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.elastune.cli.account.CheckService;
import io.elastune.cli.account.OrphanDocument;
import io.elastune.cli.execute.FirstDocument;
import io.elastune.cli.execute.ProgressDocument;
import io.elastune.cli.failure.ErrorScreen;
import io.elastune.cli.html.ReportPageWriter;
import io.elastune.cli.imports.ImportService;
import io.elastune.cli.inspect.DecisionDocument;
import io.elastune.cli.inspect.FinishedDocument;
import io.elastune.cli.inspect.ListRuns;
import io.elastune.cli.inspect.LogLineDocument;
import io.elastune.cli.inspect.RemoveRuns;
import io.elastune.cli.inspect.ReportDocument;
import io.elastune.cli.inspect.ShowReport;
import io.elastune.cli.inspect.StatusDocument;
import io.elastune.cli.notify.NotificationDocument;
import io.elastune.cli.schedule.ScheduleDocument;
import io.elastune.cli.schedule.StartDocument;
import io.elastune.cli.schedule.StatedCost;
import io.elastune.cli.service.CompletionScripts;
import io.elastune.cli.service.InitService;
import io.elastune.cli.service.ProfilesService;
import io.elastune.cli.service.RuntimeService;
import io.elastune.cli.testing.ExampleFiles;
import io.elastune.plan.estimate.ComparisonDocument;
import io.elastune.plan.json.FoundPlanDocument;
import io.elastune.plan.json.InfeasibleDocument;
import io.elastune.plan.json.JsonDocuments;
import io.elastune.plan.json.KeyIfPresent;
import io.elastune.plan.json.SimulationDocument;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

class OutputSchemaTest {
  private static final String WRITE = "elastune.docs.write";
  private static final Path FOLDER = ExampleFiles.REPOSITORY.resolve("docs/schema/output");

  /** The documents of each command; lists are in {@link #LISTS}. */
  private static final Map<String, List<Class<?>>> DOCUMENTS =
      Map.ofEntries(
          entry("plan", FoundPlanDocument.class, InfeasibleDocument.class),
          entry("simulate", SimulationDocument.class),
          entry("rehearse", RehearsalDocument.class, InfeasibleDocument.class),
          entry("estimate", ComparisonDocument.class),
          entry(
              "run",
              FirstDocument.class,
              ProgressDocument.Decided.class,
              ProgressDocument.Failed.class,
              ProgressDocument.LeaseChanged.class,
              ProgressDocument.GroupEnded.class,
              ProgressDocument.Trained.class,
              FinishedDocument.class,
              InfeasibleDocument.class),
          entry("status", StatusDocument.class),
          entry("report", ReportDocument.class),
          entry("report --csv FILE", ShowReport.TableDocument.class),
          entry("report --html FILE", ReportPageWriter.PageDocument.class),
          entry("explain", DecisionDocument.class),
          entry("logs", LogLineDocument.class),
          entry("runs list", ListRuns.RunDocument.class),
          entry("runs rm", RemoveRuns.RemovedRuns.class),
          entry("orphans", OrphanDocument.class),
          entry("check", CheckService.CheckDocument.class),
          entry("profiles list", ProfilesService.ProfileDocument.class),
          entry("profiles check", CalibrationDocument.class),
          entry("profiles rm", RemovedDocument.class),
          entry("runtime build", RuntimeService.RuntimeDocument.class),
          entry("runtime list", RuntimeService.RuntimeDocument.class),
          entry("runtime rm", RemovedDocument.class),
          entry("schedule add", ScheduleDocument.class),
          entry("schedule list", ScheduleDocument.class),
          entry("schedule log", StartDocument.class),
          entry("schedule cost", StatedCost.class),
          entry("schedule rm", RemovedDocument.class),
          entry("init", InitService.WrittenFiles.class),
          entry("import", ImportService.ImportDocument.class),
          entry("completion", CompletionScripts.ScriptDocument.class),
          entry("error", ErrorScreen.ErrorDocument.class),
          entry("notification", NotificationDocument.class));

  private static final Set<String> LISTS =
      Set.of(
          "explain",
          "runs list",
          "orphans",
          "check",
          "profiles list",
          "runtime list",
          "schedule list",
          "schedule log");

  private static Map.Entry<String, List<Class<?>>> entry(String command, Class<?>... documents) {
    return Map.entry(command, List.of(documents));
  }

  private record Small(
      int inGroup,
      OptionalDouble costUsd,
      Optional<String> zone,
      @KeyIfPresent Optional<List<Double>> p95,
      Map<String, Long> exits) {}

  private record Unknown(URI uri) {}

  static Set<String> commands() {
    return DOCUMENTS.keySet();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void schemasAreUpToDate(String command) throws IOException {
    Path file = FOLDER.resolve(file(command));
    String expected =
        JsonMapper.shared()
                .writerWithDefaultPrettyPrinter()
                .writeValueAsString(
                    OutputSchema.of(
                        title(command), LISTS.contains(command), DOCUMENTS.get(command)))
            + "\n";
    if (Boolean.getBoolean(WRITE)) {
      Files.createDirectories(file.getParent());
      Files.writeString(file, expected);
    }
    assertThat(Files.exists(file) ? Files.readString(file) : "")
        .as("%s; write it with -D%s=true", file, WRITE)
        .isEqualTo(expected);
  }

  @Test
  void everySchemaHasADocument() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      assertThat(files.map(file -> String.valueOf(file.getFileName())))
          .containsExactlyInAnyOrderElementsOf(
              DOCUMENTS.keySet().stream().map(OutputSchemaTest::file).toList());
    }
  }

  private static String file(String command) {
    return command.replaceAll("[ -]+", "-").replace("-FILE", "") + ".schema.json";
  }

  private static String title(String command) {
    return switch (command) {
      case "error" -> "Document of a failed command with --json";
      case "notification" -> "Document of a notification";
      default -> "Document of elastune " + command + " --json";
    };
  }

  @Test
  void schemaHasTheKeysThatAreWritten() {
    Small full =
        new Small(
            1, OptionalDouble.of(2), Optional.of("a"), Optional.of(List.of(3.0)), Map.of("0", 1L));
    assertThat(JsonDocuments.of(full))
        .hasToString(
            "{\"in_group\":1,\"cost_usd\":2.0,\"zone\":\"a\",\"p95\":[3.0],\"exits\":{\"0\":1}}");
    Small empty =
        new Small(1, OptionalDouble.empty(), Optional.empty(), Optional.empty(), Map.of());
    assertThat(JsonDocuments.of(empty))
        .hasToString("{\"in_group\":1,\"cost_usd\":null,\"zone\":null,\"exits\":{}}");
    Map<String, Object> schema = OutputSchema.of("small", false, List.of(Small.class));
    assertThat(schema)
        .containsEntry("required", List.of("in_group", "cost_usd", "zone", "exits"))
        .containsEntry("additionalProperties", false);
    assertThat(schema.get("properties"))
        .isEqualTo(
            Map.of(
                "in_group", Map.of("type", "integer"),
                "cost_usd", Map.of("type", List.of("number", "null")),
                "zone", Map.of("type", List.of("string", "null")),
                "p95", Map.of("type", "array", "items", Map.of("type", "number")),
                "exits",
                    Map.of("type", "object", "additionalProperties", Map.of("type", "integer"))));
  }

  @Test
  void unknownTypesAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OutputSchema.of("unknown", false, List.of(Unknown.class)))
        .withMessageContaining("java.net.URI");
  }
}
