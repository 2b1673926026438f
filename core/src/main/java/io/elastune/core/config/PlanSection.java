package io.elastune.core.config;

import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.FieldValues;
import io.elastune.core.config.codec.ListCodecs;
import io.elastune.core.config.codec.MappedCodec;
import io.elastune.core.config.codec.RecordSection;
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
          int spare,
      int line) {
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
          allocation.spare(),
          row.line());
    }

    PlanDocument.PlanRow row() {
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
      ENTRY_FIELDS
          .computed("line", FieldValues::line)
          .section(PlanSection::checkEntry)
          .allowUnknownFields();

  private static final RecordSection<PlanDocument.Choice> CHOICE_FIELDS =
      RecordSection.define(PlanDocument.Choice.class)
          .codec(
              "shared",
              new MappedCodec<>(
                  StringCodecs.word(new Brackets[] {Brackets.SEPARATE, Brackets.SHARED}),
                  Brackets.SHARED::equals,
                  shared -> shared ? Brackets.SHARED : Brackets.SEPARATE))
          .empty("shared", false, shared -> !shared)
          .codec(
              "rows",
              new MappedCodec<>(
                  ListCodecs.nonEmpty(ENTRY), PlanSection::rows, PlanSection::entries));
  private static final Field<PlanDocument.Choice, Map<String, PlanDocument.PlanRow>> PLAN =
      CHOICE_FIELDS.field("rows");
  private static final Section<PlanDocument.Choice> CHOICE =
      CHOICE_FIELDS
          .computed("line", fieldValues -> fieldValues.lineOf(PLAN))
          .section(PlanSection::checkGroups)
          .allowUnknownFields();

  private PlanSection() {}

  /** Returns the section for a file of that name. */
  static Section<PlanDocument> of(String file) {
    return RecordSection.define(PlanDocument.class)
        .computed("file", fieldValues -> file)
        .inlined("chosen", CHOICE)
        .codec("frontier", ListCodecs.of(CHOICE))
        .codec("saved", SavedPlanSection.SECTION)
        .section()
        .allowUnknownFields();
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

  private static void checkGroups(FieldValues fieldValues) {
    Map<String, Integer> seen = new HashMap<>();
    for (FieldValues.ValuePart<PlanEntry> valuePart : fieldValues.parts(PLAN, ENTRY)) {
      String group = valuePart.value().group();
      Integer first = seen.putIfAbsent(group, valuePart.value().line());
      if (first != null) {
        fieldValues.problem(
            valuePart, "group " + group + " is given twice, first on line " + first, "");
      }
    }
  }

  private static Map<String, PlanDocument.PlanRow> rows(List<PlanEntry> entries) {
    Map<String, PlanDocument.PlanRow> rows = new LinkedHashMap<>();
    entries.forEach(entry -> rows.put(entry.group(), entry.row()));
    return rows;
  }
}
