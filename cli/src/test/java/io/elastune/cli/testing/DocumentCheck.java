package io.elastune.cli.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MappingIterator;
import tools.jackson.databind.json.JsonMapper;

/** Checks that the JSON output of a command has the keys and types of its schema. */
final class DocumentCheck {
  private static final Path SCHEMAS = ExampleFiles.REPOSITORY.resolve("docs/schema/output");
  private static final Set<String> OF_RUN = Set.of("run", "resume", "attach");

  private DocumentCheck() {}

  /** Fails if the output of a command has other keys or types than its schema. */
  static void check(List<String> arguments, String out) {
    if (!arguments.contains("--json") || arguments.contains("--host")) {
      return;
    }
    Optional<JsonNode> schema =
        OF_RUN.contains(arguments.get(0)) ? schema("run") : schema(arguments);
    for (JsonNode document : documents(out)) {
      Optional<JsonNode> expected =
          document.has("error")
              ? schema("error")
              : schema.map(one -> one.has("items") ? one.path("items") : one);
      expected.ifPresent(
          one -> assertThat(matches(one, document)).as("%s: %s", one, document).isTrue());
    }
  }

  /** Returns the documents of an output, and the elements of one that is a list. */
  private static List<JsonNode> documents(String out) {
    try (MappingIterator<JsonNode> documents =
        JsonMapper.shared().readerFor(JsonNode.class).readValues(out)) {
      return documents.readAll();
    }
  }

  private static Optional<JsonNode> schema(List<String> arguments) {
    String name = arguments.get(0).equals("stop") ? "status" : arguments.get(0);
    return Stream.of("csv", "html")
        .filter(format -> arguments.contains("--" + format))
        .findFirst()
        .or(() -> arguments.stream().skip(1).findFirst())
        .flatMap(second -> schema(name + "-" + second))
        .or(() -> schema(name));
  }

  private static Optional<JsonNode> schema(String name) {
    Path file = SCHEMAS.resolve(name.replace('/', '-') + ".schema.json");
    try {
      return Files.exists(file)
          ? Optional.of(JsonMapper.shared().readTree(Files.readString(file)))
          : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean matches(JsonNode schema, JsonNode value) {
    if (schema.has("oneOf")) {
      return elements(schema.path("oneOf")).anyMatch(one -> matches(one, value));
    }
    JsonNode type = schema.path("type");
    boolean right =
        type.isMissingNode()
            || (type.isArray() ? elements(type) : Stream.of(type))
                .anyMatch(one -> isA(one.asString(), value));
    return right
        && (!value.isArray() || elements(value).allMatch(one -> matches(schema.path("items"), one)))
        && (!value.isObject() || type.isMissingNode() || isObject(schema, value));
  }

  private static boolean isObject(JsonNode schema, JsonNode object) {
    JsonNode others = schema.path("additionalProperties");
    return elements(schema.path("required")).allMatch(key -> object.has(key.asString()))
        && object
            .propertyStream()
            .allMatch(
                entry -> {
                  JsonNode own = schema.path("properties").path(entry.getKey());
                  return own.isMissingNode()
                      ? !others.isBoolean() && matches(others, entry.getValue())
                      : matches(own, entry.getValue());
                });
  }

  private static boolean isA(String type, JsonNode value) {
    return switch (type) {
      case "integer" -> value.isIntegralNumber();
      case "number" -> value.isNumber();
      case "boolean" -> value.isBoolean();
      case "string" -> value.isString();
      case "array" -> value.isArray();
      case "object" -> value.isObject();
      default -> value.isNull();
    };
  }

  private static Stream<JsonNode> elements(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false);
  }
}
