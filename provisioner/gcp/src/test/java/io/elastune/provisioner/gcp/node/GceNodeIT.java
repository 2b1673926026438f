package io.elastune.provisioner.gcp.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.NodeSetup;
import io.elastune.provisioner.remote.NodeReport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests what only nodes of Compute Engine do, and that their timer ends them. {@link NodeScriptsIT}
 * runs the rest of their scripts.
 */
@DisabledOnOs(OS.WINDOWS)
class GceNodeIT {
  private static final Duration DAY = Duration.ofDays(1);
  private static final String SHUTDOWN = "shutdown -h now";

  private final long now = InstantSource.system().instant().getEpochSecond();

  @TempDir private Path folder;
  private FakeGceNode node;

  @BeforeEach
  void start() throws IOException {
    node = new FakeGceNode(folder);
  }

  @AfterEach
  void stop() {
    node.close();
  }

  @Test
  void nodeIsReadyAndKeepsRunningWhileItIsRenewed() throws Exception {
    node.boot(node.script(Optional.empty(), now - 1800, DAY));
    node.service("setup");
    assertThat(node.report()).contains(NodeReport.READY);

    node.expiry(now + 1200);
    runTimer();
    assertThat(node.calls("shutdown")).isEmpty();
  }

  @Test
  void expiredNodeDeletesItselfIfPermitted() throws Exception {
    node.account = true;
    node.boot(node.script(Optional.empty(), now + 1200, DAY));
    node.expiry(now - 1);
    runTimer();
    assertThat(node.calls("shutdown")).contains(SHUTDOWN);
    assertThat(node.deleted())
        .containsExactly(
            "/compute/v1/projects/my-project/zones/us-central1-a/instances/elastune-node-1"
                + " Bearer the-token");
  }

  private void runTimer() throws Exception {
    node.calls();
    node.pauses(1);
    node.service("dead-man");
  }

  @Test
  void nodeWithoutReportIsNotReady() {
    assertThat(GuestAttributes.report(Map.of())).isEmpty();
    assertThat(GuestAttributes.report(Map.of("state", "nearly ready"))).isEmpty();
    assertThat(GuestAttributes.report(Map.of("state", "ready"))).contains(NodeReport.READY);
    assertThat(GuestAttributes.report(Map.of("state", "failed 3 !"))).isEmpty();
  }

  @Test
  void scriptFitsIntoMetadata() {
    NodeSetup setup = new NodeSetup("x".repeat(100_000), "work", Map.of(), "setup.log");
    String script = StartupScript.of(Optional.of(setup), now, DAY);
    assertThat(script.getBytes(StandardCharsets.UTF_8).length).isLessThan(256 * 1024);
    assertThat(script).doesNotContainPattern("@[A-Z_]+@");
  }
}
