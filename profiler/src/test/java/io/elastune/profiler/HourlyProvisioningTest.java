package io.elastune.profiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.core.profile.ProvisioningTimes;
import io.elastune.profiler.history.ProvisioningRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class HourlyProvisioningTest {
  private static final Instant NINE = Instant.parse("2026-11-24T09:30:00Z");

  @Test
  void leasesAtTheHourCountMore() {
    List<ProvisioningRow> rows = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      rows.add(row(10, 100));
      rows.add(row(22, 20));
    }

    ProvisioningTimes times = new HourlyProvisioning("s", NINE).times(rows).get(0);

    // 20 leases of 100 s, and 5 of the mean of all
    assertThat(times.queueS().mean()).isCloseTo((20 * 100 + 5 * 60) / 25.0, within(1e-9));
    assertThat(times.samples()).isEqualTo(40);
  }

  @Test
  void fewLeasesOrAnotherSetupAreNoEvidence() {
    List<ProvisioningRow> few = List.of(row(9, 10), row(9, 10), row(9, 10), row(9, 10));
    List<ProvisioningRow> enough = new ArrayList<>(few);
    enough.add(row(9, 10));

    assertThat(new HourlyProvisioning("s", NINE).times(few)).isEmpty();
    assertThat(new HourlyProvisioning("other", NINE).times(enough)).isEmpty();
    assertThat(new HourlyProvisioning("s", NINE).times(enough)).hasSize(1);
  }

  private static ProvisioningRow row(int hour, double queueS) {
    return new ProvisioningRow(
        "aws/us-east-1/x/on-demand", "s", hour, OptionalDouble.of(queueS), OptionalDouble.of(60));
  }
}
