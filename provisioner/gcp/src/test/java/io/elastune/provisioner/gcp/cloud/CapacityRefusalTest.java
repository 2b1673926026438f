package io.elastune.provisioner.gcp.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudEvent.Refused;
import io.elastune.provisioner.RecordedEvents;
import io.elastune.provisioner.RefusalReason;
import io.elastune.provisioner.TestWait;
import io.elastune.provisioner.gcp.fake.FakeTimes;
import io.elastune.provisioner.gcp.testing.GcpTestEnvironment;
import io.elastune.provisioner.gcp.testing.TestLeaseRequests;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tests how long a refusal for a region without capacity takes: for each zone, at most Google's
 * response time plus one polling interval. The test advances the clock.
 */
class CapacityRefusalTest {
  private static final String LEASE = TestLeaseRequests.RUN + "-1";
  private static final String INSERT = "compute.instances.insert";
  private static final String POLL = "compute.zoneOperations.get";
  private static final List<String> ZONES = List.of("us-central1-a", "us-central1-b");
  private static final Duration RESPONSE_TIME = Duration.ofSeconds(20);
  private static final Duration POLL_INTERVAL = GcpCloud.PACE.pollInterval();
  private static final Pattern WITHIN = Pattern.compile("within (\\d+) s:");

  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2026-11-21T09:00:00Z"));
  @RegisterExtension private final GcpTestEnvironment world = new GcpTestEnvironment(now::get);
  private final RecordedEvents events = new RecordedEvents();

  @Test
  void triesTheNextZoneImmediately() {
    exhaust(Duration.ZERO);
    try (Cloud cloud = open()) {
      cloud.request(TestLeaseRequests.of(LEASE));
      TestWait.until(() -> events.has(Refused.class, LEASE), events);
    }
    assertThat(world.fake().calls(INSERT)).isEqualTo(ZONES.size());
    assertThat(statedS()).isEqualTo(1);
  }

  @Test
  void refusalTakesOnePollingIntervalPerZone() {
    exhaust(RESPONSE_TIME);
    Instant began = now.get();
    try (Cloud cloud = open()) {
      cloud.request(TestLeaseRequests.of(LEASE));
      for (int zone = 1; zone <= ZONES.size(); zone++) {
        int expectedInserts = zone;
        TestWait.until(() -> world.fake().calls(INSERT) >= expectedInserts, events);
        TestWait.pause(Duration.ofMillis(200)); // the operation ends at this time
        Instant begun = now.get();
        while (now.get().isBefore(begun.plus(RESPONSE_TIME))) {
          long polls = world.fake().calls(POLL);
          now.updateAndGet(time -> time.plus(POLL_INTERVAL));
          TestWait.until(() -> world.fake().calls(POLL) > polls, events);
        }
      }
      TestWait.until(() -> events.has(Refused.class, LEASE), events);
    }
    Duration took = Duration.between(began, events.first(Refused.class, LEASE).at());
    Duration most = RESPONSE_TIME.plus(POLL_INTERVAL).multipliedBy(ZONES.size());
    assertThat(took).isLessThanOrEqualTo(most);
    assertThat(statedS()).isEqualTo((int) took.toSeconds() + 1);
    assertThat(world.fake().calls(INSERT)).isEqualTo(ZONES.size());
  }

  private void exhaust(Duration answer) {
    ZONES.forEach(zone -> world.fake().compute().pool("g2-standard-4", zone, 0));
    world.fake().compute().times(lease -> FakeTimes.millis(answer.toMillis(), 0, 0));
  }

  private Cloud open() {
    return world.open(GcpTestEnvironment.settings(), GcpCloud.PACE, events);
  }

  private int statedS() {
    Refused refused = events.first(Refused.class, LEASE);
    assertThat(refused.refusal()).isEqualTo(RefusalReason.CAPACITY);
    assertThat(refused.message()).contains("tried us-central1-a, us-central1-b within");
    Matcher stated = WITHIN.matcher(refused.message());
    assertThat(stated.find()).isTrue();
    return Integer.parseInt(stated.group(1));
  }
}
