package io.elastune.core.search;

import io.elastune.core.job.Dimension;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A configuration as a point of a search space.
 *
 * @param values its values with the types of the space
 * @param why why it is not a point of the space; empty if it is
 */
public record SpacePoint(Map<String, Object> values, Optional<String> why) {
  /**
   * Returns its values with the types of the space.
   *
   * @throws IllegalStateException if it is not a point of the space
   */
  @Override
  public Map<String, Object> values() {
    why.ifPresent(
        reason -> {
          throw new IllegalStateException("no point of the space: " + reason);
        });
    return values;
  }

  /** Locates a configuration that must have every hyperparameter that its values use. */
  public static SpacePoint complete(
      Map<String, Dimension> space, Map<String, Object> configuration) {
    SpacePoint point = of(space, configuration);
    if (point.why().isPresent()) {
      return point;
    }
    for (Map.Entry<String, Dimension> entry : space.entrySet()) {
      String name = entry.getKey();
      if (!point.values().containsKey(name) && entry.getValue().when().isMetBy(point.values())) {
        return outside(name + " is missing");
      }
    }
    return point;
  }

  /**
   * Locates a configuration in a space. Hyperparameters that it lacks do not matter, except for
   * those that the others depend on.
   */
  public static SpacePoint of(Map<String, Dimension> space, Map<String, Object> configuration) {
    for (String name : configuration.keySet()) {
      if (!space.containsKey(name)) {
        return outside(name + " is not in search.space");
      }
    }
    Map<String, Object> values = new LinkedHashMap<>();
    for (Map.Entry<String, Dimension> entry : space.entrySet()) {
      String name = entry.getKey();
      Object given = configuration.get(name);
      if (given == null) {
        continue;
      }
      Optional<Object> value = entry.getValue().find(given);
      if (value.isEmpty()) {
        return outside(name + " " + given + " is not allowed by search.space");
      }
      if (!entry.getValue().when().isMetBy(values)) {
        return outside(name + " is not used with its other values");
      }
      values.put(name, value.get());
    }
    return new SpacePoint(values, Optional.empty());
  }

  private static SpacePoint outside(String why) {
    return new SpacePoint(Map.of(), Optional.of(why));
  }
}
