package io.elastune.core.config;

import io.elastune.core.config.codec.Codec;
import io.elastune.core.config.codec.ConfigValueCodecs;
import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.FieldValues;
import io.elastune.core.config.codec.ListCodecs;
import io.elastune.core.config.codec.MapCodecs;
import io.elastune.core.config.codec.NearestName;
import io.elastune.core.config.codec.QuantityCodecs;
import io.elastune.core.config.codec.RecordSection;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.codec.StringCodecs;
import io.elastune.core.job.Algorithm;
import io.elastune.core.job.AshaOptions;
import io.elastune.core.job.Brackets;
import io.elastune.core.job.Dimension;
import io.elastune.core.job.FailedTrialLimit;
import io.elastune.core.job.PbtOptions;
import io.elastune.core.job.SamplerOptions;
import io.elastune.core.job.Search;
import io.elastune.core.job.SearchPatience;
import io.elastune.core.job.SearchStop;
import io.elastune.core.job.TrainingResource;
import io.elastune.core.job.WarmStart;
import io.elastune.core.plan.RungRule;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.search.TrialGroups;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The section {@code search} of a job file. */
final class SearchSection {
  private static final Pattern SAMPLER_OPTION = Pattern.compile("[a-z_][a-z0-9_]{0,63}");
  private static final int MOST_TRIALS = RungRule.UNLIMITED;

  /** Comparisons of a population: each is a group of trials, which is planned. */
  private static final int MOST_COMPARISONS = 1000;

  private static final int DEFAULT_ETA = 3;
  private static final List<String> LATER = List.of("median", "hyperopt");
  private static final String WITH_SAMPLER =
      "use algorithm: hyperband (or asha) with sampler: {type: optuna}";
  private static final Map<String, String> REPLACED =
      Map.of("bohb", WITH_SAMPLER, "tpe", WITH_SAMPLER, "bayesian", WITH_SAMPLER);
  private static final Set<Algorithm> TAKE_TRIALS =
      EnumSet.of(Algorithm.SHA, Algorithm.ASHA, Algorithm.PBT, Algorithm.RANDOM);
  private static final Set<Algorithm> TAKE_ETA =
      EnumSet.of(Algorithm.SHA, Algorithm.ASHA, Algorithm.HYPERBAND);

  static final Codec<Dimension> DIMENSION = DimensionSections.CODEC;

  static final Section<AshaOptions> ASHA_OPTIONS =
      RecordSection.define(AshaOptions.class).defaults(AshaOptions.DEFAULT).section();

  private static final RecordSection<Search> FIELDS =
      RecordSection.define(Search.class)
          .codec(
              "algorithm", StringCodecs.word(Algorithm.values(), Algorithm::word, LATER, REPLACED))
          .codec("metric", MetricSection.SECTION)
          .codec("resource", TrainingResourceSection.SECTION)
          .empty("resource", TrainingResource.ONE_SHOT, resource -> false)
          .codec(
              "space",
              MapCodecs.nonEmpty(DimensionSections.NAME, DimensionSections.NAME_TYPE, DIMENSION))
          .codec("maxFailedTrials", QuantityCodecs.failedTrialLimit())
          .codec("configs", ConfigurationRules.CODEC)
          .codec(
              "warmStart",
              RecordSection.define(WarmStart.class)
                  .codec("configs", ListCodecs.of(ConfigurationRules.item()))
                  .section())
          .codec("asha", ASHA_OPTIONS)
          .codec(
              "stop",
              RecordSection.define(SearchStop.class)
                  .codec("time", QuantityCodecs.timeLimit())
                  .codec("patience", RecordSection.define(SearchPatience.class).section())
                  .section())
          .codec(
              "pbt", RecordSection.define(PbtOptions.class).defaults(PbtOptions.DEFAULT).section())
          .codec(
              "sampler",
              RecordSection.define(SamplerOptions.class)
                  .codec(
                      "options",
                      MapCodecs.of(
                          SAMPLER_OPTION,
                          "lower-case letters, digits and '_'",
                          ConfigValueCodecs.value()))
                  .defaults(SamplerOptions.DEFAULT)
                  .section())
          .written(
              "trials", search -> TAKE_TRIALS.contains(search.algorithm()) && search.limitsTrials())
          .written("eta", search -> TAKE_ETA.contains(search.algorithm()))
          .empty("eta", DEFAULT_ETA, eta -> false)
          .written("repeat", search -> !search.drawsWithReplacement())
          .computed("trials", SearchSection::givenTrials)
          .computed("configs", SearchSection::typedConfigurations)
          .computed("warmStart", SearchSection::typedWarmStart);
  private static final Field<Search, Algorithm> ALGORITHM = FIELDS.field("algorithm");
  private static final Field<Search, Integer> TRIALS = FIELDS.field("trials");
  private static final Field<Search, Integer> ETA = FIELDS.field("eta");
  private static final Field<Search, Integer> REPEAT = FIELDS.field("repeat");
  private static final Field<Search, TrainingResource> RESOURCE_FIELD = FIELDS.field("resource");
  private static final Field<Search, Map<String, Dimension>> SPACE = FIELDS.field("space");
  private static final Field<Search, FailedTrialLimit> MAX_FAILED_TRIALS =
      FIELDS.field("maxFailedTrials");
  private static final Field<Search, List<Map<String, Object>>> CONFIGS = FIELDS.field("configs");
  private static final Field<Search, WarmStart> WARM_START = FIELDS.field("warmStart");
  private static final Field<Search, AshaOptions> ASHA = FIELDS.field("asha");
  private static final Field<Search, SearchStop> STOP = FIELDS.field("stop");
  private static final Field<Search, PbtOptions> PBT = FIELDS.field("pbt");
  private static final Field<Search, SamplerOptions> SAMPLER = FIELDS.field("sampler");
  private static final Field<Search, Brackets> BRACKETS = FIELDS.field("brackets");

  static final Codec<Integer> ETA_CODEC = ETA.codec();

  static final Section<Search> SECTION =
      FIELDS.section(SearchSection::check, SearchSection::complete);

  private SearchSection() {}

  private static void check(FieldValues fieldValues) {
    Optional<Algorithm> found = fieldValues.find(ALGORITHM);
    if (found.isEmpty()) {
      return;
    }
    Algorithm algorithm = found.get();
    if (fieldValues
        .find(STOP)
        .flatMap(SearchStop::patience)
        .filter(patience -> patience.trials().isEmpty() && patience.time().isEmpty())
        .isPresent()) {
      fieldValues.problem(STOP, "patience", "needs trials or time", "{trials: 20} or {time: 1h}");
    }
    if (TAKE_TRIALS.contains(algorithm) && !fieldValues.isGiven(TRIALS)) {
      checkUnlimited(fieldValues, algorithm);
    }
    if (algorithm == Algorithm.HYPERBAND && fieldValues.isGiven(TRIALS)) {
      fieldValues.problem(
          TRIALS,
          "is not used by hyperband, which computes it from min, max and eta",
          "leave it out");
    }
    checkRepeat(fieldValues, algorithm);
    if (!TAKE_ETA.contains(algorithm) && fieldValues.isGiven(ETA)) {
      fieldValues.problem(ETA, "is not used by " + algorithm.word(), "leave it out");
    }
    if (algorithm != Algorithm.RANDOM
        && algorithm != Algorithm.GRID
        && !fieldValues.isGiven(RESOURCE_FIELD)) {
      fieldValues.problem(
          RESOURCE_FIELD,
          "is missing: " + algorithm.word() + " compares trials while they train",
          "add resource: {unit: epoch, max: 10}, or use random");
    }
    boolean isUnlimited =
        algorithm == Algorithm.ASHA
            && fieldValues.find(TRIALS).filter(it -> it == RungRule.UNLIMITED).isPresent();
    if (isUnlimited) { // the number that stands for none
      fieldValues.problem(TRIALS, "must be below " + RungRule.UNLIMITED, "");
    }
    checkRungs(fieldValues, algorithm);
    checkPopulation(fieldValues, algorithm);
    if ((algorithm == Algorithm.GRID || algorithm == Algorithm.PBT)
        && fieldValues.isGiven(SAMPLER)) {
      fieldValues.problem(SAMPLER, "is not used by " + algorithm.word(), "leave it out");
    }
    checkBrackets(fieldValues, algorithm);
    SpaceRules.checkSteps(fieldValues, fieldValues.parts(SPACE, DIMENSION), algorithm);
    SpaceRules.checkConditions(
        fieldValues, fieldValues.find(SPACE), fieldValues.parts(SPACE, DIMENSION));
    checkConfigurations(fieldValues, algorithm);
  }

  private static void checkRepeat(FieldValues fieldValues, Algorithm algorithm) {
    if (fieldValues.find(REPEAT).orElse(1) < 2) {
      return;
    }
    if (algorithm == Algorithm.PBT) {
      fieldValues.problem(
          REPEAT, "is not used by pbt, whose trials change their configurations", "leave it out");
    } else if (proposes(fieldValues)) {
      fieldValues.problem(
          REPEAT, "is not used with a sampler, which proposes each configuration", "leave it out");
    }
  }

  private static boolean proposes(FieldValues fieldValues) {
    return fieldValues
        .find(SAMPLER)
        .filter(sampler -> sampler.type() == SamplerOptions.Type.OPTUNA)
        .isPresent();
  }

  /** Without a number of trials, something else must end the search. */
  private static void checkUnlimited(FieldValues fieldValues, Algorithm algorithm) {
    if (algorithm != Algorithm.ASHA) {
      fieldValues.problem(TRIALS, "is missing: " + algorithm.word() + " needs it", "");
    } else if (!fieldValues.isGiven(STOP)
        || fieldValues.find(STOP).filter(stop -> !stop.isSufficient()).isPresent()) {
      fieldValues.problem(
          TRIALS,
          "is missing: asha needs trials, stop.trained or stop.time",
          "set one of them; with policy hypersched, trials");
    }
    if (fieldValues
        .find(MAX_FAILED_TRIALS)
        .filter(FailedTrialLimit.Share.class::isInstance)
        .isPresent()) {
      fieldValues.problem(
          MAX_FAILED_TRIALS, "is a share of search.trials, which is not given", "use a number");
    }
  }

  private static void checkBrackets(FieldValues fieldValues, Algorithm algorithm) {
    if (algorithm != Algorithm.HYPERBAND && fieldValues.isGiven(BRACKETS)) {
      fieldValues.problem(BRACKETS, "is used by hyperband only", "leave it out");
      return;
    }
    boolean concurrent =
        fieldValues
            .find(BRACKETS)
            .filter(it -> it == Brackets.SEPARATE || it == Brackets.SHARED)
            .isPresent();
    if (proposes(fieldValues) && concurrent) {
      fieldValues.problem(
          BRACKETS,
          "must be sequential with a sampler, so that later brackets use earlier results",
          "leave it out");
    }
  }

  private static void checkRungs(FieldValues fieldValues, Algorithm algorithm) {
    if (algorithm != Algorithm.ASHA) {
      checkUnusedByOthers(fieldValues);
      return;
    }
    fieldValues.find(RESOURCE_FIELD).ifPresent(resource -> checkTargets(fieldValues, resource));
  }

  /** Refuses what only ASHA uses. */
  private static void checkUnusedByOthers(FieldValues fieldValues) {
    if (fieldValues.isGiven(ASHA)) {
      fieldValues.problem(ASHA, "is used by asha only", "leave it out");
    }
    if (fieldValues.find(STOP).flatMap(SearchStop::trained).isPresent()) {
      fieldValues.problem(STOP, "trained", "is used by asha only", "use target, or leave it out");
    }
    if (fieldValues.find(STOP).flatMap(SearchStop::time).isPresent()) {
      fieldValues.problem(STOP, "time", "is used by asha only", "use deadline, or leave it out");
    }
    if (fieldValues.find(RESOURCE_FIELD).filter(it -> it.rungs().isPresent()).isPresent()) {
      fieldValues.problem(RESOURCE_FIELD, "rungs", "is used by asha only", "use min");
    }
  }

  /** Refuses rungs that are equal, a single one, and more brackets than rungs. */
  private static void checkTargets(FieldValues fieldValues, TrainingResource resource) {
    int eta = fieldValues.find(ETA).orElse(DEFAULT_ETA);
    int startRung = fieldValues.find(ASHA).map(AshaOptions::startRung).orElse(0);
    int brackets = fieldValues.find(ASHA).map(AshaOptions::brackets).orElse(1);
    List<Integer> targets = TrialGroups.rungTargets(resource, eta, startRung);
    int rungs = targets.size();
    if (new TreeSet<>(targets).size() < rungs) {
      fieldValues.problem(
          RESOURCE_FIELD,
          "rungs",
          "leaves two rungs the same target: " + targets,
          "use fewer rungs");
    }
    if (rungs < 2) {
      fieldValues.problem(
          fieldValues.isGiven(ASHA) && startRung > 0 ? ASHA : RESOURCE_FIELD,
          "leaves asha a single rung: trials are compared at " + resource.max() + " only",
          "lower min or start_rung, or use random");
    } else if (brackets > rungs) {
      fieldValues.problem(
          ASHA,
          "brackets",
          "must be at most " + rungs + ", the number of rungs, is " + brackets,
          "use fewer brackets, or lower min or start_rung");
    }
  }

  private static void checkPopulation(FieldValues fieldValues, Algorithm algorithm) {
    if (algorithm != Algorithm.PBT) {
      if (fieldValues.isGiven(PBT)) {
        fieldValues.problem(PBT, "is used by pbt only", "leave it out");
      }
      return;
    }
    if (fieldValues.find(TRIALS).filter(trials -> trials < 2).isPresent()) {
      fieldValues.problem(TRIALS, "must be at least 2 for pbt, which compares trials", "");
    }
    fieldValues
        .find(RESOURCE_FIELD)
        .filter(resource -> resource.min() == resource.max())
        .ifPresent(
            resource ->
                fieldValues.problem(
                    RESOURCE_FIELD,
                    "leaves pbt no comparison: min, the units between two, is max",
                    "lower min, or use random"));
    fieldValues
        .find(RESOURCE_FIELD)
        .filter(resource -> resource.max() / resource.min() > MOST_COMPARISONS)
        .ifPresent(
            resource ->
                fieldValues.problem(
                    RESOURCE_FIELD,
                    String.format(
                        Locale.ROOT,
                        "compares the trials of pbt after each %,d of %,d units: more than %,d times",
                        resource.min(),
                        resource.max(),
                        MOST_COMPARISONS),
                    "raise min to at least "
                        + ((long) resource.max() + MOST_COMPARISONS - 1) / MOST_COMPARISONS));
    Set<String> names = fieldValues.find(SPACE).map(Map::keySet).orElse(Set.of());
    fieldValues.find(PBT).map(PbtOptions::freeze).orElse(List.of()).stream()
        .filter(name -> !names.isEmpty() && !names.contains(name))
        .forEach(
            name ->
                fieldValues.problem(
                    PBT,
                    "freeze: " + name + " is not a hyperparameter of search.space",
                    NearestName.hint(name, names)));
  }

  private static void checkConfigurations(FieldValues fieldValues, Algorithm algorithm) {
    if (algorithm == Algorithm.GRID) {
      Stream.of(CONFIGS, WARM_START)
          .filter(fieldValues::isGiven)
          .forEach(
              field ->
                  fieldValues.problem(
                      field,
                      "is not used by grid, which trains every combination",
                      "leave it out, or use random"));
      return;
    }
    fieldValues
        .find(SPACE)
        .ifPresent(
            space ->
                new ConfigurationRules(fieldValues, space)
                    .check(fieldValues.parts(CONFIGS, ConfigurationRules.item())));
  }

  private static List<Map<String, Object>> typed(
      FieldValues fieldValues, List<Map<String, Object>> configurations) {
    Map<String, Dimension> space = fieldValues.get(SPACE);
    return configurations.stream().map(one -> ConfigurationRules.typed(space, one)).toList();
  }

  private static List<Map<String, Object>> typedConfigurations(FieldValues fieldValues) {
    return typed(fieldValues, fieldValues.find(CONFIGS).orElse(List.of()));
  }

  private static Optional<WarmStart> typedWarmStart(FieldValues fieldValues) {
    return fieldValues
        .find(WARM_START)
        .map(
            given ->
                new WarmStart(
                    given.run(),
                    given.best(),
                    given.configs().map(list -> typed(fieldValues, list))));
  }

  private static int givenTrials(FieldValues fieldValues) {
    return fieldValues
        .find(TRIALS)
        .orElse(fieldValues.get(ALGORITHM) == Algorithm.ASHA ? RungRule.UNLIMITED : 1);
  }

  private static void checkCount(FieldValues fieldValues, Search search) {
    int configurations = search.configs().size();
    int more = configurations - search.mostConfigurations();
    if (more > 0) {
      boolean given = TAKE_TRIALS.contains(search.algorithm());
      fieldValues.problem(
          CONFIGS,
          "has %d configurations, but the search starts with %d trials"
                  .formatted(configurations, search.trials())
              + (search.repeat() > 1 ? ", " + search.repeat() + " of each" : ""),
          (given
                  ? "set search.trials to at least "
                      + (long) configurations * Math.max(1, search.repeat())
                      + ", or "
                  : "")
              + "remove "
              + more);
    }
  }

  /** Returns the search with the number of trials that follows from its other fields. */
  private static Search complete(FieldValues fieldValues, Search search) {
    int trials = trials(search);
    if (trials > MOST_TRIALS) {
      Field<?, ?> cause = search.algorithm() == Algorithm.GRID ? SPACE : RESOURCE_FIELD;
      fieldValues.problem(
          cause,
          "results in more than " + MOST_TRIALS + " trials with " + search.algorithm().word(),
          "use fewer values, or random");
    } else if (fieldValues.isGiven(TRIALS) && fieldValues.find(TRIALS).orElse(trials) != trials) {
      fieldValues.problem(
          TRIALS,
          search.repeat() > 1
              ? "the grid has " + trials + " trials, " + search.repeat() + " of each point"
              : "the grid has " + trials + " points",
          "leave trials out");
    }
    Search complete = search.withTrials(trials);
    checkCount(fieldValues, complete);
    return complete;
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
    if (TAKE_TRIALS.contains(search.algorithm())) {
      return search.trials(); // the rungs of asha may be invalid, which is another problem
    }
    Search every = search.algorithm() == Algorithm.GRID ? search : search.withReplacement();
    try {
      long trials =
          TrialGroups.of(every).groups().stream()
              .filter(group -> group.fromUnit() == 0)
              .mapToLong(TrialGroup::trials)
              .sum();
      return (int) Math.min(trials, MOST_TRIALS + 1);
    } catch (ArithmeticException e) {
      return MOST_TRIALS + 1;
    }
  }

  /** Returns whether the dimension has so many values that counting them may overflow. */
  private static boolean isEndless(Dimension dimension) {
    return dimension.gridSize().orElse(0) > MOST_TRIALS;
  }
}
