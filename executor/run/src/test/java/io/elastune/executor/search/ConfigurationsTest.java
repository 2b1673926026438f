package io.elastune.executor.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.job.Algorithm;
import io.elastune.core.job.Dimension;
import io.elastune.core.job.Metric;
import io.elastune.core.job.Search;
import io.elastune.core.job.TrainingResource;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ConfigurationsTest {
  private static final int MANY = 4000;

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
    return new Search(
        algorithm,
        new Metric("acc", Metric.Goal.MAXIMIZE),
        trials,
        2,
        new TrainingResource("epoch", 1, 4),
        space,
        seed);
  }
}
