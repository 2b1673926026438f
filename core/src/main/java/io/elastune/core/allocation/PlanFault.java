package io.elastune.core.allocation;

/**
 * Why a plan cannot be carried out.
 *
 * @param group the group concerned; empty when it is the plan as a whole
 * @param field the field of the plan or, for the whole plan, the limit that is broken
 * @param message what is wrong, with names and values, and what would mend it
 */
public record PlanFault(String group, String field, String message) {
  @Override
  public String toString() {
    return (group.isEmpty() ? "" : "group " + group + ": ") + field + ": " + message;
  }
}
