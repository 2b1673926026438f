package io.elastune.cli.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.decision.model.TrialState;
import io.elastune.executor.journal.FaultRow;
import io.elastune.executor.journal.TrialRow;
import io.elastune.executor.journal.TrialRowBuilder;
import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class FailureGroupsTest {
  private static TrialRow trial(int number, String config) {
    return TrialRowBuilder.builder()
        .trial(number)
        .chain("")
        .configText(config)
        .status(TrialState.Status.FAILED)
        .metric(OptionalDouble.empty())
        .endedEarly(OptionalInt.empty())
        .parent(OptionalInt.empty())
        .parentUnit(OptionalInt.empty())
        .build();
  }

  private static FaultRow fault(int trial, String error) {
    return new FaultRow(
        Instant.EPOCH, trial, trial + "-1-1", "exit 1; last lines:\nTraceback\n" + error);
  }

  /** Every trial has depth 2, so it explains nothing. */
  @Test
  void namesWhatEqualFailuresHaveInCommon() {
    List<TrialRow> trials =
        List.of(
            trial(1, "{\"lr\":0.1,\"batch\":512,\"depth\":2}"),
            trial(2, "{\"lr\":0.2,\"batch\":64,\"depth\":2}"),
            trial(3, "{\"lr\":0.3,\"batch\":512,\"depth\":2}"));
    FailureGroups groups =
        FailureGroups.of(
            List.of(
                fault(1, "MemoryError"),
                fault(2, "KeyError: 'x'"),
                fault(1, "MemoryError"),
                fault(3, "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB")),
            trials);

    assertThat(groups.lines())
        .hasSize(3)
        .startsWith("2 trials (1, 3) failed, all with batch=512: out of memory")
        .endsWith("trial 2 failed with lr=0.2, batch=64, depth=2: KeyError: 'x'");
    assertThat(groups.documents())
        .extracting(FailureGroups.FailureDocument::count)
        .containsExactly(3, 1);
    assertThat(groups.documents().get(0).trials()).containsExactly(1, 3);
  }

  @Test
  void faultsThatAreNoFailuresHaveNoGroup() {
    FaultRow ignored = new FaultRow(Instant.EPOCH, 1, "1-1-1", "dropped after 1 failed attempt");
    assertThat(FailureGroups.of(List.of(ignored), List.of(trial(1, "{}"))).lines()).isEmpty();
  }
}
