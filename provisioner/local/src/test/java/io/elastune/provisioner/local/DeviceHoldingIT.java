package io.elastune.provisioner.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.CloudEvent.Ready;
import io.elastune.provisioner.CloudEvent.Refused;
import io.elastune.provisioner.CloudEvent.Terminated;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.RecordedEvents;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.process.HostTools;
import io.elastune.provisioner.process.InstanceFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests with real guard processes that the runs of one home never use the same devices. */
class DeviceHoldingIT {
  private static final Duration DEAD_MAN = Duration.ofSeconds(20);

  private final String unique = UUID.randomUUID().toString().substring(0, 8);
  private final List<LocalCloud> clouds = new ArrayList<>();
  private final RecordedEvents events = new RecordedEvents();
  @TempDir private Path home;

  @AfterEach
  void close() throws InterruptedException {
    clouds.forEach(LocalCloud::close);
    within(() -> DeviceHold.all(home).isEmpty());
  }

  @Test
  void instancesOfTwoRunsGetDifferentGpus() throws InterruptedException {
    LocalCloud a = open();
    LocalCloud b = open();
    for (int i = 1; i <= 2; i++) {
      a.request(request("a", i, 1));
      b.request(request("b", i, 1));
    }
    within(() -> ready("a-1") && ready("a-2") && ready("b-1") && ready("b-2"));

    assertThat(Stream.of("a-1", "a-2", "b-1", "b-2").flatMap(l -> devices(l).stream()))
        .containsExactlyInAnyOrder("0", "1", "2", "3");
    assertThat(Stream.of("a-1", "a-2", "b-1", "b-2").flatMap(l -> slots(l).stream()))
        .containsExactlyInAnyOrder("0,1", "2,3", "4,5", "6,7");
  }

  @Test
  void instanceWaitsUntilItsGpusAreReleased() throws InterruptedException {
    LocalCloud a = open();
    a.request(request("a", 1, 3));
    within(() -> ready("a-1"));
    LocalCloud b = open();
    b.request(request("b", 1, 2));
    Thread.sleep(700);
    assertThat(events.types(lease("b-1"))).isEmpty();

    a.release(lease("a-1"));
    within(() -> ready("b-1"));
    assertThat(devices("b-1")).hasSize(2);
  }

  @Test
  void waitingInstanceCanBeReleased() throws InterruptedException {
    LocalCloud a = open();
    a.request(request("a", 1, 4));
    within(() -> ready("a-1"));
    a.request(request("a", 2, 4));
    a.release(lease("a-2"));
    within(() -> events.has(Terminated.class, lease("a-2")));

    assertThat(events.types(lease("a-2"))).containsExactly(Terminated.class);
  }

  @Test
  void moreGpusThanTheMachineHasAreRefused() throws InterruptedException {
    open().request(request("a", 1, 5));
    within(() -> events.has(Refused.class, lease("a-1")));

    assertThat(events.first(Refused.class, lease("a-1")).message())
        .contains("needs 5 GPUs per instance, and this machine has 4");
  }

  /** As after {@code kill -9} of a controller and of its guard: a worker still uses the GPU. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void devicesOfKilledRunAreReclaimedAfterItsLastProcess() throws Exception {
    InstanceFolder dead = InstanceFolder.of(home, lease("dead-1"));
    InstanceRecords.create(dead, Map.of(Tags.RUN, "dead"));
    new DeviceHold("dead", List.of(0), List.of("GPU-0", "GPU-1")).store(dead);
    Process worker = worker(lease("dead-1"));
    LocalCloud a = open();
    a.request(request("a", 1, 2));
    a.request(request("a", 2, 2));
    within(() -> ready("a-1") || ready("a-2"));
    Thread.sleep(700);
    assertThat(ready("a-1") && ready("a-2")).isFalse();

    worker.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
    within(() -> ready("a-1") && ready("a-2"));
    assertThat(Files.exists(dead.path())).isTrue();
  }

  private Process worker(String lease) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(HostTools.detached(List.of("sleep", "600")));
    builder.environment().put("ELASTUNE_LEASE", lease);
    return builder.start();
  }

  private LocalCloud open() {
    LocalCloud cloud =
        new LocalCloud(home, InstantSource.system(), events, DeviceAssignmentTest.machine(8, 4));
    clouds.add(cloud);
    return cloud;
  }

  private LeaseRequest request(String run, int number, int gpus) {
    String lease = lease(run + "-" + number);
    Map<String, String> tags =
        Map.of(Tags.RUN, run, Tags.OWNER, "tester", Tags.LEASE, lease, Tags.EXPIRES, "1795000000");
    return new LeaseRequest(
        run, lease, DeviceAssignmentTest.offer("A10G", gpus, 0), Optional.empty(), tags, DEAD_MAN);
  }

  private String lease(String name) {
    return unique + "-" + name;
  }

  private boolean ready(String name) {
    return events.has(Ready.class, lease(name));
  }

  private List<String> devices(String name) {
    return events.first(Ready.class, lease(name)).node().devices();
  }

  private List<String> slots(String name) {
    return events.first(Ready.class, lease(name)).node().slots();
  }

  private static void within(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + DEAD_MAN.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("still waiting").isLessThan(end);
      Thread.sleep(20);
    }
  }
}
