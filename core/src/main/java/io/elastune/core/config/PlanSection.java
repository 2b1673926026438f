package io.elastune.core.config;

import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.FieldValues;
import io.elastune.core.config.codec.ListCodecs;
import io.elastune.core.config.codec.RecordSection;
import io.elastune.core.config.codec.ScalarCodecs;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.codec.StringCodecs;
import io.elastune.core.field.Bounds;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import io.elastune.core.job.Brackets;
import io.elastune.core.plan.Allocation;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The top-level section of a plan file. */
final class PlanSection {
  /** An entry of the list {@code plan}; the trials and units of its group are not used. */
  @FileSection(title = "plan", doc = "One entry for each group; other fields are ignored.")
  private record PlanEntry(
      @FileField(
              doc =
                  "Name of the group: `1`, `2`, … for one chain; `a.1`, `a.2`, `b.1`, … for"
                      + " several.",
              example = "\"1\"")
          String group,
      @FileField(doc = "Number of trials in the group.", without = "not checked", example = "64")
          @Bounds(least = 1)
          Optional<Integer> trials,
      @FileField(
              doc = "Units that each trial is trained in the group.",
              without = "not checked",
              example = "1")
          @Bounds(least = 1)
          Optional<Integer> units,
      @FileField(
              doc = "Name of the offer to rent.",
              example = "\"aws/us-east-1/p3.8xlarge/on-demand\"")
          String offer,
      @FileField(doc = "Instances held for the group.", example = "4") @Bounds(least = 1)
          int instances,
      @FileField(
              doc = "GPUs per trial; 1 when several trials share a GPU.",
              without = "required; null where a policy decides it",
              example = "1")
          @Bounds(least = 1)
          Optional<Integer> gpusPerTrial,
      @FileField(doc = "Trials per GPU.", absent = "1", example = "1") @Bounds(least = 1)
          int trialsPerGpu,
      @FileField(
              doc =
                  "How many of the instances are kept although they are idle, to take the place of"
                      + " an instance that is lost.",
              absent = "0",
              example = "1")
          @Bounds(least = 0)
          int spare) {
    static PlanEntry of(String group, PlanDocument.PlanRow row) {
      Allocation allocation = row.allocation();
      return new PlanEntry(
          group,
          row.trials(),
          row.units(),
          allocation.offer(),
          allocation.instances(),
          Optional.of(allocation.gpusPerTrial()),
          allocation.trialsPerGpu(),
          allocation.spare());
    }

    PlanDocument.PlanRow row(int line) {
      Allocation allocation =
          new Allocation(offer, instances, gpusPerTrial.orElse(1), trialsPerGpu, spare);
      return new PlanDocument.PlanRow(line, allocation, trials, units);
    }
  }

  private static final RecordSection<PlanEntry> ENTRY_FIELDS =
      RecordSection.define(PlanEntry.class);
  private static final Field<PlanEntry, Integer> GPUS_PER_TRIAL =
      ENTRY_FIELDS.field("gpusPerTrial");
  private static final Field<PlanEntry, Integer> TRIALS_PER_GPU =
      ENTRY_FIELDS.field("trialsPerGpu");
  private static final Section<PlanEntry> ENTRY =
      ENTRY_FIELDS.section(PlanSection::checkEntry).allowUnknownFields();

  private static final Field<PlanDocument, Boolean> HOLD =
      Field.withDefault(
          "hold",
          ScalarCodecs.trueOrFalse(),
          false,
          PlanDocument::hold,
          "Whether no instance is released before the end of the last group.",
          "false");
  private static final Field<PlanDocument, Brackets> BRACKETS =
      Field.optional(
          "brackets",
          StringCodecs.word(new Brackets[] {Brackets.SEPARATE, Brackets.SHARED}),
          "separate",
          document -> brackets(document.shared()),
          "Whether the brackets of hyperband share their instances: every group then has the same"
              + " offer and number of instances.",
          "shared");
  private static final Field<PlanDocument, List<PlanEntry>> PLAN =
      Field.required(
          "plan",
          ListCodecs.nonEmpty(ENTRY),
          document -> entries(document.rows()),
          "The allocation of each group.",
          "");
  private static final Field<PlanDocument.Choice, Boolean> CHOICE_HOLD =
      Field.withDefault(
          HOLD.name(), HOLD.codec(), false, PlanDocument.Choice::hold, HOLD.doc(), HOLD.example());
  private static final Field<PlanDocument.Choice, Brackets> CHOICE_BRACKETS =
      Field.optional(
          BRACKETS.name(),
          BRACKETS.codec(),
          "separate",
          choice -> brackets(choice.shared()),
          BRACKETS.doc(),
          BRACKETS.example());
  private static final Field<PlanDocument.Choice, List<PlanEntry>> CHOICE_PLAN =
      Field.required(
          PLAN.name(), PLAN.codec(), choice -> entries(choice.rows()), PLAN.doc(), PLAN.example());
  private static final Section<PlanDocument.Choice> CHOICE =
      Section.<PlanDocument.Choice>of(
              "frontier",
              "Another plan; other fields, such as its completion time and cost, are ignored.",
              List.of(CHOICE_HOLD, CHOICE_BRACKETS, CHOICE_PLAN),
              PlanSection::buildChoice)
          .withValidation(fieldValues -> checkGroups(fieldValues, CHOICE_PLAN))
          .allowUnknownFields();
  private static final Field<PlanDocument, List<PlanDocument.Choice>> FRONTIER =
      Field.optional(
          "frontier",
          ListCodecs.of(CHOICE),
          "none",
          document -> Optional.of(document.frontier()).filter(choices -> !choices.isEmpty()),
          "The plans that `run --choice N` can start instead, the fastest first; written by"
              + " `plan --frontier -o`.",
          "");
  private static final Field<PlanDocument, SavedPlan> SAVED =
      Field.optional(
          "saved",
          SavedPlanSection.SECTION,
          "none",
          PlanDocument::saved,
          "Inputs of the planner, written by `plan -o`.",
          "");

  private PlanSection() {}

  /** Returns the section for a file of that name. */
  static Section<PlanDocument> of(String file) {
    return Section.<PlanDocument>of(
            "",
            "A plan; other fields are ignored.",
            List.of(HOLD, BRACKETS, PLAN, FRONTIER, SAVED),
            fieldValues -> build(file, fieldValues))
        .withValidation(fieldValues -> checkGroups(fieldValues, PLAN))
        .allowUnknownFields();
  }

  private static Optional<Brackets> brackets(boolean shared) {
    return shared ? Optional.of(Brackets.SHARED) : Optional.empty();
  }

  private static boolean isShared(Optional<Brackets> brackets) {
    return brackets.filter(Brackets.SHARED::equals).isPresent();
  }

  private static void checkEntry(FieldValues fieldValues) {
    if (!fieldValues.isGiven(GPUS_PER_TRIAL)) {
      fieldValues.problem(
          GPUS_PER_TRIAL, "is missing (whole number, or null where a policy decides it)", "");
    }
    int sharing = fieldValues.find(TRIALS_PER_GPU).orElse(1);
    if (sharing > 1 && fieldValues.find(GPUS_PER_TRIAL).orElse(1) > 1) {
      fieldValues.problem(GPUS_PER_TRIAL, "must be 1 when trials_per_gpu is " + sharing, "");
    }
  }

  private static List<PlanEntry> entries(Map<String, PlanDocument.PlanRow> rows) {
    return rows.entrySet().stream().map(row -> PlanEntry.of(row.getKey(), row.getValue())).toList();
  }

  private static void checkGroups(FieldValues fieldValues, Field<?, List<PlanEntry>> plan) {
    Map<String, Integer> seen = new HashMap<>();
    for (FieldValues.ValuePart<PlanEntry> valuePart : fieldValues.parts(plan, ENTRY)) {
      String group = valuePart.value().group();
      Integer first = seen.putIfAbsent(group, valuePart.node().place().line());
      if (first != null) {
        fieldValues.problem(
            valuePart, "group " + group + " is given twice, first on line " + first, "");
      }
    }
  }

  private static PlanDocument build(String file, FieldValues fieldValues) {
    return new PlanDocument(
        file,
        fieldValues.lineOf(PLAN),
        fieldValues.get(HOLD),
        isShared(fieldValues.find(BRACKETS)),
        rows(fieldValues, PLAN),
        fieldValues.find(SAVED),
        fieldValues.find(FRONTIER).orElse(List.of()));
  }

  private static PlanDocument.Choice buildChoice(FieldValues fieldValues) {
    return new PlanDocument.Choice(
        fieldValues.lineOf(CHOICE_PLAN),
        fieldValues.get(CHOICE_HOLD),
        isShared(fieldValues.find(CHOICE_BRACKETS)),
        rows(fieldValues, CHOICE_PLAN));
  }

  private static Map<String, PlanDocument.PlanRow> rows(
      FieldValues fieldValues, Field<?, List<PlanEntry>> plan) {
    Map<String, PlanDocument.PlanRow> planRows = new LinkedHashMap<>();
    for (FieldValues.ValuePart<PlanEntry> valuePart : fieldValues.parts(plan, ENTRY)) {
      PlanEntry planEntry = valuePart.value();
      planRows.put(planEntry.group(), planEntry.row(valuePart.node().place().line()));
    }
    return planRows;
  }
}
