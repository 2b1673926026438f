package io.elastune.provisioner.gcp.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.properties.Tier;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.FaultInjectionCycles;
import io.elastune.provisioner.RecordedEvents;
import io.elastune.provisioner.gcp.fake.FakeTimes;
import io.elastune.provisioner.gcp.fake.Fault;
import io.elastune.provisioner.gcp.testing.GcpTestEnvironment;
import io.elastune.provisioner.gcp.testing.TestLeaseRequests;
import io.elastune.provisioner.remote.PollingIntervals;
import io.elastune.provisioner.remote.PollingIntervalsBuilder;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tests faults in every insert, list and delete call: before its effect, after it, and twice in a
 * row. Nodes fail in every way, too. More cycles: {@code -Delastune.gcp.cycles=5000}.
 */
class FaultInjectionTest {
  private static final long SEED = Long.getLong("elastune.seed", 7);
  private static final int CYCLES = Tier.runs("elastune.gcp.cycles", 100, 1_000);

  /** Zones are tried again soon: otherwise two unknown codes end all launches for seconds. */
  private static final PollingIntervals PACE =
      PollingIntervalsBuilder.builder(GcpTestEnvironment.FAST)
          .zoneCooldown(Duration.ofMillis(50))
          .build();

  @RegisterExtension private final GcpTestEnvironment world = new GcpTestEnvironment();

  @Test
  void noLeaksAndNoDuplicatesUnderFaults() {
    FaultInjectionCycles cycles = new FaultInjectionCycles(SEED);
    world
        .fake()
        .faults(cycles.faults(Fault.NONE, List.of(Fault.values()), FaultInjectionTest::fitting));
    world.fake().compute().times(lease -> FakeTimes.millis(10, 10, 30));
    world.fake().compute().visibleAfter(Duration.ofMillis(40));
    world
        .fake()
        .compute()
        .guestAttribute((name, script) -> attribute(FaultInjectionCycles.reportedExit(name)));
    RecordedEvents events = new RecordedEvents();
    try (Cloud cloud = world.open(GcpTestEnvironment.settings(), PACE, events)) {
      cycles.run(CYCLES, cloud, events, i -> TestLeaseRequests.of(TestLeaseRequests.RUN + "-" + i));
      world.fake().faults(call -> Fault.NONE);
      world.fake().compute().guestAttribute((name, script) -> attribute(0));
      cycles.awaitLateInstances(
          cloud,
          events,
          TestLeaseRequests.of(TestLeaseRequests.RUN + "-last"),
          world.fake().compute()::runningLeases);
    }
    assertThat(world.fake().compute().plainLaunches()).as("seed %d", SEED).doesNotHaveDuplicates();
    assertThat(world.fake().compute().plainLaunches())
        .as("seed %d", SEED)
        .hasSizeGreaterThan(CYCLES / 2);
    if (CYCLES >= 1_000) { // few cycles may draw no fault of a kind
      cycles.requireAllKinds(events);
      assertThat(world.fake().compute().plainLaunches())
          .as("seed %d", SEED)
          .hasSizeLessThan(world.fake().compute().createdLeases().size());
    }
  }

  private static String attribute(int exit) {
    return exit == 0 ? "ready" : "failed " + exit + " aW5hY3RpdmU=";
  }

  private static Fault fitting(String call, Fault fault) {
    boolean fits =
        switch (fault) {
          case EMPTY, STALE, UNREACHABLE -> call.equals("compute.instances.aggregatedList");
          case UNKNOWN_CODE, PREEMPTED, LATE_TWIN -> call.equals("compute.instances.insert");
          default -> true;
        };
    return fits ? fault : Fault.LOST_AFTER;
  }
}
