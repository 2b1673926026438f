package io.elastune.core.config;

import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.NumberCodecs;
import io.elastune.core.config.codec.QuantityCodecs;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.codec.StringCodecs;
import io.elastune.core.job.AshaOptions;
import io.elastune.core.job.SearchStop;
import io.elastune.core.plan.RungRule;
import java.util.List;

/** The sections {@code search.asha} and {@code search.stop} of a job file. */
final class AshaSection {
  private static final int MOST_RUNGS = 31;

  private static final Field<AshaOptions, RungRule.Variant> VARIANT =
      Field.withDefault(
          "variant",
          StringCodecs.word(RungRule.Variant.values()),
          AshaOptions.DEFAULT.variant(),
          AshaOptions::variant,
          "`promotion` ends a trial at each rung until it is promoted; `stopping` continues it at"
              + " once or discards it.",
          "stopping");
  private static final Field<AshaOptions, Integer> START_RUNG =
      Field.withDefault(
          "start_rung",
          NumberCodecs.wholeNumber(0, MOST_RUNGS),
          AshaOptions.DEFAULT.startRung(),
          AshaOptions::startRung,
          "Rungs that are left out at the start; a higher value stops fewer trials early.",
          "1");
  private static final Field<AshaOptions, AshaOptions.Finish> FINISH =
      Field.withDefault(
          "finish",
          StringCodecs.word(AshaOptions.Finish.values()),
          AshaOptions.DEFAULT.finish(),
          AshaOptions::finish,
          "`best` trains the best trial to the end if none was promoted that far; `none` does not.",
          "none");
  private static final Field<AshaOptions, Integer> CONCURRENCY =
      Field.optional(
          "concurrency",
          NumberCodecs.wholeNumber(1, Integer.MAX_VALUE),
          "no limit; the number of GPUs with policy fluid",
          AshaOptions::concurrency,
          "New trials start only while fewer trials than this run.",
          "8");
  private static final Field<AshaOptions, Integer> BRACKETS =
      Field.withDefault(
          "brackets",
          NumberCodecs.wholeNumber(1, MOST_RUNGS),
          AshaOptions.DEFAULT.brackets(),
          AshaOptions::brackets,
          "Brackets of asynchronous Hyperband; each starts one rung above the one before, and has"
              + " fewer trials.",
          "3");
  private static final Field<SearchStop, Integer> TRAINED =
      Field.optional(
          "trained",
          NumberCodecs.wholeNumber(1, Integer.MAX_VALUE),
          "no limit",
          SearchStop::trained,
          "Ends the search at once when so many trials are fully trained.",
          "3");

  private static final Field<SearchStop, Double> TARGET =
      Field.optional(
          "target",
          NumberCodecs.finite(),
          "no limit",
          SearchStop::target,
          "Ends the search at once when a trial reports this metric or a better one.",
          "0.95");

  private static final Field<SearchStop, RungRule.TimeLimit> TIME =
      Field.optional(
          "time",
          QuantityCodecs.timeLimit(),
          "no limit",
          SearchStop::time,
          "Ends the search at this time from its start. Needs a budget or a fixed cluster.",
          "2h");

  static final Section<AshaOptions> SECTION =
      Section.of(
          "search.asha",
          "Options of asynchronous successive halving.",
          List.of(VARIANT, START_RUNG, FINISH, CONCURRENCY, BRACKETS),
          fieldValues ->
              new AshaOptions(
                  fieldValues.get(VARIANT),
                  fieldValues.get(START_RUNG),
                  fieldValues.get(FINISH),
                  fieldValues.find(CONCURRENCY),
                  fieldValues.get(BRACKETS)));

  static final Section<SearchStop> STOP =
      Section.of(
          "search.stop",
          "When the search ends before all its trials have.",
          List.of(TRAINED, TARGET, TIME),
          fieldValues ->
              new SearchStop(
                  fieldValues.find(TRAINED), fieldValues.find(TARGET), fieldValues.find(TIME)));

  private AshaSection() {}
}
