package io.elastune.core.config;

import io.elastune.core.config.codec.FieldValues;
import io.elastune.core.config.codec.FieldValues.ValuePart;
import io.elastune.core.config.codec.NearestName;
import io.elastune.core.job.Algorithm;
import io.elastune.core.job.Dimension;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Checks the hyperparameters of {@code search.space} together. */
final class SpaceRules {
  private SpaceRules() {}

  /** Checks that a grid search has a fixed set of values, and that others have no {@code steps}. */
  static void checkSteps(
      FieldValues fieldValues, List<ValuePart<Dimension>> space, Algorithm algorithm) {
    for (ValuePart<Dimension> valuePart : space) {
      Dimension dimension = valuePart.value();
      boolean given = dimension.steps().isPresent();
      if (algorithm == Algorithm.GRID && hasNoGrid(dimension)) {
        fieldValues.problem(
            valuePart,
            "a normal distribution cannot be used by grid, which needs a fixed set of values",
            "e.g. type: uniform with steps: 5, or type: choice");
      } else if (algorithm == Algorithm.GRID && dimension.gridSize().isEmpty()) {
        fieldValues.problem(
            valuePart, "needs steps for a grid search", "e.g. steps: 5, or type: choice");
      } else if (algorithm != Algorithm.GRID && given) {
        fieldValues.problem(
            valuePart,
            "steps is used by grid only, not by " + algorithm.word(),
            "leave steps out, or use step, the distance between values");
      }
    }
  }

  private static boolean hasNoGrid(Dimension dimension) {
    return dimension instanceof Dimension.Normal || dimension instanceof Dimension.LogNormal;
  }

  /** Checks that each condition names hyperparameters listed before, with values they can have. */
  static void checkConditions(
      FieldValues fieldValues,
      Optional<Map<String, Dimension>> space,
      List<ValuePart<Dimension>> parts) {
    if (space.isEmpty()) {
      return; // a hyperparameter has problems of its own
    }
    Map<String, Dimension> before = new LinkedHashMap<>();
    for (ValuePart<Dimension> part : parts) {
      part.value()
          .when()
          .allowed()
          .forEach(
              (name, values) -> {
                if (before.containsKey(name)) {
                  checkCondition(fieldValues, part, name, before.get(name), values);
                } else if (space.get().containsKey(name) && !name.equals(part.name())) {
                  fieldValues.problem(
                      part,
                      "when: " + name + " must be listed before " + part.name(),
                      "change the order");
                } else {
                  fieldValues.problem(
                      part,
                      "when: " + name + " is not another hyperparameter of search.space",
                      NearestName.hint(name, before.keySet()));
                }
              });
      before.put(part.name(), part.value());
    }
  }

  private static void checkCondition(
      FieldValues fieldValues,
      ValuePart<Dimension> part,
      String name,
      Dimension parent,
      List<Object> values) {
    if (parent.gridSize().isEmpty()) {
      fieldValues.problem(
          part,
          "when: " + name + " has no fixed set of values",
          "a condition can use type choice, int or constant, or a step");
      return;
    }
    List<Object> never = values.stream().filter(v -> parent.find(v).isEmpty()).toList();
    List<String> names =
        parent instanceof Dimension.Choice choice
            ? choice.values().stream().map(String::valueOf).toList()
            : List.of();
    for (Object value : never) {
      fieldValues.problem(
          part,
          "when: " + name + " never has the value " + AllowedValues.text(value),
          NearestName.hint(String.valueOf(value), names));
    }
  }
}
