package io.elastune.profiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.Spread;
import io.elastune.core.profile.CheckpointMeasurement;
import io.elastune.core.profile.CheckpointMeasurement.Sampled;
import io.elastune.executor.engine.CheckpointTimes;
import io.elastune.profiler.AttemptTimes.Report;
import io.elastune.profiler.AttemptTimes.ReportedStartup;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class CheckpointFitTest {
  @Test
  void transfersHaveTheirOwnCounts() {
    CheckpointMeasurement measured =
        CheckpointFit.of(
            List.of(times(200, 1), times(200, 3), restored(4)), List.of(size(1.5, 1.5, 1.5)));

    assertThat(measured.sizeGb()).hasValue(new Sampled(2e-7, 0, 2));
    assertThat(measured.storeS())
        .hasValueSatisfying(
            store -> {
              assertThat(store.mean()).isEqualTo(2);
              assertThat(store.cv()).isEqualTo(Math.sqrt(2) / 2, within(1e-9));
              assertThat(store.samples()).isEqualTo(2);
            });
    assertThat(measured.restoreS()).hasValue(new Sampled(4, 0, 1));
  }

  /** The trials write 1.5 s more in their last unit than in the others. */
  @Test
  void lastUnitContainsTheCheckpoint() {
    CheckpointMeasurement measured = CheckpointFit.of(List.of(), List.of(size(1.4, 1.5, 1.6)));

    assertThat(measured.saveS())
        .hasValueSatisfying(
            save -> {
              assertThat(save.mean()).isEqualTo(1.5, within(1e-9));
              assertThat(save.samples()).isEqualTo(3);
            });
    assertThat(measured.writeS().mean()).isEqualTo(1.5, within(1e-9));
  }

  /** A trial that writes a checkpoint after every unit, or one whose units vary more. */
  @Test
  void timeThatCannotBeDistinguishedIsNotMeasured() {
    assertThat(CheckpointFit.of(List.of(), List.of(size(0.1, -0.2, 0.1))).saveS()).isEmpty();
    assertThat(CheckpointFit.of(List.of(), List.of(size(1.5, 1.5))).saveS()).isEmpty();
    assertThat(CheckpointFit.of(List.of(), List.of()))
        .isEqualTo(CheckpointMeasurement.NONE)
        .extracting(CheckpointMeasurement::writeS)
        .isEqualTo(Spread.NONE);
  }

  /** Returns attempts with units of 3 s, the last of which are longer. */
  private static SizeFit size(double... extrasS) {
    return SizeFit.of(
        TrialSize.of(1),
        DoubleStream.of(extrasS)
            .mapToObj(
                extra ->
                    new AttemptTimes(
                        TrialSize.of(1),
                        1,
                        List.of("lease"),
                        false,
                        3,
                        List.of(new Report(1, 4), new Report(2, 7), new Report(3, 10 + extra)),
                        OptionalDouble.of(11),
                        ReportedStartup.NONE))
            .toList());
  }

  private static CheckpointTimes times(long bytes, double storeS) {
    return new CheckpointTimes(
        OptionalLong.of(bytes), OptionalDouble.of(storeS), OptionalDouble.empty());
  }

  private static CheckpointTimes restored(double seconds) {
    return new CheckpointTimes(
        OptionalLong.empty(), OptionalDouble.empty(), OptionalDouble.of(seconds));
  }
}
