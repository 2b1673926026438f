package io.elastune.cli.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.elastune.cli.testing.ExampleFiles;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class OutputSchemaTest {
  private static final String WRITE = "elastune.docs.write";
  private static final Map<String, Class<? extends Record>> DOCUMENTS =
      Map.of("simulate", SimulationDocument.class, "rehearse", RehearsalDocument.class);

  private record Small(
      int inGroup,
      OptionalDouble costUsd,
      Optional<String> zone,
      @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<List<Double>> p95,
      Map<String, Long> exits) {}

  private record Unknown(URI uri) {}

  @ParameterizedTest
  @ValueSource(strings = {"simulate", "rehearse"})
  void schemasAreUpToDate(String command) throws IOException {
    Path file = ExampleFiles.REPOSITORY.resolve("docs/schema/output/" + command + ".schema.json");
    String expected =
        JsonMapper.shared()
                .writerWithDefaultPrettyPrinter()
                .writeValueAsString(OutputSchema.of(command, DOCUMENTS.get(command)))
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
    Map<String, Object> schema = OutputSchema.of("small", Small.class);
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
        .isThrownBy(() -> OutputSchema.of("unknown", Unknown.class))
        .withMessageContaining("java.net.URI");
  }
}
