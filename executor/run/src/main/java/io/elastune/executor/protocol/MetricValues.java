package io.elastune.executor.protocol;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import tools.jackson.databind.JsonNode;

/**
 * The metrics in a JSON object: its numbers, those in nested objects under the path of their names,
 * such as {@code val/acc}, and the names of what is no number. A name that is written out takes
 * precedence over the same path.
 */
final class MetricValues {
  private final Map<String, Double> numbers = new LinkedHashMap<>();
  private final Map<String, String> omitted = new LinkedHashMap<>();

  private MetricValues() {}

  static MetricValues of(JsonNode object) {
    MetricValues values = new MetricValues();
    values.add("", object);
    return values;
  }

  Map<String, Double> numbers() {
    return numbers;
  }

  /** Returns the names of the other values, with what they are. */
  Map<String, String> omitted() {
    return omitted;
  }

  private void add(String prefix, JsonNode object) {
    for (Map.Entry<String, JsonNode> metric : object.properties()) {
      JsonNode value = metric.getValue();
      String name = prefix + metric.getKey();
      OptionalDouble number = number(value);
      if (number.isPresent() && prefix.isEmpty()) {
        numbers.put(name, number.getAsDouble());
      } else if (number.isPresent()) {
        numbers.putIfAbsent(name, number.getAsDouble());
      } else if (!value.isObject()) {
        omitted.put(name, kind(value));
      }
    }
    for (Map.Entry<String, JsonNode> metric : object.properties()) {
      if (metric.getValue().isObject()) {
        add(prefix + metric.getKey() + "/", metric.getValue());
      }
    }
  }

  private static OptionalDouble number(JsonNode value) {
    if (value.isNumber()) {
      return OptionalDouble.of(value.doubleValue());
    }
    String word = value.isNull() ? "NaN" : value.stringValue("");
    return switch (word) {
      case "NaN", "nan" -> OptionalDouble.of(Double.NaN);
      case "Infinity", "inf" -> OptionalDouble.of(Double.POSITIVE_INFINITY);
      case "-Infinity", "-inf" -> OptionalDouble.of(Double.NEGATIVE_INFINITY);
      default -> OptionalDouble.empty();
    };
  }

  private static String kind(JsonNode value) {
    if (value.isArray()) {
      return "a list";
    }
    return value.isBoolean() ? "true or false" : "text";
  }
}
