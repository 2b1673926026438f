package io.elastune.provisioner.aws.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudEvent.PreparationFailed;
import io.elastune.provisioner.FaultInjectionCycles;
import io.elastune.provisioner.RecordedEvents;
import io.elastune.provisioner.aws.fake.FakeTimes;
import io.elastune.provisioner.aws.fake.Fault;
import io.elastune.provisioner.aws.testing.AwsTestEnvironment;
import io.elastune.provisioner.aws.testing.TestLeaseRequests;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Rents and releases instances while calls fail before their effect, after it, and twice in a row.
 * More cycles: {@code -Delastune.aws.cycles=1000}.
 */
class FaultInjectionTest {
  private static final long SEED = Long.getLong("elastune.seed", 7);
  private static final int CYCLES = Integer.getInteger("elastune.aws.cycles", 300);

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
    try (Cloud cloud = world.open(events)) {
      cycles.run(CYCLES, cloud, events, i -> TestLeaseRequests.of(TestLeaseRequests.RUN + "-" + i));
    }
    assertThat(events.leases())
        .as("seed %d", SEED)
        .anyMatch(lease -> events.has(PreparationFailed.class, lease));
    assertThat(world.fake().ec2().runningLeases()).as("running instances, seed %d", SEED).isEmpty();
    assertThat(world.fake().ec2().launchedLeases()).as("seed %d", SEED).doesNotHaveDuplicates();
    assertThat(world.fake().ec2().launchedLeases())
        .as("seed %d", SEED)
        .hasSizeGreaterThan(CYCLES / 2);
  }

  private static String console(int exit) {
    return "ELASTUNE-NODE " + (exit == 0 ? "ready" : "failed " + exit + " aW5hY3RpdmU=") + "\n";
  }

  private static Fault fitting(String call, Fault fault) {
    boolean list = fault == Fault.EMPTY || fault == Fault.STALE;
    return list && !call.equals("DescribeInstances") ? Fault.LOST_AFTER : fault;
  }
}
