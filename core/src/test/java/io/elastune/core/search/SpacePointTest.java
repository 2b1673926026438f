package io.elastune.core.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elastune.core.NullValue;
import io.elastune.core.job.Condition;
import io.elastune.core.job.Dimension;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SpacePointTest {
  private static final Map<String, Dimension> SPACE = new LinkedHashMap<>();

  static {
    SPACE.put("optimizer", new Dimension.Choice(List.of("sgd", "adam")));
    SPACE.put("lr", new Dimension.LogUniform(1e-3, 1, Optional.empty()));
    SPACE.put(
        "momentum",
        new Dimension.Uniform(
            0,
            1,
            Optional.empty(),
            Optional.empty(),
            new Condition(Map.of("optimizer", List.of("sgd")))));
    SPACE.put(
        "layers", new Dimension.Choice(List.of(NullValue.NULL, List.of(64L, NullValue.NULL))));
  }

  private static SpacePoint of(Map<String, Object> configuration) {
    return SpacePoint.of(SPACE, configuration);
  }

  @Test
  void valuesGetTheTypesOfTheSpace() {
    SpacePoint point =
        of(Map.of("lr", 1L, "layers", NullValue.ofJava(new ArrayList<>(Arrays.asList(64, null)))));
    assertThat(point.why()).isEmpty();
    assertThat(point.values()).isEqualTo(Map.of("lr", 1.0, "layers", List.of(64L, NullValue.NULL)));
  }

  @Test
  void explainsWhatIsOutside() {
    assertThat(of(Map.of("lr", 2.0)).why()).hasValue("lr 2.0 is not allowed by search.space");
    assertThat(of(Map.of("decay", 2.0)).why()).hasValue("decay is not in search.space");
    assertThat(of(Map.of("optimizer", "adam", "momentum", 0.5)).why())
        .hasValue("momentum is not used with its other values");
    SpacePoint outside = of(Map.of("optimizer", "adam", "momentum", 0.5));
    assertThatThrownBy(outside::values).hasMessageContaining("momentum is not used");
    assertThat(of(Map.of("optimizer", "sgd", "momentum", 0.5)).why()).isEmpty();
  }
}
