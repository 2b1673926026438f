package io.elastune.core.files;

import io.elastune.core.files.schema.Field;
import io.elastune.core.files.schema.Lists;
import io.elastune.core.files.schema.Numbers;
import io.elastune.core.files.schema.Scalars;
import io.elastune.core.files.schema.Section;
import io.elastune.core.files.schema.Texts;
import io.elastune.core.files.schema.Values;
import io.elastune.core.plan.Allocation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The top-level section of a plan file. */
final class PlanSection {
  private static final int MOST = Integer.MAX_VALUE;

  /** An entry of the list {@code plan}. */
  private record Entry(
      String group, Allocation allocation, Optional<Integer> trials, Optional<Integer> units) {}

  private static final Field<Entry, String> GROUP =
      Field.required(
          "group",
          Texts.text(),
          Entry::group,
          "Name of the group: `1`, `2`, … for one chain; `a.1`, `a.2`, `b.1`, … for several.",
          "\"1\"");
  private static final Field<Entry, Integer> TRIALS =
      Field.optional(
          "trials",
          Numbers.whole(1, MOST),
          "not checked",
          Entry::trials,
          "Number of trials in the group.",
          "64");
  private static final Field<Entry, Integer> UNITS =
      Field.optional(
          "units",
          Numbers.whole(1, MOST),
          "not checked",
          Entry::units,
          "Units that each trial is trained in the group.",
          "1");
  private static final Field<Entry, String> OFFER =
      Field.required(
          "offer",
          Texts.text(),
          entry -> entry.allocation().offer(),
          "Name of the offer to rent.",
          "\"aws/us-east-1/p3.8xlarge/on-demand\"");
  private static final Field<Entry, Integer> INSTANCES =
      Field.required(
          "instances",
          Numbers.whole(1, MOST),
          entry -> entry.allocation().instances(),
          "Instances held for the group.",
          "4");
  private static final Field<Entry, Integer> GPUS_PER_TRIAL =
      Field.required(
          "gpus_per_trial",
          Numbers.whole(1, MOST),
          entry -> entry.allocation().gpusPerTrial(),
          "GPUs per trial; 1 when several trials share a GPU.",
          "1");
  private static final Field<Entry, Integer> TRIALS_PER_GPU =
      Field.withDefault(
          "trials_per_gpu",
          Numbers.whole(1, MOST),
          1,
          entry -> entry.allocation().trialsPerGpu(),
          "Trials per GPU.",
          "1");

  private static final Section<Entry> ENTRY =
      Section.<Entry>of(
              "plan",
              "One entry for each group; other fields are ignored.",
              List.of(GROUP, TRIALS, UNITS, OFFER, INSTANCES, GPUS_PER_TRIAL, TRIALS_PER_GPU),
              PlanSection::buildEntry)
          .checking(PlanSection::checkEntry)
          .open();

  private static final Field<PlanDocument, Boolean> HOLD =
      Field.withDefault(
          "hold",
          Scalars.trueOrFalse(),
          false,
          PlanDocument::hold,
          "Whether no instance is released before the end of the last group.",
          "false");
  private static final Field<PlanDocument, List<Entry>> PLAN =
      Field.required(
          "plan", Lists.ofSome(ENTRY), PlanSection::entries, "The allocation of each group.", "");
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
            List.of(HOLD, PLAN, SAVED),
            values -> build(file, values))
        .checking(PlanSection::check)
        .open();
  }

  private static void checkEntry(Values values) {
    int sharing = values.find(TRIALS_PER_GPU).orElse(1);
    if (sharing > 1 && values.find(GPUS_PER_TRIAL).orElse(1) > 1) {
      values.problem(GPUS_PER_TRIAL, "must be 1 when trials_per_gpu is " + sharing, "");
    }
  }

  private static Entry buildEntry(Values values) {
    Allocation allocation =
        new Allocation(
            values.get(OFFER),
            values.get(INSTANCES),
            values.get(GPUS_PER_TRIAL),
            values.get(TRIALS_PER_GPU));
    return new Entry(values.get(GROUP), allocation, values.find(TRIALS), values.find(UNITS));
  }

  private static List<Entry> entries(PlanDocument document) {
    List<Entry> entries = new ArrayList<>();
    document
        .rows()
        .forEach(
            (group, row) ->
                entries.add(new Entry(group, row.allocation(), row.trials(), row.units())));
    return entries;
  }

  private static void check(Values values) {
    Map<String, Integer> seen = new HashMap<>();
    for (Values.Part<Entry> part : values.parts(PLAN, ENTRY)) {
      String group = part.value().group();
      Integer first = seen.putIfAbsent(group, part.node().place().line());
      if (first != null) {
        values.problem(part, "group " + group + " is given twice, first on line " + first, "");
      }
    }
  }

  private static PlanDocument build(String file, Values values) {
    Map<String, PlanDocument.Row> rows = new LinkedHashMap<>();
    for (Values.Part<Entry> part : values.parts(PLAN, ENTRY)) {
      Entry entry = part.value();
      int line = part.node().place().line();
      rows.put(
          entry.group(),
          new PlanDocument.Row(line, entry.allocation(), entry.trials(), entry.units()));
    }
    return new PlanDocument(file, values.lineOf(PLAN), values.get(HOLD), rows, values.find(SAVED));
  }
}
