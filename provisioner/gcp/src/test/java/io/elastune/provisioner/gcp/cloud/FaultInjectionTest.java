package io.elastune.provisioner.gcp.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudEvent.PreparationFailed;
import io.elastune.provisioner.FaultInjectionCycles;
import io.elastune.provisioner.RecordedEvents;
import io.elastune.provisioner.gcp.fake.FakeTimes;
import io.elastune.provisioner.gcp.fake.Fault;
import io.elastune.provisioner.gcp.testing.GcpTestEnvironment;
import io.elastune.provisioner.gcp.testing.TestLeaseRequests;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tests faults in every insert, list and delete call: before its effect, after it, and twice in a
 * row. All combinations run with {@code -Delastune.gcp.cycles=1000}.
 */
class FaultInjectionTest {
  private static final long SEED = Long.getLong("elastune.seed", 7);
  private static final int CYCLES = Integer.getInteger("elastune.gcp.cycles", 100);

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
    try (Cloud cloud = world.open(events)) {
      cycles.run(CYCLES, cloud, events, i -> TestLeaseRequests.of(TestLeaseRequests.RUN + "-" + i));
    }
    assertThat(events.leases())
        .as("seed %d", SEED)
        .anyMatch(lease -> events.has(PreparationFailed.class, lease));
    assertThat(world.fake().compute().runningLeases()).as("left, with seed %d", SEED).isEmpty();
    assertThat(world.fake().compute().createdLeases()).as("seed %d", SEED).doesNotHaveDuplicates();
    assertThat(world.fake().compute().createdLeases())
        .as("seed %d", SEED)
        .hasSizeGreaterThan(CYCLES / 2);
  }

  private static String attribute(int exit) {
    return exit == 0 ? "ready" : "failed " + exit + " aW5hY3RpdmU=";
  }

  private static Fault fitting(String call, Fault fault) {
    boolean list = fault == Fault.EMPTY || fault == Fault.STALE || fault == Fault.UNREACHABLE;
    return list && !call.equals("compute.instances.aggregatedList") ? Fault.LOST_AFTER : fault;
  }
}
