package io.elastune.core.allocation;

/**
 * A rule violation that prevents a plan from being executed.
 *
 * @param group the affected group; empty for the plan as a whole
 * @param field the field of the plan; for the whole plan, the limit that is exceeded
 * @param message what is wrong, with names and values, and the remedy
 */
public record PlanFault(String group, String field, String message) {
  @Override
  public String toString() {
    return (group.isEmpty() ? "" : "group " + group + ": ") + field + ": " + message;
  }
}
