package io.elastune.cli.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import tools.jackson.databind.PropertyNamingStrategies;

/** Derives the JSON Schema of a document from its record, as {@link JsonDocuments} writes it. */
final class OutputSchema {
  private static final Map<Class<?>, String> SCALARS =
      Map.of(
          int.class, "integer",
          long.class, "integer",
          Integer.class, "integer",
          Long.class, "integer",
          double.class, "number",
          Double.class, "number",
          boolean.class, "boolean",
          Boolean.class, "boolean",
          String.class, "string");

  private OutputSchema() {}

  /** Returns the schema of the document of {@code elastune COMMAND --json}. */
  static Map<String, Object> of(String command, Class<? extends Record> document) {
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    schema.put("title", "Document of elastune " + command + " --json");
    schema.putAll(object(document));
    return schema;
  }

  /** Returns the key of a component. */
  static String key(RecordComponent component) {
    return PropertyNamingStrategies.SNAKE_CASE.nameForField(null, null, component.getName());
  }

  /** Whether a component is left out if it is empty. */
  static boolean isLeftOut(RecordComponent component) {
    return component.isAnnotationPresent(JsonInclude.class)
        || component.getAccessor().isAnnotationPresent(JsonInclude.class);
  }

  private static Map<String, Object> object(Class<?> type) {
    Map<String, Object> properties = new LinkedHashMap<>();
    List<String> required = new ArrayList<>();
    for (RecordComponent component : type.getRecordComponents()) {
      Map<String, Object> property = new LinkedHashMap<>();
      JsonPropertyDescription text =
          component.getAccessor().getAnnotation(JsonPropertyDescription.class);
      if (text != null) {
        property.put("description", text.value());
      }
      property.putAll(property(component));
      properties.put(key(component), property);
      if (!isLeftOut(component)) {
        required.add(key(component));
      }
    }
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("type", "object");
    schema.put("properties", properties);
    schema.put("required", required);
    schema.put("additionalProperties", false);
    return schema;
  }

  private static Map<String, Object> property(RecordComponent component) {
    Optional<Type> content = optional(component.getGenericType());
    Map<String, Object> schema = schema(content.orElse(component.getGenericType()));
    if (content.isPresent() && !isLeftOut(component)) {
      schema.put("type", List.of(schema.getOrDefault("type", "object"), "null"));
    }
    return schema;
  }

  /** Returns what an optional contains; empty for other types. */
  private static Optional<Type> optional(Type type) {
    if (type == OptionalDouble.class) {
      return Optional.of(double.class);
    }
    if (type == OptionalInt.class) {
      return Optional.of(int.class);
    }
    return type instanceof ParameterizedType some && some.getRawType() == Optional.class
        ? Optional.of(some.getActualTypeArguments()[0])
        : Optional.empty();
  }

  private static Map<String, Object> schema(Type type) {
    Map<String, Object> schema = new LinkedHashMap<>();
    if (type instanceof ParameterizedType some) {
      Type[] of = some.getActualTypeArguments();
      boolean list = some.getRawType() == List.class;
      schema.put("type", list ? "array" : "object");
      schema.put(list ? "items" : "additionalProperties", schema(of[of.length - 1]));
    } else if (type instanceof Class<?> raw && raw.isRecord()) {
      schema.putAll(object(raw));
    } else {
      String name = SCALARS.get(type);
      if (name == null) {
        throw new IllegalArgumentException("no JSON type for " + type);
      }
      schema.put("type", name);
    }
    return schema;
  }
}
