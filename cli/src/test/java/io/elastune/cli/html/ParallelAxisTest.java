package io.elastune.cli.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class ParallelAxisTest {
  @Test
  void logarithmicAxisSpacesPowersOfTenEvenly() {
    ParallelAxis axis = ParallelAxis.of("lr", List.of(1e-4, 1e-2, 1e-3), true);
    assertThat(axis.name()).isEqualTo("lr (log)");
    assertThat(axis.positions().get(1e-4)).isZero();
    assertThat(axis.positions().get(1e-3)).isCloseTo(0.5, within(1e-9));
    assertThat(axis.positions().get(1e-2)).isOne();
    assertThat(axis.ticks().get(0.5)).isEqualTo("0.001");
  }

  @Test
  void numericAxisIsLinearUnlessAllValuesArePositive() {
    ParallelAxis linear = ParallelAxis.of("x", List.of(-1, 0.5, 2L), true);
    assertThat(linear.name()).isEqualTo("x");
    assertThat(linear.positions().get(0.5)).isEqualTo(0.5);
    assertThat(linear.ticks()).containsEntry(0.0, "-1").containsEntry(1.0, "2");
  }

  @Test
  void otherValuesHavePositionsOfTheirOwn() {
    ParallelAxis axis = ParallelAxis.of("opt", List.of("sgd", "adam", List.of(1, 2), "sgd"), false);
    assertThat(axis.positions().get("sgd")).isOne();
    assertThat(axis.positions().get("adam")).isEqualTo(0.5);
    assertThat(axis.positions().get(List.of(1, 2))).isZero();
    assertThat(axis.ticks().values()).containsExactly("[1, 2]", "adam", "sgd");
  }

  @Test
  void singleValueIsInTheMiddle() {
    assertThat(ParallelAxis.of("x", List.of(7, 7), false).positions()).containsEntry(7, 0.5);
    assertThat(ParallelAxis.of("x", List.of(7), false).ticks()).containsEntry(0.5, "7");
    assertThat(ParallelAxis.of("x", List.of(true), true).positions()).containsEntry(true, 0.5);
  }
}
