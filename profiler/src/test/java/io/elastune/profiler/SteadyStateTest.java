package io.elastune.profiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.profile.Profile;
import io.elastune.profiler.AttemptTimes.Report;
import io.elastune.profiler.AttemptTimes.ReportedStartup;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.IntToDoubleFunction;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SteadyStateTest {
  private static final double STARTUP_S = 20;

  /** Caches and compilers are warm after some units: the seconds until then are start-up. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 5})
  void slowFirstUnitsAreStartup(int slow) {
    List<AttemptTimes> attempts = attempts(unit -> unit <= slow ? 30 : 10, 0.02);

    SteadyState steadyState = SteadyState.of(attempts);
    assertThat(steadyState).isEqualTo(new SteadyState(slow, true));

    Profile profile = profile(attempts);
    assertThat(profile.secondsByGpus().get(1)).isEqualTo(10, within(0.2));
    assertThat(profile.startupS().mean()).isEqualTo(STARTUP_S + 20 * slow, within(1.5));
    assertThat(profile.measured().number("startup_s.warm_up").orElseThrow().value())
        .isEqualTo(20.0 * (slow - 1), within(1.0));
  }

  @Test
  void constantSpeedIsSteadyAtOnce() {
    assertThat(SteadyState.of(attempts(unit -> 10, 0.1))).isEqualTo(SteadyState.AT_ONCE);
    assertThat(SteadyState.of(attempts(unit -> 10, 0))).isEqualTo(SteadyState.AT_ONCE);
  }

  /** A GPU that throttles is slower from then on, so its later speed predicts long attempts. */
  @Test
  void throttledSpeedCounts() {
    List<AttemptTimes> attempts = attempts(unit -> unit <= 6 ? 10 : 14, 0.02);

    assertThat(SteadyState.of(attempts)).isEqualTo(new SteadyState(6, false));
    Profile profile = profile(attempts);
    assertThat(profile.secondsByGpus().get(1)).isEqualTo(14, within(0.2));
    assertThat(profile.startupS().mean()).isLessThanOrEqualTo(STARTUP_S + 0.5);
  }

  /** Four trials of 16 units. */
  private static List<AttemptTimes> attempts(IntToDoubleFunction unitS, double cv) {
    RandomGenerator random = SyntheticLaw.stream(7, "steady");
    List<AttemptTimes> attempts = new ArrayList<>();
    for (int trial = 0; trial < 4; trial++) {
      double now = STARTUP_S;
      List<Report> reports = new ArrayList<>();
      for (int unit = 1; unit <= 16; unit++) {
        now += unitS.applyAsDouble(unit) * SyntheticLaw.factor(random, cv);
        reports.add(new Report(unit, now));
      }
      attempts.add(
          new AttemptTimes(
              TrialSize.of(1),
              trial,
              List.of("lease"),
              false,
              16,
              reports,
              OptionalDouble.of(now),
              ReportedStartup.NONE));
    }
    return attempts;
  }

  private static Profile profile(List<AttemptTimes> attempts) {
    return new ProfileFit(attempts)
        .profile("p", "V100", "epoch", Instant.EPOCH, "run x", Optional.empty(), List.of(), false)
        .profile();
  }
}
