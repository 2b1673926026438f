package io.elastune.executor.ray.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.ray.link.BridgeSettings;
import io.elastune.provisioner.CloudEvent.Ready;
import io.elastune.provisioner.CloudEvent.Refused;
import io.elastune.provisioner.RecordedEvents;
import io.elastune.provisioner.RefusalReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Runs the contract suite with agents in the bridge, without Ray. */
@EnabledOnOs(OS.LINUX)
class RayCloudLoopbackTest extends RayCloudContract {
  @Override
  BridgeSettings bridge(int number) throws IOException {
    return new BridgeSettings(
        List.of("python3"),
        BridgeSettings.LOOPBACK,
        Files.createDirectories(folder.resolve("nodes")).toString(),
        RUN,
        number,
        folder.resolve("ray.log"),
        Map.of(),
        Duration.ofSeconds(15));
  }

  @Test
  void requestThatStaysPendingIsRefused() throws Exception {
    RecordedEvents later = new RecordedEvents();
    try (RayCloud impatient =
        open(later, new RayCloud.Timeouts(Duration.ZERO, Duration.ofSeconds(60)))) {
      impatient.request(request(LEASE, 600, 0, Optional.empty()));
      until(() -> later.has(Refused.class, LEASE));
    }

    assertThat(later.types(LEASE)).containsExactly(Refused.class);
    assertThat(later.first(Refused.class, LEASE).refusal()).isEqualTo(RefusalReason.CAPACITY);
    assertThat(later.first(Refused.class, LEASE).message()).contains("2000 CPUs");
  }

  @Test
  void workersOfALeaseWithoutGpusSeeNone() {
    cloud.request(request(LEASE, 0, 0, Optional.empty()));
    until(() -> events.has(Ready.class, LEASE));

    assertThat(events.first(Ready.class, LEASE).node().slots()).containsExactly("0", "1");
    assertThat(events.first(Ready.class, LEASE).node().devices()).containsExactly("", "");
  }

  @Test
  void releasedLeaseLeavesNoFiles() {
    cloud.request(request(LEASE, 0, 0, Optional.empty()));
    until(() -> events.has(Ready.class, LEASE));
    Path files = folder.resolve("nodes").resolve(LEASE);
    assertThat(files).exists();
    cloud.release(LEASE);
    until(() -> !Files.exists(files));
  }

  /** The node of a lease was lost with its agent, and has come back. */
  @Test
  void filesOfALeaseThatExpiredLongAgoAreRemoved() throws Exception {
    Path nodes = folder.resolve("nodes");
    Path expired = Files.createDirectories(nodes.resolve("expired-1"));
    Path current = Files.createDirectories(nodes.resolve("current-1"));
    Files.writeString(expired.resolve("lease"), "-1000");
    Files.writeString(current.resolve("lease"), "1e12");
    cloud.request(request(LEASE, 0, 0, Optional.empty()));
    until(() -> events.has(Ready.class, LEASE));
    until(() -> !Files.exists(expired));

    assertThat(current).exists();
  }
}
