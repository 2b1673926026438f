package io.elastune.core.job;

import io.elastune.core.Preconditions;
import io.elastune.core.field.Bounds;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import io.elastune.core.field.Word;
import io.elastune.core.plan.RungRule;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The search of a job: algorithm, metric, resource and hyperparameter space.
 *
 * @param trials number of trials in the first group (sha), in every group (pbt), or in the only
 *     group (random); hyperband and grid compute it from their other fields
 * @param space hyperparameters in file order
 * @param configs the user's own configurations, which the first trials use in this order; the
 *     hyperparameters that one lacks are drawn
 * @param repeat trials of each configuration; 0 in runs of earlier versions, which drew
 *     configurations with replacement
 * @param warmStart the earlier run whose best configurations follow those
 */
@FileSection(title = "search", doc = "The hyperparameter search.")
@RecordBuilder
public record Search(
    @FileField(
            doc =
                "Successive halving (`sha`, `asha`, `hyperband`), populations (`pbt`), or full"
                    + " training (`random`, `grid`).",
            example = "sha")
        Algorithm algorithm,
    @FileField(
            doc = "Metric by which trials are compared.",
            example = "{name: val_acc, goal: maximize}")
        Metric metric,
    @FileField(
            doc = "Trials at the start; for asha, all trials; for pbt, the population.",
            without = "required, for asha unless stop ends it; not used by hyperband and grid",
            example = "64")
        @Bounds(least = 1, most = RungRule.UNLIMITED)
        int trials,
    @FileField(
            doc = "Reduction factor: one in `eta` trials continues after each group or rung.",
            without = "3 (4 with policy hypersched); not used by pbt, random and grid",
            example = "4")
        @Bounds(least = 2)
        int eta,
    @FileField(
            doc = "How many units trials are trained.",
            without = "one unit, for random and grid; then `trial.resumable` is `false`",
            example = "{unit: epoch, min: 1, max: 64}")
        TrainingResource resource,
    @FileField(
            doc = "The hyperparameters by name, each with its range, or with a list of values.",
            example = "{lr: {type: loguniform, low: 1e-4, high: 1e-1}}")
        Map<String, Dimension> space,
    @FileField(
            doc = "Seed of all random streams; `--seed` overrides it.",
            absent = "1",
            example = "17")
        long seed,
    @FileField(
            doc =
                "Trials of each configuration, with seeds of their own; `trials` counts all of"
                    + " them.",
            absent = "1",
            example = "3")
        @Bounds(least = 1, most = RungRule.UNLIMITED)
        int repeat,
    @FileField(
            doc =
                "Failed trials that are tolerated, as a number or a share of all; one more stops"
                    + " the run (exit code 16).",
            without = "no limit",
            example = "10%")
        Optional<FailedTrialLimit> maxFailedTrials,
    @FileField(
            doc = "Own configurations, tried first; missing hyperparameters are drawn.",
            without = "none; not for grid",
            example = "[{lr: 0.01, batch: 64}, {lr: 0.1}]")
        List<Map<String, Object>> configs,
    @FileField(
            doc =
                "Earlier run whose best configurations are tried first; `--warm-start` overrides"
                    + " `run`.",
            without = "none; not for grid",
            example = "{run: latest, best: 3}")
        Optional<WarmStart> warmStart,
    @FileField(
            doc = "Options of asynchronous successive halving.",
            without = "the defaults; only for asha",
            example = "{finish: none, concurrency: 8}")
        Optional<AshaOptions> asha,
    @FileField(
            doc = "When the search ends before all its trials have.",
            without = "never",
            example = "{target: 0.95}")
        Optional<SearchStop> stop,
    @FileField(
            doc = "Options of population based training.",
            without = "the defaults; only for pbt",
            example = "{quantile: 0.2, freeze: [batch]}")
        Optional<PbtOptions> pbt,
    @FileField(
            doc = "Proposes configurations from the results of earlier trials.",
            without = "random; not for grid and pbt",
            example = "{type: optuna, python: /opt/optuna/bin/python}")
        Optional<SamplerOptions> sampler,
    @FileField(
            doc =
                "How brackets use instances (auto: the cheaper of separate and shared; sequential"
                    + " with a sampler).",
            without = "auto; only for hyperband",
            example = "sequential")
        Optional<Brackets> brackets) {
  /** How the configuration of a trial was chosen. */
  public enum Origin implements Word {
    /** Listed in {@code search.configs}. */
    OWN,
    /** One of the best of an earlier run. */
    WARM_START,
    /** A point of a grid. */
    GRID,
    /** Drawn at random. */
    DRAWN,
    /** Derived from the configuration of another trial. */
    EXPLORED,
    /** Proposed by the sampler. */
    PROPOSED
  }

  public Search {
    Preconditions.atLeast("search.trials", 1, trials);
    Preconditions.atLeast("search.eta", 2, eta);
    Preconditions.atLeast("search.repeat", 0, repeat);
    space = Collections.unmodifiableMap(new LinkedHashMap<>(space));
    configs = configs.stream().map(Search::copy).toList();
    Preconditions.that(
        algorithm != Algorithm.GRID || (configs.isEmpty() && warmStart.isEmpty()),
        "search.configs and search.warm_start are not used by grid");
  }

  /**
   * Returns a builder of a search without configurations of the user's own, which draws with
   * replacement unless {@code repeat} is set.
   */
  public static SearchBuilder builder() {
    return SearchBuilder.builder().configs(List.of());
  }

  private static Map<String, Object> copy(Map<String, Object> configuration) {
    return Collections.unmodifiableMap(new LinkedHashMap<>(configuration));
  }

  /** Returns how the configuration of {@code trial}, from 1, is chosen. */
  public Origin origin(int trial) {
    if (algorithm == Algorithm.GRID) {
      return Origin.GRID;
    }
    int configuration = configurationOf(trial);
    if (configuration <= configs.size()) {
      return Origin.OWN;
    }
    return configuration <= firstConfigurations().size() ? Origin.WARM_START : Origin.DRAWN;
  }

  /** Returns the number of the configuration of {@code trial}, both from 1. */
  public int configurationOf(int trial) {
    return (trial - 1) / Math.max(1, repeat) + 1;
  }

  /** Returns for how many configurations there are trials. */
  public int mostConfigurations() {
    return configurationOf(trials);
  }

  /** Whether equal configurations may be drawn any number of times, as by earlier versions. */
  public boolean drawsWithReplacement() {
    return repeat == 0;
  }

  /** Whether the number of trials is limited, and not only by {@code stop}. */
  public boolean limitsTrials() {
    boolean otherwise = stop.filter(SearchStop::isSufficient).isPresent();
    return !otherwise || trials < RungRule.UNLIMITED;
  }

  /** Whether a sampler proposes configurations from the results of earlier trials. */
  public boolean usesSampler() {
    return sampler.filter(it -> it.type() == SamplerOptions.Type.OPTUNA).isPresent();
  }

  /**
   * Whether one bracket of hyperband starts after the other, so that a sampler proposes the trials
   * of a bracket from the results of all brackets before it.
   */
  public boolean hasSequentialBrackets() {
    Brackets chosen = brackets.orElse(Brackets.AUTO);
    return algorithm == Algorithm.HYPERBAND
        && (chosen == Brackets.SEQUENTIAL || (chosen == Brackets.AUTO && usesSampler()));
  }

  /** Whether the planner decides if the brackets of hyperband share instances. */
  public boolean hasOpenBrackets() {
    return algorithm == Algorithm.HYPERBAND
        && brackets.orElse(Brackets.AUTO) == Brackets.AUTO
        && !usesSampler();
  }

  /** Whether all brackets of hyperband run at the same time on the same instances. */
  public boolean hasSharedBrackets() {
    return algorithm == Algorithm.HYPERBAND && brackets.filter(Brackets.SHARED::equals).isPresent();
  }

  /** Returns the configurations of the first trials; hyperparameters that one lacks are drawn. */
  public List<Map<String, Object>> firstConfigurations() {
    return Stream.concat(
            configs.stream(), warmStart.flatMap(WarmStart::configs).stream().flatMap(List::stream))
        .limit(mostConfigurations())
        .toList();
  }

  /** Returns this search with the rules of policy HyperSched. */
  public Search forHyperSched(int otherEta) {
    AshaOptions options =
        new AshaOptions(
            RungRule.Variant.STOPPING,
            asha.orElse(AshaOptions.DEFAULT).startRung(),
            AshaOptions.Finish.NONE,
            Optional.empty(),
            1,
            false);
    return SearchBuilder.builder(this).eta(otherEta).asha(Optional.of(options)).build();
  }

  /** Returns this search with another use of instances by the brackets of hyperband. */
  public Search withBrackets(Brackets other) {
    return SearchBuilder.builder(this).brackets(Optional.of(other)).build();
  }

  /** Returns this search as earlier versions drew its configurations. */
  public Search withReplacement() {
    return SearchBuilder.builder(this).repeat(0).build();
  }

  /** Returns this search with another number of trials. */
  public Search withTrials(int other) {
    return SearchBuilder.builder(this).trials(other).build();
  }

  /** Returns this search with the warm start of an earlier run that was read. */
  public Search withWarmStart(WarmStart found) {
    return SearchBuilder.builder(this).warmStart(Optional.of(found)).build();
  }
}
