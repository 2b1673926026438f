package io.elastune.core.config;

import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
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
 * @param chosen the plan to execute
 * @param frontier the other plans that {@code plan --frontier -o} stores, the fastest first
 * @param saved what {@code plan -o} stores in addition to the plan
 */
@FileSection(title = "", doc = "A plan; other fields are ignored.")
public record PlanDocument(
    String file,
    Choice chosen,
    @FileField(
            doc =
                "The plans that `run --choice N` can start instead, the fastest first; written by"
                    + " `plan --frontier -o`.",
            without = "none",
            example = "")
        List<Choice> frontier,
    @FileField(doc = "Inputs of the planner, written by `plan -o`.", without = "none", example = "")
        Optional<SavedPlan> saved) {

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
   * The plan of a file, or another one of its frontier.
   *
   * @param line line of its field {@code plan}
   * @param shared whether all chains use the same instances
   * @param rows rows by group name, in file order
   */
  @FileSection(
      title = "frontier",
      doc = "Another plan; other fields, such as its completion time and cost, are ignored.")
  public record Choice(
      int line,
      @FileField(
              doc = "Whether no instance is released before the end of the last group.",
              absent = "false",
              example = "false")
          boolean hold,
      @FileField(
              name = "brackets",
              doc =
                  "Whether the brackets of hyperband share their instances: every group then has"
                      + " the same offer and number of instances.",
              without = "separate",
              example = "shared")
          boolean shared,
      @FileField(name = "plan", doc = "The allocation of each group.", example = "")
          Map<String, PlanRow> rows) {
    public Choice {
      rows = Collections.unmodifiableMap(new LinkedHashMap<>(rows));
    }
  }

  public PlanDocument {
    frontier = List.copyOf(frontier);
  }

  /** Returns the document of a new plan for {@code workload}. */
  public static PlanDocument of(Plan plan, Workload workload, Optional<SavedPlan> saved) {
    Map<String, PlanRow> planRows = new LinkedHashMap<>();
    for (TrialGroup group : workload.groups()) {
      planRows.put(
          group.name(),
          new PlanRow(0, plan.of(group), Optional.of(group.trials()), Optional.of(group.units())));
    }
    return new PlanDocument(
        "", new Choice(0, plan.hold(), plan.shared(), planRows), List.of(), saved);
  }

  /**
   * Returns this document with a plan of its frontier in place of its plan.
   *
   * @param number position of that plan on the frontier, from 1
   */
  public PlanDocument choose(int number) {
    return new PlanDocument(file, frontier.get(number - 1), frontier, saved);
  }

  public Plan plan() {
    Map<String, Allocation> allocations = new LinkedHashMap<>();
    chosen.rows().forEach((group, planRow) -> allocations.put(group, planRow.allocation()));
    return new Plan(chosen.hold(), chosen.shared(), allocations);
  }

  /**
   * Returns a problem with a group of this plan, on the group's line.
   *
   * @param field e.g. {@code instances}
   */
  public FileProblem problem(String group, String field, String message, String hint) {
    PlanRow planRow = chosen.rows().get(group);
    int index = new ArrayList<>(chosen.rows().keySet()).indexOf(group);
    return planRow == null
        ? new FileProblem(file, chosen.line(), "plan", "group " + group + ": " + message, hint)
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
    chosen
        .rows()
        .forEach(
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
      if (!chosen.rows().containsKey(name)) {
        problems.add(new FileProblem(file, chosen.line(), "plan", "has no group " + name, ""));
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
