package io.elastune.executor.sampler;

import io.elastune.core.job.Dimension;
import io.elastune.core.job.DimensionMoves;
import io.elastune.core.search.SpacePoint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Converts configurations to numbers that every sampler understands, and back. A choice is the
 * index of its value. Normally distributed numbers are limited to four standard deviations. A
 * constant is not part of the numbers.
 */
final class SamplerSpace {
  private static final double DEVIATIONS = 4;

  private final Map<String, Dimension> space;

  SamplerSpace(Map<String, Dimension> space) {
    this.space = space;
  }

  /** Writes the parameters of a request. */
  void write(ArrayNode parameters) {
    space.forEach(
        (name, dimension) -> {
          Optional<Map<String, List<Number>>> when = condition(dimension);
          if (!(dimension instanceof Dimension.Constant) && when.isPresent()) {
            write(parameters.addObject(), name, dimension, when.get());
          }
        });
  }

  private static void write(
      ObjectNode node, String name, Dimension dimension, Map<String, List<Number>> when) {
    node.put("name", name);
    if (dimension instanceof Dimension.Choice choice) {
      node.put("type", "categorical").put("choices", choice.values().size());
    } else if (dimension instanceof Dimension.Int range) {
      node.put("type", "int").put("low", range.low()).put("high", range.high());
      node.put("log", range.log());
      node.put("step", range.log() ? 1 : range.step().orElse(1L));
    } else {
      double[] range = range(dimension);
      node.put("type", "float").put("low", range[0]).put("high", range[1]);
      node.put("log", isLogarithmic(dimension));
      if (dimension instanceof Dimension.Uniform uniform && uniform.step().isPresent()) {
        node.put("step", uniform.step().get());
      } else {
        node.putNull("step");
      }
    }
    ObjectNode conditions = node.putObject("when");
    when.forEach(
        (parent, values) -> {
          ArrayNode allowed = conditions.putArray(parent);
          values.forEach(value -> allowed.add(value.doubleValue()));
        });
  }

  private static boolean isLogarithmic(Dimension dimension) {
    return dimension instanceof Dimension.LogUniform || dimension instanceof Dimension.LogNormal;
  }

  private static double[] range(Dimension dimension) {
    if (dimension instanceof Dimension.Uniform uniform) {
      return new double[] {uniform.low(), uniform.high()};
    }
    if (dimension instanceof Dimension.LogUniform uniform) {
      return new double[] {uniform.low(), uniform.high()};
    }
    if (dimension instanceof Dimension.Normal normal) {
      double width = DEVIATIONS * normal.sd();
      return new double[] {normal.mean() - width, normal.mean() + width};
    }
    if (dimension instanceof Dimension.LogNormal normal) {
      double width = DEVIATIONS * normal.sd();
      return new double[] {
        Math.max(Double.MIN_NORMAL, Math.exp(normal.mean() - width)),
        Math.min(Double.MAX_VALUE, Math.exp(normal.mean() + width))
      };
    }
    throw new IllegalArgumentException("no numbers: " + dimension);
  }

  /** The condition in numbers; empty if a constant never meets it. */
  private Optional<Map<String, List<Number>>> condition(Dimension dimension) {
    Map<String, List<Number>> conditions = new LinkedHashMap<>();
    for (Map.Entry<String, List<Object>> entry : dimension.when().allowed().entrySet()) {
      Dimension parent = space.get(entry.getKey());
      if (parent instanceof Dimension.Constant constant) {
        if (entry.getValue().stream().noneMatch(value -> constant.find(value).isPresent())) {
          return Optional.empty();
        }
      } else if (parent != null) {
        List<Number> allowed = new ArrayList<>();
        entry
            .getValue()
            .forEach(v -> parent.find(v).ifPresent(own -> allowed.add(number(parent, own))));
        conditions.put(entry.getKey(), allowed);
      }
    }
    return Optional.of(conditions);
  }

  private static Number number(Dimension dimension, Object value) {
    if (dimension instanceof Dimension.Choice choice) {
      return choice.values().indexOf(value);
    }
    if (dimension instanceof Dimension.Int) {
      return ((Number) value).longValue();
    }
    double[] range = range(dimension);
    return Math.min(range[1], Math.max(range[0], ((Number) value).doubleValue()));
  }

  /** Writes a configuration in numbers. */
  void write(ObjectNode node, Map<String, Object> config) {
    config.forEach(
        (name, value) -> {
          Dimension dimension = space.get(name);
          if (dimension != null && !(dimension instanceof Dimension.Constant)) {
            Number number = number(dimension, value);
            if (number instanceof Double real) {
              node.put(name, real);
            } else {
              node.put(name, number.longValue());
            }
          }
        });
  }

  /**
   * Returns the configuration of a reply, with the types of the search space.
   *
   * @throws SamplerException if it is no point of the space
   */
  Map<String, Object> read(JsonNode reply) throws SamplerException {
    Map<String, Object> config = new LinkedHashMap<>();
    for (Map.Entry<String, Dimension> entry : space.entrySet()) {
      Dimension dimension = entry.getValue();
      if (!dimension.when().isMetBy(config)) {
        continue;
      }
      JsonNode number = reply.get(entry.getKey());
      if (dimension instanceof Dimension.Constant constant) {
        config.put(entry.getKey(), constant.value());
      } else if (number == null || !number.isNumber()) {
        throw new SamplerException("it proposed no number for " + entry.getKey());
      } else {
        config.put(entry.getKey(), value(entry.getKey(), dimension, number));
      }
    }
    Optional<String> why = SpacePoint.complete(space, config).why();
    if (why.isPresent()) {
      throw new SamplerException("it proposed a configuration outside the space: " + why.get());
    }
    return config;
  }

  private static Object value(String name, Dimension dimension, JsonNode number)
      throws SamplerException {
    if (dimension instanceof Dimension.Choice choice) {
      int index = number.isIntegralNumber() ? number.asInt(-1) : -1;
      if (index < 0 || index >= choice.values().size()) {
        throw new SamplerException("it proposed choice " + number + " for " + name);
      }
      return choice.values().get(index);
    }
    if (dimension instanceof Dimension.Int && number.canConvertToLong()) {
      Optional<Object> exact = dimension.find(number.longValue());
      if (exact.isPresent()) {
        return exact.get(); // a double has fewer digits
      }
    }
    double[] range =
        dimension instanceof Dimension.Int whole
            ? new double[] {(double) whole.low(), (double) whole.high()}
            : range(dimension);
    double proposed = number.doubleValue();
    if (!(proposed >= range[0] && proposed <= range[1])) {
      throw new SamplerException("it proposed " + number + " for " + name);
    }
    return DimensionMoves.nearest(dimension, proposed);
  }
}
