package io.elastune.provisioner.gcp.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudEvent.Ready;
import io.elastune.provisioner.CloudEvent.Refused;
import io.elastune.provisioner.CloudEvent.Terminated;
import io.elastune.provisioner.RecordedEvents;
import io.elastune.provisioner.gcp.fake.FakeTimes;
import io.elastune.provisioner.gcp.fake.Fault;
import io.elastune.provisioner.gcp.testing.GcpWorld;
import io.elastune.provisioner.gcp.testing.Requests;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Every call of insert, list and delete may fail, before its effect, after it, and twice. The whole
 * of them: {@code -Delastune.gcp.cycles=1000}.
 */
class FaultsTest {
  private static final long SEED = Long.getLong("elastune.seed", 7);
  private static final int CYCLES = Integer.getInteger("elastune.gcp.cycles", 100);
  private static final int AT_ONCE = 100;
  private static final double PROBABILITY = 0.25;

  @RegisterExtension private final GcpWorld world = new GcpWorld();

  @Test
  void nothingIsLeftAndNothingIsRentedTwice() {
    Random chance = new Random(SEED);
    world.fake().faults(faults(chance));
    world.fake().compute().times(lease -> FakeTimes.millis(10, 10, 30));
    world.fake().compute().visibleAfter(Duration.ofMillis(40));
    RecordedEvents events = new RecordedEvents();
    try (Cloud cloud = world.open(events)) {
      for (int done = 0; done < CYCLES; done += AT_ONCE) {
        cycles(cloud, events, done, chance);
      }
    }
    assertThat(world.fake().compute().up()).as("left, with seed %d", SEED).isEmpty();
    assertThat(world.fake().compute().ever()).as("seed %d", SEED).doesNotHaveDuplicates();
    assertThat(world.fake().compute().ever()).as("seed %d", SEED).hasSizeGreaterThan(CYCLES / 2);
  }

  /** Some leases are released when they are ready, some at any time before. */
  private static void cycles(Cloud cloud, RecordedEvents events, int first, Random chance) {
    List<String> leases = new ArrayList<>();
    for (int i = first; i < first + AT_ONCE; i++) {
      String lease = Requests.RUN + "-" + i;
      leases.add(lease);
      cloud.request(Requests.of(lease));
      if (chance.nextInt(4) == 0) {
        cloud.release(lease);
      }
    }
    GcpWorld.until(
        () ->
            leases.stream()
                .allMatch(
                    lease ->
                        events.has(Ready.class, lease)
                            || events.has(Terminated.class, lease)
                            || events.has(Refused.class, lease)),
        "seed " + SEED);
    leases.forEach(cloud::release);
    GcpWorld.until(
        () -> leases.stream().allMatch(lease -> events.has(Terminated.class, lease)),
        "seed " + SEED);
  }

  /** A fault often comes twice in a row: the repetition fails as well. */
  private static Function<String, Fault> faults(Random chance) {
    Fault[] last = {Fault.NONE};
    return action -> {
      synchronized (chance) {
        boolean again = last[0] != Fault.NONE && chance.nextInt(3) == 0;
        Fault fault = again ? last[0] : draw(chance, action);
        last[0] = fault;
        return fault;
      }
    };
  }

  private static Fault draw(Random chance, String method) {
    if (chance.nextDouble() > PROBABILITY) {
      return Fault.NONE;
    }
    List<Fault> all = List.of(Fault.values());
    Fault fault = all.get(chance.nextInt(all.size()));
    boolean list = fault == Fault.EMPTY || fault == Fault.STALE || fault == Fault.UNREACHABLE;
    return list && !method.equals("compute.instances.aggregatedList") ? Fault.LOST_AFTER : fault;
  }
}
