package io.elastune.provisioner.gcp.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.remote.FakeNode;
import io.elastune.provisioner.remote.NodeReport;
import io.elastune.provisioner.remote.NodeScriptsContract;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Runs the scripts of a Compute Engine node. */
class NodeScriptsIT extends NodeScriptsContract {
  @Override
  protected FakeNode create(Path root) throws IOException {
    return new FakeGceNode(root);
  }

  @Test
  void expiredNodeDeletesItselfIfPermitted() throws Exception {
    FakeGceNode gceNode = (FakeGceNode) node;
    gceNode.account = true;
    gceNode.boot(gceNode.script(Optional.empty(), now - 1, Duration.ofDays(1)));
    expiredNodeShutsDown();
    assertThat(gceNode.deleted())
        .containsExactly(
            "/compute/v1/projects/my-project/zones/us-central1-a/instances/elastune-node-1"
                + " Bearer the-token");
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
    String script =
        StartupScript.of(Optional.of(setup("x".repeat(100_000))), now, Duration.ofDays(1));
    assertThat(script.getBytes(StandardCharsets.UTF_8).length).isLessThan(256 * 1024);
    assertThat(script).doesNotContainPattern("@[A-Z_]+@");
  }
}
