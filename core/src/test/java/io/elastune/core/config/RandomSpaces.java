package io.elastune.core.config;

import io.elastune.core.NullValue;
import io.elastune.core.job.Condition;
import io.elastune.core.job.Dimension;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Generates random search spaces with all kinds of hyperparameters, and configurations of them. */
public final class RandomSpaces {
  private static final List<Object> VALUES =
      List.of(
          "1",
          1L,
          1.0,
          true,
          "true",
          -2.5e-7,
          NullValue.NULL,
          List.of(64L, NullValue.NULL, "a, b"),
          List.of(List.of(1L, 2L), List.of(3L)),
          List.of(0.9, 0.999),
          List.of(1L),
          List.of(1.0),
          "[1]",
          "",
          " x ",
          "'=y",
          "=y",
          "\"1\"",
          "größe, \"two\"\nlines",
          9_007_199_254_740_993L);

  private final SplittableRandom random;

  public RandomSpaces(SplittableRandom random) {
    this.random = random;
  }

  /** Returns a space; for a grid, every hyperparameter has a fixed set of values. */
  public Map<String, Dimension> next(boolean grid) {
    Map<String, Dimension> space = new LinkedHashMap<>();
    for (String name : List.of("lr", "a/b", "on", "null", "_x.y-z")) {
      if (space.isEmpty() || random.nextInt(3) > 0) {
        Condition when = random.nextBoolean() ? Condition.ALWAYS : condition(space);
        space.put(name, grid ? gridDimension(when) : dimension(when));
      }
    }
    return space;
  }

  /** Returns a condition on one hyperparameter with a fixed set of values, if there is one. */
  private Condition condition(Map<String, Dimension> space) {
    List<String> parents =
        space.entrySet().stream()
            .filter(entry -> entry.getValue().gridSize().isPresent())
            .map(Map.Entry::getKey)
            .toList();
    if (parents.isEmpty()) {
      return Condition.ALWAYS;
    }
    String name = parents.get(random.nextInt(parents.size()));
    Dimension parent = space.get(name);
    List<Object> values =
        Stream.of(parent.draw(random), parent.draw(random))
            .filter(value -> parent.find(value).isPresent())
            .distinct()
            .toList();
    return values.isEmpty() ? Condition.ALWAYS : new Condition(Map.of(name, values));
  }

  private Dimension dimension(Condition when) {
    double low = random.nextDouble(1e-9, 1);
    double high = low + random.nextDouble(1e-3, 10);
    Optional<Double> step = maybe(random.nextDouble(1e-4, 1e-3));
    return switch (random.nextInt(7)) {
      case 0 -> new Dimension.Uniform(-low, high, Optional.empty(), step, when);
      case 1 -> new Dimension.LogUniform(low, high, Optional.empty(), step, when);
      case 2 -> new Dimension.Normal(-low, high, step, when);
      case 3 -> new Dimension.LogNormal(-low, 0.1, step, when);
      default -> gridDimension(when);
    };
  }

  private Dimension gridDimension(Condition when) {
    double low = random.nextDouble(1e-9, 1);
    Optional<Integer> none = Optional.empty();
    return switch (random.nextInt(4)) {
      case 0 -> new Dimension.Int(-3, random.nextInt(1, 5), false, none, maybe(2L), when);
      case 1 -> new Dimension.Int(1, random.nextInt(5, 9), true, none, Optional.empty(), when);
      case 2 -> new Dimension.Constant(VALUES.get(random.nextInt(VALUES.size())), when);
      default ->
          random.nextBoolean()
              ? new Dimension.Choice(VALUES, when)
              : new Dimension.Uniform(-low, low, none, Optional.of(low / 2), when);
    };
  }

  /** Returns at most {@code most} different configurations, each of some hyperparameters. */
  List<Map<String, Object>> configurations(Map<String, Dimension> space, int most) {
    List<Map<String, Object>> configurations = new ArrayList<>();
    for (int i = 0; i < random.nextInt(5); i++) {
      Map<String, Object> configuration = configuration(space);
      if (!configuration.isEmpty()
          && !configurations.contains(configuration)
          && configurations.size() < most) {
        configurations.add(configuration);
      }
    }
    return configurations;
  }

  private Map<String, Object> configuration(Map<String, Dimension> space) {
    Map<String, Object> configuration = new LinkedHashMap<>();
    Map<String, Object> known = new LinkedHashMap<>();
    space.forEach(
        (name, dimension) -> {
          if (!dimension.when().isMetBy(known)) {
            return;
          }
          Object drawn = dimension.draw(random);
          if (random.nextInt(4) > 0 && dimension.find(drawn).isPresent()) {
            configuration.put(name, drawn);
            known.put(name, drawn);
          } else if (dimension instanceof Dimension.Constant constant) {
            known.put(name, constant.value());
          }
        });
    return configuration;
  }

  private <T> Optional<T> maybe(T value) {
    return random.nextBoolean() ? Optional.of(value) : Optional.empty();
  }
}
