package io.elastune.executor.ray.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.ray.link.BridgeSettings;
import io.elastune.executor.ray.link.Frame;
import io.elastune.executor.ray.link.RayConnection;
import io.elastune.executor.ray.link.RayLink;
import io.elastune.executor.ray.link.Request;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.CloudEvent.Ready;
import io.elastune.provisioner.CloudEvent.Refused;
import io.elastune.provisioner.CloudEvent.Running;
import io.elastune.provisioner.RecordedEvents;
import io.elastune.provisioner.RefusalReason;
import io.elastune.provisioner.TestWait;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Runs the contract suite with agents in the bridge, without Ray. */
@EnabledOnOs(OS.LINUX)
@ResourceLock("the run of CloudContract")
class RayCloudLoopbackIT extends RayCloudContract {
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

  @Override
  protected Optional<Cloud> openWithFaults(Runnable beforeTask, Consumer<CloudEvent> consumer)
      throws Exception {
    Duration limit = Duration.ofSeconds(30);
    return Optional.of(open(consumer, settings(limit, limit), beforeTask::run));
  }

  @Test
  void requestThatStaysPendingIsRefused() throws Exception {
    RecordedEvents later = new RecordedEvents();
    try (RayCloud impatient = open(later, settings(Duration.ZERO, Duration.ofSeconds(60)))) {
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

  /** As after SIGSTOP and SIGCONT. The first renewal afterwards fails. */
  @Test
  void suspendedControllerLosesNoLease() throws Exception {
    cloud.close();
    cloud = open(events, settings(Duration.ofSeconds(30), Duration.ofSeconds(6)));
    cloud.request(request(LEASE, 0, 0, Optional.empty()));
    until(() -> events.has(Ready.class, LEASE));
    RayConnection connection = RayConnection.open(bridge(2), InstantSource.system());
    Request fault = Request.of("fault");
    fault.object("fail").put("renew", 1);
    var unused = connection.link().onLoop(() -> connection.link().request(fault)).get();
    CountDownLatch suspended = new CountDownLatch(1);
    CountDownLatch renewed = new CountDownLatch(1);
    connection.loop().execute(() -> await(suspended));
    TestWait.pause(Duration.ofSeconds(12));
    suspended.countDown();
    connection.loop().schedule(Duration.ofSeconds(1), renewed::countDown);
    await(renewed);
    connection.leave(listener());

    assertThat(events.types(LEASE)).containsExactly(Running.class, Ready.class);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static RayLink.Listener listener() {
    return new RayLink.Listener() {
      @Override
      public void connected() {}

      @Override
      public void event(Frame event) {}
    };
  }

  @Test
  void nodeWithAFolderThatOthersCanChangeIsRefused() throws Exception {
    Path nodes = folder.resolve("nodes");
    Files.setPosixFilePermissions(nodes, PosixFilePermissions.fromString("rwxrwxrwx"));
    cloud.request(request(LEASE, 0, 0, Optional.empty()));
    until(() -> events.has(Refused.class, LEASE));

    assertThat(events.types(LEASE)).containsExactly(Refused.class);
    assertThat(events.first(Refused.class, LEASE).message())
        .contains(nodes + " is not private: other users can write to it");
    assertThat(nodes).isEmptyDirectory();
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
