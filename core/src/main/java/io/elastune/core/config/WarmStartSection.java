package io.elastune.core.config;

import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.ListCodecs;
import io.elastune.core.config.codec.NumberCodecs;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.codec.StringCodecs;
import io.elastune.core.job.WarmStart;
import java.util.List;
import java.util.Map;

/** The section {@code search.warm_start} of a job file. */
final class WarmStartSection {
  private static final int DEFAULT_BEST = 3;

  private static final Field<WarmStart, String> RUN =
      Field.withDefault(
          "run",
          StringCodecs.text(),
          WarmStart.LATEST,
          WarmStart::run,
          "The earlier run, or `latest`: the latest run of this job with results, if there is one.",
          "latest");
  private static final Field<WarmStart, Integer> BEST =
      Field.withDefault(
          "best",
          NumberCodecs.wholeNumber(1, Integer.MAX_VALUE),
          DEFAULT_BEST,
          WarmStart::best,
          "Highest number of its configurations.",
          "3");
  private static final Field<WarmStart, List<Map<String, Object>>> CONFIGS =
      Field.optional(
          "configs",
          ListCodecs.of(ConfigurationRules.item()),
          "read from the run",
          WarmStart::configs,
          "The configurations; Elastune adds them to the job of a run.",
          "[{lr: 0.01}]");

  static final Section<WarmStart> SECTION =
      Section.of(
          "search.warm_start",
          "Tries the best configurations of an earlier run first, after those of `configs`.",
          List.of(RUN, BEST, CONFIGS),
          fieldValues ->
              new WarmStart(
                  fieldValues.get(RUN), fieldValues.get(BEST), fieldValues.find(CONFIGS)));

  private WarmStartSection() {}
}
