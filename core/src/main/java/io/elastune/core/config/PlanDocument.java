package io.elastune.core.config;

import io.elastune.core.plan.Allocation;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.plan.Workload;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The contents of a plan file.
 *
 * @param file name of the file
 * @param line line of its field {@code plan}
 * @param shared whether all chains use the same instances
 * @param rows rows by group name, in file order
 * @param saved what {@code plan -o} stores in addition to the plan
 * @param frontier the other plans that {@code plan --frontier -o} stores, the fastest first
 */
public record PlanDocument(
    String file,
    int line,
    boolean hold,
    boolean shared,
    Map<String, PlanRow> rows,
    Optional<SavedPlan> saved,
    List<Choice> frontier) {

  /**
   * The entry of one group.
   *
   * @param line line of the entry; 0 when it is not from a file
   * @param trials number of trials, if given
   * @param units units that each trial is trained, if given
   */
  public record PlanRow(
      int line, Allocation allocation, Optional<Integer> trials, Optional<Integer> units) {}

  /**
   * A plan of the frontier.
   *
   * @param line line of its field {@code plan}
   * @param rows rows by group name, in file order
   */
  public record Choice(int line, boolean hold, boolean shared, Map<String, PlanRow> rows) {
    public Choice {
      rows = Collections.unmodifiableMap(new LinkedHashMap<>(rows));
    }
  }

  public PlanDocument {
    frontier = List.copyOf(frontier);
    rows = Collections.unmodifiableMap(new LinkedHashMap<>(rows));
  }

  /** Returns the document of a new plan for {@code workload}. */
  public static PlanDocument of(Plan plan, Workload workload, Optional<SavedPlan> saved) {
    Map<String, PlanRow> planRows = new LinkedHashMap<>();
    for (TrialGroup group : workload.groups()) {
      planRows.put(
          group.name(),
          new PlanRow(0, plan.of(group), Optional.of(group.trials()), Optional.of(group.units())));
    }
    return new PlanDocument("", 0, plan.hold(), plan.shared(), planRows, saved, List.of());
  }

  /**
   * Returns this document with a plan of its frontier in place of its plan.
   *
   * @param number position of that plan on the frontier, from 1
   */
  public PlanDocument choose(int number) {
    Choice choice = frontier.get(number - 1);
    return new PlanDocument(
        file, choice.line(), choice.hold(), choice.shared(), choice.rows(), saved, frontier);
  }

  public Plan plan() {
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    rows.forEach((group, planRow) -> allocations.put(group, planRow.allocation()));
    return new Plan(hold, shared, allocations);
  }

  /**
   * Returns a problem with a group of this plan, on the group's line.
   *
   * @param field e.g. {@code instances}
   */
  public FileProblem problem(String group, String field, String message, String hint) {
    PlanRow planRow = rows.get(group);
    int index = new ArrayList<>(rows.keySet()).indexOf(group);
    return planRow == null
        ? new FileProblem(file, line, "plan", "group " + group + ": " + message, hint)
        : new FileProblem(file, planRow.line(), "plan[" + index + "]." + field, message, hint);
  }

  /**
   * Returns the mismatches with the workload: missing or unknown groups, other numbers of trials or
   * units.
   */
  public List<FileProblem> check(Workload workload) {
    List<FileProblem> problems = new ArrayList<>();
    Map<String, TrialGroup> groups = new LinkedHashMap<>();
    workload.groups().forEach(group -> groups.put(group.name(), group));
    rows.forEach(
        (name, planRow) -> {
          TrialGroup group = groups.get(name);
          if (group == null) {
            problems.add(unknown(name, List.copyOf(groups.keySet())));
          } else {
            compare(name, "trials", planRow.trials(), group.trials()).ifPresent(problems::add);
            compare(name, "units", planRow.units(), group.units()).ifPresent(problems::add);
          }
        });
    for (String name : groups.keySet()) {
      if (!rows.containsKey(name)) {
        problems.add(new FileProblem(file, line, "plan", "has no group " + name, ""));
      }
    }
    return problems;
  }

  private FileProblem unknown(String name, List<String> known) {
    String all = "the groups of the job are " + String.join(", ", known);
    return problem(name, "group", "the job has no group " + name, all);
  }

  private Optional<FileProblem> compare(
      String group, String field, Optional<Integer> said, int actual) {
    return said.filter(number -> number != actual)
        .map(
            number ->
                problem(
                    group,
                    field,
                    "is " + number + ", but the job's group " + group + " has " + actual,
                    ""));
  }
}
