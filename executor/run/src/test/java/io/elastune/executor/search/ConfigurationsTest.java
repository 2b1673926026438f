package io.elastune.executor.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elastune.core.NullValue;
import io.elastune.core.config.RandomSpaces;
import io.elastune.core.job.Algorithm;
import io.elastune.core.job.Condition;
import io.elastune.core.job.Dimension;
import io.elastune.core.job.Metric;
import io.elastune.core.job.Search;
import io.elastune.core.job.SearchBuilder;
import io.elastune.core.job.TrainingResource;
import io.elastune.core.properties.Tier;
import io.elastune.core.search.SpaceSize;
import io.elastune.core.search.TrialGroups;
import io.elastune.executor.decision.model.TrialProposal;
import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.sampler.SamplerRequest;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ConfigurationsTest {
  private static final int MANY = 4000;
  private static final Condition ALWAYS = Condition.ALWAYS;

  /** Four of twelve trials have nearly the means of all, and their ranges. */
  @Test
  void representativeTrialsAreDistributedAsAll() {
    double ofFirst = 0;
    double ofRepresentative = 0;
    for (int seed = 1; seed <= 50; seed++) {
      Search search = search(Algorithm.RANDOM, 12, seed, space());
      Configurations all = new Configurations(search);
      Configurations some = Configurations.representative(search);
      double mean = meanLogRate(all, 12);
      ofFirst += Math.abs(meanLogRate(all, 4) - mean);
      ofRepresentative += Math.abs(meanLogRate(some, 4) - mean);
      assertThat(IntStream.rangeClosed(1, 12).mapToObj(some::of).toList())
          .containsExactlyInAnyOrderElementsOf(
              IntStream.rangeClosed(1, 12).mapToObj(all::of).toList());
      assertThat(some.of(13)).isEqualTo(all.of(13));
    }
    assertThat(ofRepresentative).isLessThan(0.6 * ofFirst);
  }

  private static double meanLogRate(Configurations configurations, int trials) {
    return IntStream.rangeClosed(1, trials)
        .mapToDouble(trial -> Math.log((Double) configurations.of(trial).get("lr")))
        .average()
        .orElseThrow();
  }

  @Test
  void representativeTrialsOfLargeGridsAreThoseOfTheGrid() {
    Map<String, Dimension> grid = new LinkedHashMap<>();
    grid.put("a", new Dimension.Int(1, 40, false, Optional.of(40)));
    grid.put("b", new Dimension.Int(1, 40, false, Optional.of(40)));
    Configurations some = Configurations.representative(search(Algorithm.GRID, 1600, 1, grid));

    assertThat(IntStream.rangeClosed(1, 200).mapToObj(some::of).distinct().toList()).hasSize(200);
    assertThat((Long) some.of(1).get("a")).isBetween(15L, 26L);
    assertThat((Long) some.of(1).get("b")).isBetween(15L, 26L);
  }

  /** Other failures say nothing about the configuration. */
  @Test
  void samplerIsToldWhichConfigurationsNeedTooMuchMemory() {
    Configurations configurations = new Configurations(search(Algorithm.RANDOM, 3, 7, space()));
    TrialState failed = TrialState.fresh(1, 0).failed(false).as(TrialState.Status.FAILED);
    Map<Integer, TrialState> trials = new LinkedHashMap<>();
    trials.put(1, failed);
    trials.put(2, TrialState.fresh(2, 0).failed(false).exhausted().as(TrialState.Status.FAILED));

    assertThat(configurations.results(trials))
        .containsExactly(
            new SamplerRequest.Result(configurations.of(2), 0, OptionalDouble.empty(), true));
  }

  @Test
  void sameSeedGivesTheSameTrials() {
    Configurations few = new Configurations(search(Algorithm.RANDOM, 3, 7, space()));
    Configurations many = new Configurations(search(Algorithm.RANDOM, 300, 7, space()));
    Configurations other = new Configurations(search(Algorithm.RANDOM, 3, 8, space()));

    assertThat(few.of(2)).isEqualTo(many.of(2)).isNotEqualTo(other.of(2)).isNotEqualTo(few.of(3));
    assertThat(few.seedOf(2)).isEqualTo(many.seedOf(2)).isNotEqualTo(few.seedOf(3)).isNotNegative();
    assertThat(few.of(1).keySet()).containsExactly("lr", "width", "deep", "kind");
  }

  @Test
  void valuesCoverTheirDimension() {
    Configurations configurations = new Configurations(search(Algorithm.RANDOM, MANY, 1, space()));
    Set<Object> deep = new HashSet<>();
    int below = 0;
    for (int trial = 1; trial <= MANY; trial++) {
      Map<String, Object> config = configurations.of(trial);
      double lr = (double) config.get("lr");
      assertThat(lr).isBetween(1e-4, 1.0);
      below += lr < 1e-2 ? 1 : 0;
      assertThat((double) config.get("width")).isBetween(-1.0, 3.0);
      deep.add(config.get("deep"));
      assertThat(config.get("kind")).isIn("a", 2L, true);
    }
    assertThat(below).as("half of a log scale").isBetween(MANY * 45 / 100, MANY * 55 / 100);
    assertThat(deep).containsExactlyInAnyOrder(1L, 2L, 3L, 4L);
  }

  /** Values as version 0.1 generated them: the same seed must always give the same trials. */
  @Test
  void seedGivesTheValuesOfEarlierVersions() {
    Map<String, Dimension> space = space();
    space.remove("kind");
    space.put("units", new Dimension.Int(16, 512, false, Optional.empty()));
    space.put("kind", new Dimension.Choice(List.of("a", 2L, true)));

    assertThat(new Configurations(search(Algorithm.RANDOM, 300, 1, space)).of(1))
        .hasToString(
            "{lr=0.0016834741420843203, width=0.15542015002188947, deep=2, units=33, kind=true}");
    Configurations seven = new Configurations(search(Algorithm.RANDOM, 300, 7, space));
    assertThat(seven.of(2))
        .hasToString(
            "{lr=0.15991173387143992, width=2.687777517356817, deep=2, units=183, kind=2}");
    assertThat(seven.of(300))
        .hasToString(
            "{lr=1.374652385065033E-4, width=0.39183058408687144, deep=1, units=316, kind=true}");

    Map<String, Dimension> grid = new LinkedHashMap<>();
    grid.put("lr", new Dimension.LogUniform(1e-3, 1e-1, Optional.of(3)));
    grid.put("x", new Dimension.Uniform(0, 1, Optional.of(4)));
    grid.put("deep", new Dimension.Int(1, 100, true, Optional.of(3)));
    Configurations all = new Configurations(search(Algorithm.GRID, 36, 1, grid));
    assertThat(all.of(2)).hasToString("{lr=0.001, x=0.0, deep=10}");
    assertThat(all.of(18)).hasToString("{lr=0.010000000000000004, x=0.3333333333333333, deep=100}");
  }

  @Test
  void stepsGiveExactDecimals() {
    Map<String, Dimension> space = new LinkedHashMap<>();
    Optional<Integer> none = Optional.empty();
    space.put("drop", new Dimension.Uniform(0.1, 0.55, none, Optional.of(0.1), ALWAYS));
    space.put("rate", new Dimension.LogUniform(0.01, 0.05, none, Optional.of(0.01), ALWAYS));
    space.put("width", new Dimension.Int(16, 70, false, none, Optional.of(16L), ALWAYS));
    space.put("deep", new Dimension.Int(1, 8, true, none, Optional.of(3L), ALWAYS));
    Configurations configurations = new Configurations(search(Algorithm.RANDOM, MANY, 1, space));
    Map<String, Set<Object>> found = new LinkedHashMap<>();
    for (int trial = 1; trial <= MANY; trial++) {
      configurations
          .of(trial)
          .forEach((name, v) -> found.computeIfAbsent(name, n -> new HashSet<>()).add(v));
    }

    assertThat(found.get("drop")).containsExactlyInAnyOrder(0.1, 0.2, 0.3, 0.4, 0.5);
    assertThat(found.get("rate")).containsExactlyInAnyOrder(0.01, 0.02, 0.03, 0.04, 0.05);
    assertThat(found.get("width")).containsExactlyInAnyOrder(16L, 32L, 48L, 64L);
    assertThat(found.get("deep")).containsExactlyInAnyOrder(1L, 4L, 7L);
  }

  @Test
  void normalValuesHaveMeanAndDeviation() {
    Map<String, Dimension> space = new LinkedHashMap<>();
    space.put("n", new Dimension.Normal(5, 2, Optional.empty(), ALWAYS));
    space.put("l", new Dimension.LogNormal(-3, 0.5, Optional.empty(), ALWAYS));
    space.put("q", new Dimension.Normal(0, 1, Optional.of(0.5), ALWAYS));
    Configurations configurations = new Configurations(search(Algorithm.RANDOM, MANY, 1, space));
    List<Map<String, Object>> all =
        IntStream.rangeClosed(1, MANY).mapToObj(configurations::of).toList();

    double mean = all.stream().mapToDouble(c -> (double) c.get("n")).average().orElseThrow();
    double variance =
        all.stream().mapToDouble(c -> Math.pow((double) c.get("n") - 5, 2)).average().orElseThrow();
    double log =
        all.stream().mapToDouble(c -> Math.log((double) c.get("l"))).average().orElseThrow();
    assertThat(mean).isBetween(4.9, 5.1);
    assertThat(variance).isBetween(3.7, 4.3);
    assertThat(log).isBetween(-3.03, -2.97);
    assertThat(all).allSatisfy(c -> assertThat((double) c.get("q") * 2 % 1).isZero());
  }

  @Test
  void nullsListsAndConstantsAreValues() {
    Map<String, Dimension> space = new LinkedHashMap<>();
    space.put("layers", new Dimension.Constant(List.of(64L, NullValue.NULL), ALWAYS));
    space.put("clip", new Dimension.Choice(List.of(NullValue.NULL)));

    Map<String, Object> config = new Configurations(search(Algorithm.RANDOM, 1, 1, space)).of(1);

    assertThat(config).hasToString("{layers=[64, null], clip=null}").containsKey("clip");
    assertThat(config.get("clip")).isNull();
  }

  @Test
  void conditionalValuesDoNotChangeOthers() {
    Map<String, Dimension> always = new LinkedHashMap<>();
    always.put("kind", new Dimension.Choice(List.of("sgd", "adam")));
    always.put("momentum", new Dimension.Uniform(0, 1, Optional.empty()));
    always.put("lr", new Dimension.LogUniform(1e-3, 1e-1, Optional.empty()));
    Map<String, Dimension> sometimes = new LinkedHashMap<>(always);
    Condition sgd = new Condition(Map.of("kind", List.of("sgd")));
    sometimes.put("momentum", new Dimension.Uniform(0, 1, Optional.empty(), Optional.empty(), sgd));
    Configurations all = new Configurations(search(Algorithm.RANDOM, 100, 1, always));
    Configurations some = new Configurations(search(Algorithm.RANDOM, 100, 1, sometimes));

    for (int trial = 1; trial <= 100; trial++) {
      Map<String, Object> expected = all.of(trial);
      if (!"sgd".equals(expected.get("kind"))) {
        expected.remove("momentum");
      }
      assertThat(some.of(trial)).isEqualTo(expected);
    }
  }

  @Test
  void gridLeavesOutUnusedParameters() {
    Map<String, Dimension> space = new LinkedHashMap<>();
    space.put("kind", new Dimension.Choice(List.of("adam", "sgd")));
    Condition sgd = new Condition(Map.of("kind", List.of("sgd")));
    space.put("nesterov", new Dimension.Choice(List.of(true, false), sgd));
    space.put("deep", new Dimension.Int(1, 2, false, Optional.empty()));
    Configurations grid = new Configurations(search(Algorithm.GRID, 6, 1, space));

    assertThat(IntStream.rangeClosed(1, 6).mapToObj(t -> grid.of(t).toString()))
        .containsExactly(
            "{kind=adam, deep=1}",
            "{kind=adam, deep=2}",
            "{kind=sgd, nesterov=true, deep=1}",
            "{kind=sgd, nesterov=true, deep=2}",
            "{kind=sgd, nesterov=false, deep=1}",
            "{kind=sgd, nesterov=false, deep=2}");
  }

  @Test
  void gridTakesEveryCombinationOnce() {
    Map<String, Dimension> space = new LinkedHashMap<>();
    space.put("lr", new Dimension.LogUniform(1e-3, 1e-1, Optional.of(3)));
    space.put("deep", new Dimension.Int(1, 2, false, Optional.empty()));
    space.put("kind", new Dimension.Choice(List.of("a", "b")));
    Configurations grid = new Configurations(search(Algorithm.GRID, 12, 1, space));

    List<Map<String, Object>> all = IntStream.rangeClosed(1, 12).mapToObj(grid::of).toList();

    assertThat(new HashSet<>(all)).hasSize(12);
    assertThat(all.get(0)).isEqualTo(Map.of("lr", 1e-3, "deep", 1L, "kind", "a"));
    assertThat(all.get(1)).isEqualTo(Map.of("lr", 1e-3, "deep", 1L, "kind", "b"));
    assertThat((double) all.get(11).get("lr")).isBetween(0.0999, 0.1001);
  }

  private static Search distinct(Search search, int repeat) {
    return SearchBuilder.builder(search).repeat(repeat).build();
  }

  private static List<Map<String, Object>> trials(Configurations configurations, int count) {
    return IntStream.rangeClosed(1, count).mapToObj(configurations::of).toList();
  }

  /** Any finite space, with conditions, is exhausted before a configuration comes again. */
  @Test
  void finiteSpacesAreDrawnWithoutReplacement() {
    for (int seed = 1; seed <= Tier.runs(100, 5_000); seed++) {
      Map<String, Dimension> space = new RandomSpaces(new SplittableRandom(seed)).next(true);
      OptionalInt size = SpaceSize.of(space);
      if (size.isEmpty() || size.getAsInt() > 300) {
        continue;
      }
      int all = size.getAsInt();
      Search once = distinct(search(Algorithm.RANDOM, 1000, seed, space), 1);
      List<Map<String, Object>> twice = trials(new Configurations(once), 2 * all);
      assertThat(Set.copyOf(twice.subList(0, all))).as("seed %s", seed).hasSize(all);
      assertThat(Set.copyOf(twice.subList(all, 2 * all))).as("seed %s", seed).hasSize(all);
      assertThat(new Configurations(once).of(all)).isEqualTo(twice.get(all - 1));
      assertThat(trials(new Configurations(distinct(once, 3)), 6))
          .isEqualTo(
              List.of(
                  twice.get(0),
                  twice.get(0),
                  twice.get(0),
                  twice.get(1),
                  twice.get(1),
                  twice.get(1)));
    }
  }

  @Test
  void distinctDrawsOfInfiniteSpacesAreThoseOfEarlierVersions() {
    Search search = search(Algorithm.RANDOM, 100, 7, space());
    assertThat(trials(new Configurations(distinct(search, 1)), 100))
        .isEqualTo(trials(new Configurations(search), 100));
  }

  @Test
  void valuesWithoutOtherHyperparametersAreNotRepeated() {
    Map<String, Dimension> space = new LinkedHashMap<>();
    space.put("decay", new Dimension.Choice(List.of("none", "cosine")));
    space.put(
        "floor",
        new Dimension.Uniform(
            0,
            1,
            Optional.empty(),
            Optional.empty(),
            new Condition(Map.of("decay", List.of("cosine")))));
    List<Map<String, Object>> trials =
        trials(new Configurations(distinct(search(Algorithm.RANDOM, 50, 1, space), 1)), 50);
    assertThat(trials).doesNotHaveDuplicates();
  }

  @Test
  void ownConfigurationsAreNotDrawnAgain() {
    Map<String, Dimension> space = new LinkedHashMap<>();
    space.put("batch", new Dimension.Choice(List.of(12L, 24L)));
    space.put("drop", new Dimension.Choice(List.of(0.1, 0.2)));
    for (long seed = 1; seed <= 20; seed++) {
      Search search =
          SearchBuilder.builder(search(Algorithm.RANDOM, 4, seed, space))
              .repeat(1)
              .configs(List.of(Map.of("drop", 0.1), Map.of("batch", 12L, "drop", 0.1)))
              .build();
      List<Map<String, Object>> trials = trials(new Configurations(search), 4);
      assertThat(trials).doesNotHaveDuplicates();
      assertThat(trials.get(0)).isEqualTo(Map.of("batch", 24L, "drop", 0.1));
      assertThat(trials.get(1)).isEqualTo(Map.of("batch", 12L, "drop", 0.1));
    }
  }

  /** A sampler may propose what was tried: a finite space has others instead. */
  @Test
  void proposalsThatWereTriedAreReplaced() {
    Map<String, Dimension> space = Map.of("x", new Dimension.Int(1, 4, false, Optional.empty()));
    Configurations configurations =
        new Configurations(distinct(search(Algorithm.RANDOM, 4, 1, space), 1));
    String two = "{\"x\":2}";
    TrialState first =
        TrialState.fresh(1, 0)
            .with(TrialProposal.requested(1).as(TrialProposal.Status.PROPOSED, two));
    TrialState second = TrialState.fresh(2, 0).with(TrialProposal.requested(2));

    assertThat(configurations.accepted(List.of(two), Map.of(1, first, 2, second), List.of(2)))
        .hasSize(1)
        .doesNotContain(two);
    List<String> all =
        configurations.accepted(
            List.of(two, two, two, two), Map.of(2, second), List.of(2, 3, 4, 5));
    assertThat(all).contains(two).doesNotHaveDuplicates();
    assertThat(configurations.accepted(List.of("{\"x\":3}"), Map.of(1, first), List.of(2)))
        .containsExactly("{\"x\":3}");
    assertThatThrownBy(() -> configurations.accepted(List.of("{\"x\":5}"), Map.of(), List.of(1)))
        .hasMessageContaining("x 5 is not allowed");
  }

  /** An infinite space may still have values without further hyperparameters. */
  @Test
  void proposalsOfInfiniteSpacesAreReplacedToo() {
    Map<String, Dimension> space = new LinkedHashMap<>();
    space.put("decay", new Dimension.Choice(List.of("none", "cosine")));
    space.put(
        "floor",
        new Dimension.Uniform(
            0,
            1,
            Optional.empty(),
            Optional.empty(),
            new Condition(Map.of("decay", List.of("cosine")))));
    Configurations configurations =
        new Configurations(distinct(search(Algorithm.RANDOM, 4, 1, space), 1));
    String none = "{\"decay\":\"none\"}";

    assertThat(configurations.accepted(List.of(none, none, none), Map.of(), List.of(1, 2, 3)))
        .startsWith(none)
        .doesNotHaveDuplicates();
  }

  @Test
  void gridsHaveEachWholeNumberOnce() {
    Map<String, Dimension> space = new LinkedHashMap<>();
    space.put("deep", new Dimension.Int(1, 8, true, Optional.of(8)));
    Search grid = search(Algorithm.GRID, 1, 1, space);
    Search distinct = distinct(grid, 2);
    int trials = TrialGroups.of(distinct).trials();
    assertThat(trials(new Configurations(distinct), trials).stream().distinct())
        .hasSize(trials / 2);
    assertThat(TrialGroups.of(grid).trials()).as("a run of an earlier version").isEqualTo(8);
    space.put("deep", new Dimension.Int(1, 8, true, Optional.empty()));
    assertThat(TrialGroups.of(distinct(search(Algorithm.GRID, 1, 1, space), 1)).trials())
        .isEqualTo(8);
  }

  private static Map<String, Dimension> space() {
    Map<String, Dimension> space = new LinkedHashMap<>();
    space.put("lr", new Dimension.LogUniform(1e-4, 1, Optional.empty()));
    space.put("width", new Dimension.Uniform(-1, 3, Optional.empty()));
    space.put("deep", new Dimension.Int(1, 4, true, Optional.empty()));
    space.put("kind", new Dimension.Choice(List.of("a", 2L, true)));
    return space;
  }

  private static Search search(
      Algorithm algorithm, int trials, long seed, Map<String, Dimension> space) {
    return Search.builder()
        .algorithm(algorithm)
        .metric(new Metric("acc", Metric.Goal.MAXIMIZE))
        .trials(trials)
        .eta(2)
        .resource(new TrainingResource("epoch", 1, 4))
        .space(space)
        .seed(seed)
        .build();
  }
}
