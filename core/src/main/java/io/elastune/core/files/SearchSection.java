package io.elastune.core.files;

import io.elastune.core.files.schema.Codec;
import io.elastune.core.files.schema.Field;
import io.elastune.core.files.schema.Maps;
import io.elastune.core.files.schema.Numbers;
import io.elastune.core.files.schema.Section;
import io.elastune.core.files.schema.Texts;
import io.elastune.core.files.schema.Values;
import io.elastune.core.job.Algorithm;
import io.elastune.core.job.Dimension;
import io.elastune.core.job.Metric;
import io.elastune.core.job.Resource;
import io.elastune.core.job.Search;
import io.elastune.core.search.TrialGroups;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The section {@code search} of a job file. */
final class SearchSection {
  private static final int MOST_TRIALS = 100_000;
  private static final int DEFAULT_ETA = 3;
  private static final List<String> LATER =
      List.of("asha", "pbt", "bohb", "tpe", "bayesian", "median", "hyperopt");
  private static final Set<Algorithm> TAKE_TRIALS = EnumSet.of(Algorithm.SHA, Algorithm.RANDOM);
  private static final Set<Algorithm> TAKE_ETA = EnumSet.of(Algorithm.SHA, Algorithm.HYPERBAND);
  private static final Pattern PARAMETER = Pattern.compile("[A-Za-z_][A-Za-z0-9_./-]{0,63}");

  static final Section<Metric> METRIC = metric();
  static final Section<Resource> RESOURCE = resource();
  static final Codec<Dimension> DIMENSION = DimensionSections.CODEC;

  private static final Field<Search, Algorithm> ALGORITHM =
      Field.required(
          "algorithm",
          Texts.word(Algorithm.values(), Algorithm::word, LATER),
          Search::algorithm,
          "Search algorithm. `sha` is successive halving; `hyperband` runs several such brackets;"
              + " `random` and `grid` train every trial to the end.",
          "sha");
  private static final Field<Search, Metric> METRIC_FIELD =
      Field.required(
          "metric",
          METRIC,
          Search::metric,
          "Metric by which trials are compared.",
          "{name: val_acc, goal: maximize}");
  private static final Field<Search, Integer> TRIALS =
      Field.optional(
          "trials",
          Numbers.whole(1, MOST_TRIALS),
          "required for sha and random; not used by hyperband and grid",
          search ->
              Optional.of(search.trials()).filter(n -> TAKE_TRIALS.contains(search.algorithm())),
          "Number of trials at the start.",
          "64");
  private static final Field<Search, Integer> ETA =
      Field.optional(
          "eta",
          Numbers.whole(2, Integer.MAX_VALUE),
          DEFAULT_ETA + "; not used by random and grid",
          search -> Optional.of(search.eta()).filter(n -> TAKE_ETA.contains(search.algorithm())),
          "Reduction factor: one in `eta` trials continues after each group.",
          "4");
  private static final Field<Search, Resource> RESOURCE_FIELD =
      Field.required(
          "resource",
          RESOURCE,
          Search::resource,
          "How many units trials are trained.",
          "{unit: epoch, min: 1, max: 64}");
  private static final Field<Search, Map<String, Dimension>> SPACE =
      Field.required(
          "space",
          Maps.ofSome(
              PARAMETER, "letters, digits, '_', '.', '/' and '-', with a letter first", DIMENSION),
          Search::space,
          "The hyperparameters by name, each with its range or values.",
          "{lr: {type: loguniform, low: 1e-4, high: 1e-1}}");
  private static final Field<Search, Long> SEED =
      Field.withDefault(
          "seed",
          Numbers.wholeOf64Bits(),
          1L,
          Search::seed,
          "Seed of all random streams; `--seed` overrides it.",
          "17");

  static final Section<Search> SECTION =
      Section.<Search>of(
              "search",
              "The hyperparameter search.",
              List.of(ALGORITHM, METRIC_FIELD, TRIALS, ETA, RESOURCE_FIELD, SPACE, SEED),
              SearchSection::build)
          .checking(SearchSection::check);

  private SearchSection() {}

  private static Section<Metric> metric() {
    return Section.of(
        "search.metric",
        "The metric that every trial reports.",
        List.of(MetricFields.NAME, MetricFields.GOAL),
        values -> new Metric(values.get(MetricFields.NAME), values.get(MetricFields.GOAL)));
  }

  /** Fields of the metric. */
  private static final class MetricFields {
    static final Field<Metric, String> NAME =
        Field.required(
            "name",
            Texts.text(),
            Metric::name,
            "Name of the metric in the reports of the trials.",
            "val_acc");
    static final Field<Metric, Metric.Goal> GOAL =
        Field.required(
            "goal",
            Texts.word(Metric.Goal.values(), Metric.Goal::word),
            Metric::goal,
            "Whether higher or lower values are better.",
            "maximize");
  }

  private static Section<Resource> resource() {
    return Section.<Resource>of(
            "search.resource",
            "How many whole units a trial is trained.",
            List.of(ResourceFields.UNIT, ResourceFields.MIN, ResourceFields.MAX),
            values ->
                new Resource(
                    values.get(ResourceFields.UNIT),
                    values.get(ResourceFields.MIN),
                    values.get(ResourceFields.MAX)))
        .checking(SearchSection::checkResource);
  }

  /** Fields of the resource. */
  private static final class ResourceFields {
    static final Field<Resource, String> UNIT =
        Field.required("unit", Texts.text(), Resource::unit, "Name of the training unit.", "epoch");
    static final Field<Resource, Integer> MIN =
        Field.withDefault(
            "min",
            Numbers.whole(1, Integer.MAX_VALUE),
            1,
            Resource::min,
            "Units after which trials are compared for the first time.",
            "1");
    static final Field<Resource, Integer> MAX =
        Field.required(
            "max",
            Numbers.whole(1, Integer.MAX_VALUE),
            Resource::max,
            "Units of a fully trained trial.",
            "64");
  }

  private static void checkResource(Values values) {
    int min = values.find(ResourceFields.MIN).orElse(1);
    int max = values.find(ResourceFields.MAX).orElse(Integer.MAX_VALUE);
    if (min > max) {
      Field<?, ?> field =
          values.given(ResourceFields.MIN) ? ResourceFields.MIN : ResourceFields.MAX;
      values.problem(field, "min is above max: " + min + " > " + max, "");
    }
  }

  private static void check(Values values) {
    Optional<Algorithm> found = values.find(ALGORITHM);
    if (found.isEmpty()) {
      return;
    }
    Algorithm algorithm = found.get();
    if (TAKE_TRIALS.contains(algorithm) && !values.given(TRIALS)) {
      values.problem(TRIALS, "is missing: " + algorithm.word() + " needs it", "");
    }
    if (algorithm == Algorithm.HYPERBAND && values.given(TRIALS)) {
      values.problem(
          TRIALS,
          "is not used by hyperband, which computes it from min, max and eta",
          "leave it out");
    }
    if (!TAKE_ETA.contains(algorithm) && values.given(ETA)) {
      values.problem(ETA, "is not used by " + algorithm.word(), "leave it out");
    }
    checkSteps(values, algorithm);
  }

  private static void checkSteps(Values values, Algorithm algorithm) {
    for (Values.Part<Dimension> part : values.parts(SPACE, DIMENSION)) {
      boolean given = DimensionSections.steps(part.value()).isPresent();
      if (algorithm == Algorithm.GRID && !given && DimensionSections.isContinuous(part.value())) {
        values.problem(part, "needs steps for a grid search", "e.g. steps: 5, or type: choice");
      } else if (algorithm != Algorithm.GRID && given) {
        values.problem(
            part, "steps is used by grid only, not by " + algorithm.word(), "leave steps out");
      }
    }
  }

  private static Search build(Values values) {
    Search search =
        new Search(
            values.get(ALGORITHM),
            values.get(METRIC_FIELD),
            values.find(TRIALS).orElse(1),
            values.find(ETA).orElse(DEFAULT_ETA),
            values.get(RESOURCE_FIELD),
            values.get(SPACE),
            values.get(SEED));
    int trials = trials(search);
    if (trials > MOST_TRIALS) {
      Field<?, ?> cause = search.algorithm() == Algorithm.GRID ? SPACE : RESOURCE_FIELD;
      values.problem(
          cause,
          "results in more than " + MOST_TRIALS + " trials with " + search.algorithm().word(),
          "use fewer values, or random");
    } else if (values.given(TRIALS) && values.find(TRIALS).orElse(trials) != trials) {
      values.problem(TRIALS, "the grid has " + trials + " points", "leave trials out");
    }
    return new Search(
        search.algorithm(),
        search.metric(),
        trials,
        search.eta(),
        search.resource(),
        search.space(),
        search.seed());
  }

  /**
   * Returns the number of trials that the search starts with, but at most one more than allowed.
   */
  private static int trials(Search search) {
    boolean endless =
        search.algorithm() == Algorithm.GRID
            && search.space().values().stream().anyMatch(SearchSection::isEndless);
    if (endless) {
      return MOST_TRIALS + 1;
    }
    try {
      long trials =
          TrialGroups.of(search).chains().stream()
              .mapToLong(chain -> chain.groups().get(0).trials())
              .sum();
      return (int) Math.min(trials, MOST_TRIALS + 1);
    } catch (ArithmeticException e) {
      return MOST_TRIALS + 1;
    }
  }

  /** Returns whether the dimension has so many whole numbers that counting them may overflow. */
  private static boolean isEndless(Dimension dimension) {
    return dimension.match(
        uniform -> false,
        logUniform -> false,
        integer -> {
          long width = integer.high() - integer.low();
          return integer.steps().isEmpty() && (width < 0 || width >= MOST_TRIALS);
        },
        choice -> false);
  }
}
