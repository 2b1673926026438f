package io.elastune.profiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.profile.Straggler;
import io.elastune.profiler.StragglerFit.Model;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StragglerFitTest {
  @Test
  void recoversStragglers() {
    StragglerFit fit =
        StragglerFit.of(drawn(400, 1, one -> factor(one, 0.05) * (one.nextDouble() < 0.1 ? 3 : 1)));

    assertThat(fit.model()).isEqualTo(Model.MIXTURE);
    assertThat(fit.straggler().probability()).isEqualTo(0.1, within(0.04));
    assertThat(fit.straggler().slowdown()).isEqualTo(3, within(0.1));
    assertThat(Math.sqrt(fit.usualVariance())).isEqualTo(0.05, within(0.01));
  }

  /** One distribution in 20 may be mistaken by chance, as with a test at that level. */
  @Test
  void ordinarySpreadIsLogNormal() {
    long mistaken =
        LongStream.range(0, 100)
            .mapToObj(seed -> StragglerFit.of(drawn(25, seed, one -> factor(one, 0.1))))
            .filter(fit -> fit.model() != Model.LOG_NORMAL)
            .count();

    assertThat(mistaken).isLessThanOrEqualTo(5);
  }

  @Test
  void severalGroupsOfDurationsAreKept() {
    List<Double> durations = drawn(120, 3, one -> factor(one, 0.02) * (0.5 + 0.4 * one.nextInt(4)));

    StragglerFit fit = StragglerFit.of(durations);

    assertThat(fit.model()).isEqualTo(Model.SAMPLES);
    assertThat(fit.samples()).isEqualTo(durations);
    assertThat(fit.straggler()).isEqualTo(Straggler.NONE);
  }

  @Test
  void fewTrialsShowNoOtherDistribution() {
    assertThat(StragglerFit.of(drawn(19, 4, one -> one.nextInt(5) == 0 ? 5 : 1)).model())
        .isEqualTo(Model.LOG_NORMAL);
    assertThat(StragglerFit.of(List.of()).model()).isEqualTo(Model.LOG_NORMAL);
    assertThat(StragglerFit.of(drawn(30, 5, one -> 1)).model()).isEqualTo(Model.LOG_NORMAL);
  }

  private static double factor(RandomGenerator random, double cv) {
    return SyntheticLaw.factor(random, cv);
  }

  private static List<Double> drawn(
      int count, long seed, ToDoubleFunction<RandomGenerator> distribution) {
    RandomGenerator random = SyntheticLaw.stream(seed, "durations");
    return Stream.generate(() -> distribution.applyAsDouble(random)).limit(count).toList();
  }
}
