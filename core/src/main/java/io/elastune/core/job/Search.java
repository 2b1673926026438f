package io.elastune.core.job;

import io.elastune.core.Preconditions;
import io.elastune.core.field.Word;
import io.elastune.core.plan.RungRule;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The search of a job: algorithm, metric, resource and hyperparameter space.
 *
 * @param trials number of trials in the first group (sha), in every group (pbt), or in the only
 *     group (random); hyperband and grid compute it from their other fields
 * @param eta reduction factor: one in {@code eta} trials continues to the next group
 * @param space hyperparameters in file order
 * @param seed root of all named random streams
 * @param maxFailedTrials dropped trials that are tolerated before the run stops; empty for any
 *     number
 * @param configs the user's own configurations, which the first trials use in this order; the
 *     hyperparameters that one lacks are drawn
 * @param warmStart the earlier run whose best configurations follow those
 * @param asha the options of asynchronous successive halving; empty for the defaults
 * @param stop when the search ends before all its trials have
 * @param pbt the options of population based training; empty for the defaults
 * @param sampler what proposes the configurations of new trials; empty for random ones
 * @param brackets how the brackets of hyperband use instances; empty for {@link Brackets#AUTO}
 */
public record Search(
    Algorithm algorithm,
    Metric metric,
    int trials,
    int eta,
    TrainingResource resource,
    Map<String, Dimension> space,
    long seed,
    Optional<FailedTrialLimit> maxFailedTrials,
    List<Map<String, Object>> configs,
    Optional<WarmStart> warmStart,
    Optional<AshaOptions> asha,
    Optional<SearchStop> stop,
    Optional<PbtOptions> pbt,
    Optional<SamplerOptions> sampler,
    Optional<Brackets> brackets) {
  /** How the configuration of a trial was chosen. */
  public enum Origin implements Word {
    /** Listed in {@code search.configs}. */
    OWN("own"),
    /** One of the best of an earlier run. */
    WARM_START("warm-start"),
    /** A point of a grid. */
    GRID("grid"),
    /** Drawn at random. */
    DRAWN("drawn"),
    /** Derived from the configuration of another trial. */
    EXPLORED("explored"),
    /** Proposed by the sampler. */
    PROPOSED("proposed");

    private final String word;

    Origin(String word) {
      this.word = word;
    }

    @Override
    public String word() {
      return word;
    }
  }

  public Search {
    Preconditions.atLeast("search.trials", 1, trials);
    Preconditions.atLeast("search.eta", 2, eta);
    space = Collections.unmodifiableMap(new LinkedHashMap<>(space));
    configs = configs.stream().map(Search::copy).toList();
    Preconditions.that(
        algorithm != Algorithm.GRID || (configs.isEmpty() && warmStart.isEmpty()),
        "search.configs and search.warm_start are not used by grid");
  }

  private static Map<String, Object> copy(Map<String, Object> configuration) {
    return Collections.unmodifiableMap(new LinkedHashMap<>(configuration));
  }

  /** Returns how the configuration of {@code trial}, from 1, is chosen. */
  public Origin origin(int trial) {
    if (algorithm == Algorithm.GRID) {
      return Origin.GRID;
    }
    if (trial <= configs.size()) {
      return Origin.OWN;
    }
    return trial <= firstConfigurations().size() ? Origin.WARM_START : Origin.DRAWN;
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
        .limit(trials)
        .toList();
  }

  private Search with(Consumer<Copy> change) {
    Copy copy = new Copy(this);
    change.accept(copy);
    return copy.build();
  }

  /** Returns this search with the rules of policy HyperSched. */
  public Search forHyperSched(int otherEta) {
    AshaOptions options =
        new AshaOptions(
            RungRule.Variant.STOPPING,
            asha.orElse(AshaOptions.DEFAULT).startRung(),
            AshaOptions.Finish.NONE,
            Optional.empty(),
            1);
    return with(
        copy -> {
          copy.eta = otherEta;
          copy.asha = Optional.of(options);
        });
  }

  /** Returns this search with another use of instances by the brackets of hyperband. */
  public Search withBrackets(Brackets other) {
    return with(copy -> copy.brackets = Optional.of(other));
  }

  /** Returns this search with another number of trials. */
  public Search withTrials(int other) {
    return with(copy -> copy.trials = other);
  }

  /** Returns this search with the warm start of an earlier run that was read. */
  public Search withWarmStart(WarmStart found) {
    return with(copy -> copy.warmStart = Optional.of(found));
  }

  /** Creates a search whose algorithm has no options. */
  public Search(
      Algorithm algorithm,
      Metric metric,
      int trials,
      int eta,
      TrainingResource resource,
      Map<String, Dimension> space,
      long seed,
      Optional<FailedTrialLimit> maxFailedTrials,
      List<Map<String, Object>> configs,
      Optional<WarmStart> warmStart) {
    this(
        algorithm,
        metric,
        trials,
        eta,
        resource,
        space,
        seed,
        maxFailedTrials,
        configs,
        warmStart,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** Creates a search that tolerates any number of failed trials. */
  public Search(
      Algorithm algorithm,
      Metric metric,
      int trials,
      int eta,
      TrainingResource resource,
      Map<String, Dimension> space,
      long seed) {
    this(
        algorithm,
        metric,
        trials,
        eta,
        resource,
        space,
        seed,
        Optional.empty(),
        List.of(),
        Optional.empty());
  }

  /** A mutable copy, to create a search that differs in some components. */
  private static final class Copy {
    Algorithm algorithm;
    Metric metric;
    int trials;
    int eta;
    TrainingResource resource;
    Map<String, Dimension> space;
    long seed;
    Optional<FailedTrialLimit> maxFailedTrials;
    List<Map<String, Object>> configs;
    Optional<WarmStart> warmStart;
    Optional<AshaOptions> asha;
    Optional<SearchStop> stop;
    Optional<PbtOptions> pbt;
    Optional<SamplerOptions> sampler;
    Optional<Brackets> brackets;

    Copy(Search original) {
      algorithm = original.algorithm;
      metric = original.metric;
      trials = original.trials;
      eta = original.eta;
      resource = original.resource;
      space = original.space;
      seed = original.seed;
      maxFailedTrials = original.maxFailedTrials;
      configs = original.configs;
      warmStart = original.warmStart;
      asha = original.asha;
      stop = original.stop;
      pbt = original.pbt;
      sampler = original.sampler;
      brackets = original.brackets;
    }

    Search build() {
      return new Search(
          algorithm,
          metric,
          trials,
          eta,
          resource,
          space,
          seed,
          maxFailedTrials,
          configs,
          warmStart,
          asha,
          stop,
          pbt,
          sampler,
          brackets);
    }
  }
}
