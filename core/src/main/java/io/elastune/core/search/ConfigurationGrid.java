package io.elastune.core.search;

import io.elastune.core.job.Condition;
import io.elastune.core.job.Dimension;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * The configurations of a grid search: every combination of values, each once. The last dimension
 * changes fastest. A hyperparameter whose condition is not met is left out. Whole numbers that are
 * equal after rounding count once.
 */
public final class ConfigurationGrid {
  private static final int MOST = 100_001;

  private final Map<String, Dimension> space;
  private final Map<String, List<Object>> rounded = new HashMap<>();
  private final List<Map<String, Object>> conditional;

  /**
   * Creates the grid of a space.
   *
   * @throws IllegalArgumentException if a dimension has no finite set of values
   */
  public ConfigurationGrid(Map<String, Dimension> space) {
    this(space, false);
  }

  private ConfigurationGrid(Map<String, Dimension> space, boolean withEqual) {
    this.space = space;
    space.forEach(this::size);
    space.forEach(
        (name, dimension) -> {
          if (dimension instanceof Dimension.Int whole && whole.steps().isPresent() && !withEqual) {
            rounded.put(
                name,
                LongStream.range(0, whole.steps().get())
                    .mapToObj(whole::gridValue)
                    .distinct()
                    .toList());
          }
        });
    boolean conditions =
        space.values().stream().anyMatch(dimension -> !dimension.when().equals(Condition.ALWAYS));
    conditional = conditions ? enumerate() : List.of();
  }

  /**
   * Returns the grid as earlier versions trained it: whole numbers that are equal after rounding
   * count as often as they occur.
   */
  public static ConfigurationGrid withEqualValues(Map<String, Dimension> space) {
    return new ConfigurationGrid(space, true);
  }

  /** Returns the configuration without the hyperparameters whose conditions are not met. */
  public static Map<String, Object> withConditions(
      Map<String, Dimension> space, Map<String, Object> configuration) {
    Map<String, Object> met = new LinkedHashMap<>();
    space.forEach(
        (name, dimension) -> {
          Object value = configuration.get(name);
          if (value != null && dimension.when().isMetBy(met)) {
            met.put(name, value);
          }
        });
    return met;
  }

  private Object value(String name, Dimension dimension, long index) {
    List<Object> values = rounded.get(name);
    return values == null ? dimension.gridValue(index) : values.get(Math.toIntExact(index));
  }

  private long size(String name, Dimension dimension) {
    List<Object> values = rounded.get(name);
    if (values != null) {
      return values.size();
    }
    return dimension
        .gridSize()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "search.space." + name + " needs steps or type choice for algorithm grid"));
  }

  /**
   * Returns the number of configurations.
   *
   * @throws ArithmeticException if there are too many
   */
  public int size() {
    if (!conditional.isEmpty()) {
      return conditional.size();
    }
    long size = 1;
    for (Map.Entry<String, Dimension> entry : space.entrySet()) {
      size = Math.multiplyExact(size, size(entry.getKey(), entry.getValue()));
    }
    return Math.toIntExact(size);
  }

  /** Returns a configuration by its index, from 0. */
  public Map<String, Object> get(int index) {
    return conditional.isEmpty() ? combination(index) : conditional.get(index);
  }

  private Map<String, Object> combination(int index) {
    List<Map.Entry<String, Dimension>> dimensions = List.copyOf(space.entrySet());
    Object[] picked = new Object[dimensions.size()];
    long rest = index;
    for (int i = dimensions.size() - 1; i >= 0; i--) {
      Dimension dimension = dimensions.get(i).getValue();
      long size = size(dimensions.get(i).getKey(), dimension);
      picked[i] = value(dimensions.get(i).getKey(), dimension, rest % size);
      rest /= size;
    }
    Map<String, Object> config = new LinkedHashMap<>();
    for (int i = 0; i < picked.length; i++) {
      config.put(dimensions.get(i).getKey(), picked[i]);
    }
    return config;
  }

  private List<Map<String, Object>> enumerate() {
    List<Map<String, Object>> all = new ArrayList<>();
    extend(List.copyOf(space.entrySet()), new LinkedHashMap<>(), all);
    return all;
  }

  private void extend(
      List<Map.Entry<String, Dimension>> rest,
      Map<String, Object> begun,
      List<Map<String, Object>> all) {
    if (rest.isEmpty()) {
      all.add(new LinkedHashMap<>(begun));
      if (all.size() > MOST) {
        throw new ArithmeticException("the grid has more than " + MOST + " configurations");
      }
      return;
    }
    String name = rest.get(0).getKey();
    Dimension dimension = rest.get(0).getValue();
    List<Map.Entry<String, Dimension>> others = rest.subList(1, rest.size());
    if (!dimension.when().isMetBy(begun)) {
      extend(others, begun, all);
      return;
    }
    for (long i = 0; i < size(name, dimension); i++) {
      begun.put(name, value(name, dimension, i));
      extend(others, begun, all);
    }
    begun.remove(name);
  }
}
