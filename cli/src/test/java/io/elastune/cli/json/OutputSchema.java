package io.elastune.cli.json;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;
import io.elastune.plan.json.KeyIfPresent;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Stream;
import tools.jackson.databind.PropertyNamingStrategies;

/** Derives the JSON Schema of a document from its record, as the mapper writes it. */
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

  /** Returns the schema of the document of a command, which is one of {@code documents}. */
  static Map<String, Object> of(String title, boolean list, List<Class<?>> documents) {
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    schema.put("title", title);
    Map<String, Object> one =
        documents.size() == 1
            ? object(documents.get(0))
            : Map.of("oneOf", documents.stream().map(OutputSchema::object).toList());
    if (list) {
      schema.put("type", "array");
      schema.put("items", one);
    } else {
      schema.putAll(one);
    }
    return schema;
  }

  /** Returns the key of a component. */
  private static String key(RecordComponent component) {
    JsonProperty named = component.getAccessor().getAnnotation(JsonProperty.class);
    return named != null
        ? named.value()
        : PropertyNamingStrategies.SNAKE_CASE.nameForField(null, null, component.getName());
  }

  private static boolean has(
      RecordComponent component, Class<? extends java.lang.annotation.Annotation> annotation) {
    return component.getAccessor().isAnnotationPresent(annotation);
  }

  /** Returns the components of a record with those of its unwrapped records. */
  private static Stream<RecordComponent> components(Class<?> type) {
    return Arrays.stream(type.getRecordComponents())
        .flatMap(
            component ->
                has(component, JsonUnwrapped.class)
                    ? components(component.getType())
                    : Stream.of(component));
  }

  private static Map<String, Object> object(Class<?> type) {
    Map<String, Object> properties = new LinkedHashMap<>();
    List<String> required = new ArrayList<>();
    Object others = false;
    for (RecordComponent component : components(type).toList()) {
      if (has(component, JsonAnyGetter.class)) {
        others = schema(component.getGenericType()).get("additionalProperties");
        continue;
      }
      Map<String, Object> property = new LinkedHashMap<>();
      JsonPropertyDescription text =
          component.getAccessor().getAnnotation(JsonPropertyDescription.class);
      if (text != null) {
        property.put("description", text.value());
      }
      boolean leftOut = has(component, KeyIfPresent.class);
      Type content = component.getGenericType();
      property.putAll(schema(leftOut ? optional(content).orElseThrow() : content));
      properties.put(key(component), property);
      if (!leftOut) {
        required.add(key(component));
      }
    }
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("type", "object");
    schema.put("properties", properties);
    schema.put("required", required);
    schema.put("additionalProperties", others);
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
    Optional<Type> content = optional(type);
    if (content.isPresent()) {
      schema.putAll(schema(content.get()));
      schema.put("type", List.of(schema.getOrDefault("type", "object"), "null"));
    } else if (type instanceof ParameterizedType some) {
      Type[] of = some.getActualTypeArguments();
      boolean list = Collection.class.isAssignableFrom((Class<?>) some.getRawType());
      schema.put("type", list ? "array" : "object");
      schema.put(list ? "items" : "additionalProperties", schema(of[of.length - 1]));
    } else if (type instanceof Class<?> raw && raw.isRecord()) {
      schema.putAll(object(raw));
    } else if (type == Instant.class) {
      schema.put("type", "string");
      schema.put("format", "date-time");
    } else if (type != Object.class) {
      schema.put("type", scalar(type));
    }
    return schema;
  }

  private static String scalar(Type type) {
    String name = SCALARS.get(type);
    if (name == null && type instanceof Class<?> raw) {
      name =
          Arrays.stream(raw.getMethods())
              .filter(method -> method.isAnnotationPresent(JsonValue.class))
              .map(method -> SCALARS.get(method.getReturnType()))
              .findFirst()
              .orElse(null);
    }
    if (name == null) {
      throw new IllegalArgumentException("no JSON type for " + type);
    }
    return name;
  }
}
