package io.elastune.provisioner.gcp.fake;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Validates requests and responses against the discovery document of Compute Engine v1. */
public final class DiscoveryDocument {
  /**
   * A parameter that {@code gcloud} 528 sends. This revision mentions it but does not define it.
   */
  private static final String NOT_DESCRIBED = "returnPartialSuccess";

  private final JsonNode document;
  private final Map<String, Pattern> paths = new HashMap<>();

  /** A call that the document defines. */
  record Call(String method, Map<String, String> path, JsonNode description) {}

  DiscoveryDocument() {
    try (InputStream stream = DiscoveryDocument.class.getResourceAsStream("compute-v1.json")) {
      document = JsonMapper.shared().readTree(stream.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    document
        .path("methods")
        .properties()
        .forEach(
            method ->
                paths.put(
                    method.getKey(),
                    Pattern.compile(
                        method
                            .getValue()
                            .path("path")
                            .asString()
                            .replaceAll("\\{(\\w+)}", "(?<$1>[^/]+)"))));
  }

  /** Returns the date when Google published the document. */
  public String revision() {
    return document.path("revision").asString();
  }

  /** Returns the call with this verb and path; empty if there is none. */
  Optional<Call> call(String verb, String path) {
    for (Map.Entry<String, Pattern> some : paths.entrySet()) {
      JsonNode description = document.path("methods").path(some.getKey());
      Matcher matcher = some.getValue().matcher(path);
      if (description.path("httpMethod").asString().equals(verb) && matcher.matches()) {
        Map<String, String> parts = new HashMap<>();
        description
            .path("parameters")
            .properties()
            .forEach(
                parameter -> {
                  if (parameter.getValue().path("location").asString().equals("path")) {
                    parts.put(parameter.getKey(), matcher.group(parameter.getKey()));
                  }
                });
        return Optional.of(new Call(some.getKey(), parts, description));
      }
    }
    return Optional.empty();
  }

  /** Returns the problems in the parameters of a call. */
  List<String> problems(Call call, Map<String, String> query) {
    List<String> problems = new ArrayList<>();
    query.forEach(
        (name, value) -> {
          JsonNode own = call.description().path("parameters").path(name);
          JsonNode known = own.isMissingNode() ? document.path("parameters").path(name) : own;
          if (name.equals(NOT_DESCRIBED)) {
            return;
          }
          if (!known.path("location").asString("").equals("query")) {
            problems.add(call.method() + " has no parameter " + name);
          } else if (known.path("type").asString().equals("integer")) {
            range(call.method() + "." + name, known, value, problems);
          }
        });
    return problems;
  }

  private static void range(String what, JsonNode known, String value, List<String> problems) {
    boolean number = value.matches("[0-9]{1,9}");
    if (!number
        || Integer.parseInt(value) < Integer.parseInt(known.path("minimum").asString("0"))
        || Integer.parseInt(value)
            > Integer.parseInt(known.path("maximum").asString("999999999"))) {
      problems.add(what + " has the invalid value " + value);
    }
  }

  /** Returns the problems in the body of a request. */
  List<String> request(Call call, JsonNode body) {
    return problems(call, "request", body);
  }

  /** Returns the problems in a response. */
  List<String> response(Call call, JsonNode body) {
    return problems(call, "response", body);
  }

  private List<String> problems(Call call, String which, JsonNode body) {
    List<String> problems = new ArrayList<>();
    JsonNode name = call.description().path(which);
    if (!name.isMissingNode()) {
      check(schema(name.asString()), body, name.asString(), problems);
    } else if (!body.isMissingNode()) {
      problems.add(call.method() + " has no " + which);
    }
    return problems;
  }

  private JsonNode schema(String name) {
    JsonNode schema = document.path("schemas").path(name);
    if (schema.isMissingNode()) {
      throw new IllegalStateException("no schema " + name);
    }
    return schema;
  }

  private void check(JsonNode schema, JsonNode value, String where, List<String> problems) {
    if (!schema.path("$ref").isMissingNode()) {
      check(schema(schema.path("$ref").asString()), value, where, problems);
      return;
    }
    switch (schema.path("type").asString()) {
      case "object" -> object(schema, value, where, problems);
      case "array" -> {
        require(value.isArray(), where + " is not a list", problems);
        value.forEach(item -> check(schema.path("items"), item, where + "[]", problems));
      }
      case "string" -> text(schema, value, where, problems);
      case "boolean" -> require(value.isBoolean(), where + " is neither true nor false", problems);
      case "integer" -> require(value.isIntegralNumber(), where + " is not an integer", problems);
      case "number" -> require(value.isNumber(), where + " is not a number", problems);
      default -> throw new IllegalStateException("unsupported schema: " + schema);
    }
  }

  private void object(JsonNode schema, JsonNode value, String where, List<String> problems) {
    require(value.isObject(), where + " is not an object", problems);
    value
        .properties()
        .forEach(
            field -> {
              JsonNode known = schema.path("properties").path(field.getKey());
              JsonNode any = schema.path("additionalProperties");
              String at = where + "." + field.getKey();
              if (!known.isMissingNode()) {
                check(known, field.getValue(), at, problems);
              } else if (!any.isMissingNode()) {
                check(any, field.getValue(), at, problems);
              } else {
                problems.add("unknown field " + at);
              }
            });
  }

  private static void text(JsonNode schema, JsonNode value, String where, List<String> problems) {
    require(value.isString(), where + " is not a string", problems);
    boolean whole = schema.path("format").asString("").endsWith("int64");
    if (whole) {
      require(value.asString("").matches("-?[0-9]+"), where + " is not an integer", problems);
    }
    if (schema.path("format").asString("").equals("byte")) {
      require(
          value.asString("").matches("([A-Za-z0-9+/_-]{4})*([A-Za-z0-9+/_-]{2,3}={1,2})?"),
          where + " is not in base64",
          problems);
    }
    JsonNode words = schema.path("enum");
    if (!words.isMissingNode()) {
      require(
          words.valueStream().anyMatch(word -> word.equals(value)),
          where + " has the invalid value " + value,
          problems);
    }
  }

  private static void require(boolean so, String otherwise, List<String> problems) {
    if (!so) {
      problems.add(otherwise);
    }
  }
}
