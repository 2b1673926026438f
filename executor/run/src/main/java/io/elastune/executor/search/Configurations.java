package io.elastune.executor.search;

import io.elastune.core.job.Algorithm;
import io.elastune.core.job.PbtOptions;
import io.elastune.core.job.Search;
import io.elastune.core.plan.Workload;
import io.elastune.core.search.ConfigurationCodec;
import io.elastune.core.search.ConfigurationGrid;
import io.elastune.core.search.Exploration;
import io.elastune.core.search.SpacePoint;
import io.elastune.core.search.TrialGroups;
import io.elastune.executor.decision.model.TrialParent;
import io.elastune.executor.decision.model.TrialProposal;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.sampler.SamplerRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * Generates the hyperparameters of each trial. Each trial has its own random stream, derived from
 * the seed of the search and the trial number, so that trial 7 is the same for any number of
 * trials. No configuration is drawn twice while the space has others. A grid search takes every
 * combination, and the last dimension changes fastest. The first trials of other searches use the
 * user's own configurations and those of an earlier run, if there are any. The configuration of a
 * trial that replaces another one is derived from its parent's.
 */
public final class Configurations {
  private static final RandomGeneratorFactory<RandomGenerator> STREAMS =
      RandomGeneratorFactory.of("L64X128MixRandom");

  private final Search search;
  private final Optional<ConfigurationGrid> grid;
  private final Exploration exploration;
  private final List<Integer> order;
  private final DistinctDraws draws;

  public Configurations(Search search) {
    this(search, List.of());
  }

  /** {@code order}: the trials whose configurations the first trials have; then by number. */
  private Configurations(Search search, List<Integer> order) {
    this.search = search;
    this.order = List.copyOf(order);
    exploration =
        new Exploration(search.space(), search.pbt().orElse(PbtOptions.DEFAULT), search.seed());
    draws = new DistinctDraws(search, number -> stream("configuration", number));
    grid =
        search.algorithm() == Algorithm.GRID
            ? Optional.of(
                search.drawsWithReplacement()
                    ? ConfigurationGrid.withEqualValues(search.space())
                    : new ConfigurationGrid(search.space()))
            : Optional.empty();
  }

  /**
   * Returns the configurations of a profiling run, which measures only a few trials: those of the
   * job, the most representative ones first.
   */
  public static Configurations representative(Search search) {
    Workload workload = TrialGroups.of(search);
    int trials =
        workload.rungs().isPresent()
            ? search.trials()
            : workload.chains().stream().mapToInt(one -> one.groups().get(0).trials()).sum();
    return new Configurations(
        search, RepresentativeTrials.order(search.space(), trials, new Configurations(search)::of));
  }

  /**
   * Returns the configuration of {@code trial}. A value may be null.
   *
   * @param trial from 1
   * @param trials the trials of the run by number: those with parents
   * @throws IllegalStateException if it is not a point of the search space: no trial starts with it
   */
  public Map<String, Object> of(int trial, Map<Integer, TrialState> trials) {
    Map<String, Object> config = typed(trial, trials);
    SpacePoint.complete(search.space(), config)
        .why()
        .ifPresent(
            why -> {
              throw new IllegalStateException(
                  "trial " + trial + " has a configuration outside of search.space: " + why);
            });
    return ConfigurationCodec.toJava(config);
  }

  /** Returns the configuration of a trial without a parent. */
  public Map<String, Object> of(int trial) {
    return of(trial, Map.of());
  }

  private Map<String, Object> typed(int trial, Map<Integer, TrialState> trials) {
    Optional<TrialParent> parent =
        Optional.ofNullable(trials.get(trial)).flatMap(TrialState::parent);
    if (parent.isPresent()) {
      return exploration.of(trial, typed(parent.get().trial(), trials));
    }
    return Optional.ofNullable(trials.get(trial))
        .flatMap(TrialState::proposal)
        .filter(TrialProposal::isUsed)
        .map(proposal -> ConfigurationCodec.read(search.space(), proposal.config()))
        .orElseGet(() -> first(trial <= order.size() ? order.get(trial - 1) : trial));
  }

  private Map<String, Object> first(int trial) {
    int configuration = search.configurationOf(trial);
    return grid.map(all -> all.get(configuration - 1)).orElseGet(() -> draws.get(configuration));
  }

  /**
   * Returns what is known of the trials whose configurations are known: the data from which a
   * sampler proposes others. A trial that failed before it had a metric is left out, unless its
   * configuration needs too much memory.
   */
  public List<SamplerRequest.Result> results(Map<Integer, TrialState> trials) {
    List<SamplerRequest.Result> results = new ArrayList<>();
    for (TrialState trial : trials.values()) {
      boolean usable = trial.hasValue() || isRunning(trial) || trial.outOfMemory();
      if (trial.isConfigured() && usable) {
        results.add(
            new SamplerRequest.Result(
                typed(trial.trial(), trials),
                trial.unit(),
                trial.hasValue() ? trial.metric() : OptionalDouble.empty(),
                trial.outOfMemory()));
      }
    }
    return results;
  }

  private static boolean isRunning(TrialState trial) {
    return trial.metric().isEmpty()
        && (trial.status() == TrialState.Status.WAITING
            || trial.status() == TrialState.Status.RUNNING);
  }

  /** Returns the seed that is passed to {@code trial}. */
  public long seedOf(int trial) {
    return stream("trial", trial).nextLong() >>> 1;
  }

  private RandomGenerator stream(String name, int trial) {
    long mixed = search.seed() * 0x9E3779B97F4A7C15L + name.hashCode() * 0x100000001B3L + trial;
    return STREAMS.create(mixed);
  }

  /**
   * Returns the proposals of a sampler without those that have been tried as often as each
   * configuration may be: others take their places, as long as there are any.
   *
   * @param proposals configurations as JSON
   * @param trials the trials of the run by number, whose configurations count if they are known
   * @param fresh the trials that the proposals are for
   * @throws IllegalArgumentException if a proposal is not a point of the search space
   */
  public List<String> accepted(
      List<String> proposals, Map<Integer, TrialState> trials, List<Integer> fresh) {
    Map<Map<String, Object>, Integer> tried = new HashMap<>();
    trials.values().stream()
        .filter(trial -> trial.isConfigured() && !fresh.contains(trial.trial()))
        .forEach(trial -> tried.merge(typed(trial.trial(), trials), 1, Integer::sum));
    List<String> accepted = new ArrayList<>();
    for (String proposal : proposals) {
      Map<String, Object> config = ConfigurationCodec.read(search.space(), proposal);
      Map<String, Object> used =
          tried.getOrDefault(config, 0) < Math.max(1, search.repeat())
              ? config
              : draws.untried(tried.keySet(), fresh.get(accepted.size())).orElse(config);
      tried.merge(used, 1, Integer::sum);
      accepted.add(used.equals(config) ? proposal : ConfigurationCodec.write(used));
    }
    return accepted;
  }
}
