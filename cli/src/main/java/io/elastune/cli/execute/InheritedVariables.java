package io.elastune.cli.execute;

import io.elastune.core.job.ReservedVariables;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Selects the variables of {@code trial.inherit} in the environment of the controller. */
final class InheritedVariables {
  private static final String PREFIX_END = "*";

  private InheritedVariables() {}

  /** Returns the variables that are set and that a name or the beginning of one selects. */
  static Map<String, String> of(List<String> names, Map<String, String> environment) {
    Map<String, String> selected = new TreeMap<>();
    environment.forEach(
        (variable, value) -> {
          boolean isFree = !ReservedVariables.contains(variable);
          if (isFree && names.stream().anyMatch(name -> matches(name, variable))) {
            selected.put(variable, value);
          }
        });
    return selected;
  }

  private static boolean matches(String name, String variable) {
    return name.endsWith(PREFIX_END)
        ? variable.startsWith(name.substring(0, name.length() - 1))
        : variable.equals(name);
  }
}
