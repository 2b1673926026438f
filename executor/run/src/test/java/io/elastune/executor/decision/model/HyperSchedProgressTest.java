package io.elastune.executor.decision.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.policy.HyperSchedOptions;
import io.elastune.core.policy.HyperSchedPolicy;
import io.elastune.core.policy.PolicyView;
import io.elastune.core.policy.Width;
import io.elastune.executor.decision.model.HyperSchedProgress.FirstReport;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HyperSchedProgressTest {
  private static final PolicyView.Timing PROFILE = new PolicyView.Timing(1000, 20, 30);
  private static final Width ONE = Width.of(1);
  private static final HyperSchedProgress NEW =
      HyperSchedProgress.of(
          new HyperSchedPolicy(
                  HyperSchedOptions.DEFAULT.rule(List.of(1, 4), 2, List.of(1, 2)), width -> 30)
              .initial());

  /** The first report covers the start-up and its units, which the second one separates. */
  @Test
  void theSecondReportShowsTheStartup() {
    HyperSchedProgress progress = NEW;
    for (int trial = 1; trial <= 5; trial++) {
      AttemptState attempt = attempt(trial, 1);
      progress =
          progress.with(
              attempt.attempt(), new FirstReport(2, 8 + 2 * 40), Set.of(attempt.attempt()));
      assertThat(progress.times().replacing(PROFILE)).isEqualTo(PROFILE);
      progress = progress.withLater(attempt, 40, ONE);
    }
    assertThat(progress.first()).isEmpty();
    assertThat(progress.times().replacing(PROFILE).startupS()).isCloseTo(8, within(1e-12));
    assertThat(progress.times().replacing(PROFILE).unitS()).isEqualTo(40);
  }

  @Test
  void unitsWithMoreGpusDoNotCount() {
    HyperSchedProgress progress = NEW;
    for (int i = 0; i < 10; i++) {
      progress = progress.withLater(attempt(1, 2), 16, ONE);
    }
    assertThat(progress.times().replacing(PROFILE)).isEqualTo(PROFILE);
  }

  @Test
  void attemptsThatEndedAfterOneReportAreForgotten() {
    HyperSchedProgress progress =
        NEW.with("1-r-1", new FirstReport(1, 50), Set.of("1-r-1"))
            .with("2-r-1", new FirstReport(1, 60), Set.of("2-r-1"));

    assertThat(progress.first()).containsOnlyKeys("2-r-1");
  }

  private static AttemptState attempt(int trial, int gpus) {
    List<GpuSlot> places =
        IntStream.range(0, gpus).mapToObj(gpu -> new GpuSlot("lease-1", gpu)).toList();
    return AttemptState.starting(0, Instant.EPOCH)
        .attempt(AttemptState.id(trial, "r", 1))
        .trial(trial)
        .group("r")
        .to(4)
        .places(places)
        .build();
  }
}
