package io.elastune.core.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.job.Condition;
import io.elastune.core.job.Dimension;
import io.elastune.core.job.PbtOptions;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ExplorationTest {
  private static final List<Double> FACTORS = List.of(0.8, 1.2);
  private static final int MANY = 200;

  @Test
  void movesEveryValueAsInTheWorkedExample() {
    Dimension lr = new Dimension.LogUniform(1e-4, 1e-1, Optional.empty());
    Dimension batch = new Dimension.Choice(List.of(32L, 64L, 128L, 256L));
    Dimension layers = new Dimension.Int(2, 6, false, Optional.empty());
    Dimension dropout = new Dimension.Uniform(0, 0.5, Optional.empty());

    assertThat(moves(lr, 0.02)).containsExactlyInAnyOrder(0.016, 0.024);
    assertThat(moves(batch, 64L)).containsExactlyInAnyOrder(32L, 128L);
    assertThat(moves(batch, 256L)).containsExactlyInAnyOrder(128L, 256L);
    assertThat(moves(layers, 5L)).containsExactlyInAnyOrder(4L, 6L);
    assertThat(moves(layers, 6L)).containsExactlyInAnyOrder(5L, 6L);
    assertThat(moves(dropout, 0.45)).containsExactlyInAnyOrder(0.36000000000000004, 0.5);
  }

  @Test
  void roundsToTheSteps() {
    Dimension width = new Dimension.Int(8, 64, false, Optional.empty(), Optional.of(8L), always());
    Dimension rate = new Dimension.Uniform(0, 1, Optional.empty(), Optional.of(0.1), always());
    Dimension noise = new Dimension.Normal(0, 1, Optional.of(0.5), always());

    assertThat(moves(width, 64L)).containsExactlyInAnyOrder(48L, 64L);
    assertThat(moves(rate, 0.5)).containsExactlyInAnyOrder(0.4, 0.6);
    assertThat(moves(noise, -2.0)).containsExactlyInAnyOrder(-1.5, -2.5);
  }

  @Test
  void leavesFrozenAndConstantValues() {
    Map<String, Dimension> space = new LinkedHashMap<>();
    space.put("seed", new Dimension.Constant(7L, always()));
    space.put("batch", new Dimension.Choice(List.of(32L, 64L)));
    Exploration exploration = exploration(space, 1, List.of("batch"));

    for (int trial = 1; trial <= MANY; trial++) {
      assertThat(exploration.of(trial, Map.of("seed", 7L, "batch", 64L)))
          .isEqualTo(Map.of("seed", 7L, "batch", 64L));
    }
  }

  @Test
  void drawsParametersWhoseConditionBecomesTrue() {
    Map<String, Dimension> space = new LinkedHashMap<>();
    space.put("optimizer", new Dimension.Choice(List.of("adam", "sgd")));
    space.put(
        "momentum",
        new Dimension.Uniform(
            0.8,
            0.99,
            Optional.empty(),
            Optional.empty(),
            new Condition(Map.of("optimizer", List.of("sgd")))));
    Exploration exploration = exploration(space, 0, List.of());

    Set<Integer> sizes = new TreeSet<>();
    for (int trial = 1; trial <= MANY; trial++) {
      Map<String, Object> config = exploration.of(trial, Map.of("optimizer", "adam"));
      assertThat(SpacePoint.of(space, config).why()).isEmpty();
      assertThat(config.containsKey("momentum")).isEqualTo("sgd".equals(config.get("optimizer")));
      sizes.add(config.size());
    }
    assertThat(sizes).containsExactly(1, 2);
  }

  @Test
  void resamplesAtTheGivenRate() {
    Map<String, Dimension> space = Map.of("x", new Dimension.Uniform(0, 1, Optional.empty()));
    Exploration exploration = exploration(space, 0.25, List.of());
    int resampled = 0;
    for (int trial = 1; trial <= 4000; trial++) {
      Object value = exploration.of(trial, Map.of("x", 0.5)).get("x");
      resampled += value.equals(0.4) || value.equals(0.6) ? 0 : 1;
    }

    assertThat(resampled).isBetween(900, 1100);
  }

  private static Set<Object> moves(Dimension dimension, Object value) {
    Exploration exploration = exploration(Map.of("x", dimension), 0, List.of());
    Set<Object> found = new HashSet<>();
    for (int trial = 1; trial <= MANY; trial++) {
      found.add(exploration.of(trial, Map.of("x", value)).get("x"));
    }
    return found;
  }

  private static Exploration exploration(
      Map<String, Dimension> space, double resample, List<String> freeze) {
    return new Exploration(space, new PbtOptions(0.25, resample, FACTORS, freeze), 11);
  }

  private static Condition always() {
    return Condition.ALWAYS;
  }
}
