package io.elastune.provisioner.aws.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.properties.Tier;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.FaultInjectionCycles;
import io.elastune.provisioner.RecordedEvents;
import io.elastune.provisioner.aws.fake.FakeTimes;
import io.elastune.provisioner.aws.fake.Fault;
import io.elastune.provisioner.aws.testing.AwsTestEnvironment;
import io.elastune.provisioner.aws.testing.TestLeaseRequests;
import io.elastune.provisioner.remote.PollingIntervals;
import io.elastune.provisioner.remote.PollingIntervalsBuilder;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Rents and releases instances while calls fail before their effect, after it, and twice in a row.
 * Nodes fail in every way, too. More cycles: {@code -Delastune.aws.cycles=5000}.
 */
class FaultInjectionTest {
  private static final long SEED = Long.getLong("elastune.seed", 7);
  private static final int CYCLES = Tier.runs("elastune.aws.cycles", 100, 1_000);

  /** Zones are tried again soon: otherwise two unknown codes end all launches for seconds. */
  private static final PollingIntervals PACE =
      PollingIntervalsBuilder.builder(AwsTestEnvironment.FAST)
          .zoneCooldown(Duration.ofMillis(50))
          .build();

  @RegisterExtension private final AwsTestEnvironment world = new AwsTestEnvironment();

  @Test
  void faultsCauseNoLeakOrDuplicate() {
    FaultInjectionCycles cycles = new FaultInjectionCycles(SEED);
    world
        .fake()
        .faults(cycles.faults(Fault.NONE, List.of(Fault.values()), FaultInjectionTest::fitting));
    world.fake().ec2().times(lease -> FakeTimes.millis(10, 10, 30));
    world.fake().ec2().visibleAfter(Duration.ofMillis(40));
    world.fake().ec2().console((id, userData) -> console(FaultInjectionCycles.reportedExit(id)));
    RecordedEvents events = new RecordedEvents();
    try (Cloud cloud = world.open(PACE, events)) {
      cycles.run(CYCLES, cloud, events, i -> TestLeaseRequests.of(TestLeaseRequests.RUN + "-" + i));
      world.fake().faults(call -> Fault.NONE);
      world.fake().ec2().console((id, userData) -> console(0));
      cycles.awaitLateInstances(
          cloud,
          events,
          TestLeaseRequests.of(TestLeaseRequests.RUN + "-last"),
          world.fake().ec2()::runningLeases);
    }
    assertThat(world.fake().ec2().plainLaunches()).as("seed %d", SEED).doesNotHaveDuplicates();
    assertThat(world.fake().ec2().plainLaunches())
        .as("seed %d", SEED)
        .hasSizeGreaterThan(CYCLES / 2);
    if (CYCLES >= 1_000) { // few cycles may draw no fault of a kind
      cycles.requireAllKinds(events);
      assertThat(world.fake().ec2().plainLaunches())
          .as("seed %d", SEED)
          .hasSizeLessThan(world.fake().ec2().launchedLeases().size());
    }
  }

  private static String console(int exit) {
    return "ELASTUNE-NODE " + (exit == 0 ? "ready" : "failed " + exit + " aW5hY3RpdmU=") + "\n";
  }

  private static Fault fitting(String call, Fault fault) {
    boolean fits =
        switch (fault) {
          case EMPTY, STALE -> call.equals("DescribeInstances");
          case UNKNOWN_CODE, PREEMPTED, LATE_TWIN -> call.equals("RunInstances");
          default -> true;
        };
    return fits ? fault : Fault.LOST_AFTER;
  }
}
