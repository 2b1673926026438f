package io.elastune.executor.ray.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elastune.core.config.FileProblemsException;
import io.elastune.executor.ray.acceptance.AcceptanceSettings;
import io.elastune.executor.ray.acceptance.NodeCheck;
import io.elastune.executor.ray.link.BridgeSettings;
import io.elastune.provisioner.CloudException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UserClustersTest {
  @TempDir Path folder;

  @Test
  void findsClustersByNameAndAddress() throws IOException {
    UserClusters clusters =
        clusters(
            """
            aws: {us-east-1: {image: ami-1}}
            ray:
              lab: {via: ssh ana@lab-head, python: /opt/ray/bin/python, token_env: LAB_TOKEN, node_start: 10m}
              big: {address: "10.0.0.5:6379"}
            """);

    assertThat(clusters.find("ray/lab"))
        .isEqualTo(
            new ClusterSettings(
                "auto",
                List.of("ssh", "ana@lab-head"),
                Optional.of("/opt/ray/bin/python"),
                Optional.of("LAB_TOKEN"),
                Optional.of(Duration.ofMinutes(10)),
                AcceptanceSettings.OF_USER_CLUSTER));
    assertThat(clusters.find("ray/big").address()).isEqualTo("10.0.0.5:6379");
    assertThat(clusters.find("ray/lab").queueLimit()).isEqualTo(Duration.ofMinutes(10));
    assertThat(clusters.find("ray/big").queueLimit()).isEqualTo(Duration.ofSeconds(30));
    assertThat(clusters.find("ray/auto")).isEqualTo(ClusterSettings.ofAddress("auto"));
    assertThat(clusters.find("ray/h:1")).isEqualTo(ClusterSettings.ofAddress("h:1"));
    assertThatThrownBy(() -> clusters.find("ray/lob"))
        .isInstanceOf(CloudException.class)
        .hasMessageContaining("lab, big");
  }

  @Test
  void needsNoFile() {
    UserClusters clusters = UserClusters.read(folder.resolve("none.yaml"));

    assertThat(clusters.named()).isEmpty();
    assertThat(clusters.find("ray/auto").address()).isEqualTo("auto");
  }

  @Test
  void namesTheFaultOfAnAddress() {
    assertThatThrownBy(() -> clusters("ray: {lab: {address: lab-head}}"))
        .isInstanceOf(FileProblemsException.class)
        .hasMessageContaining("HOST:PORT");
  }

  @ParameterizedTest
  @CsvSource({"29s, at least 30s", "24h1s, at most 1d", "0s, at least 30s", "-10m, duration"})
  void nodesStartWithinADay(String nodeStart, String expected) {
    assertThatThrownBy(() -> clusters("ray: {lab: {node_start: " + nodeStart + "}}"))
        .isInstanceOf(FileProblemsException.class)
        .hasMessageContaining("ray.lab.node_start: must be ")
        .hasMessageContaining(expected);
  }

  @Test
  void checksOfNodesHaveTheirOwnDefaults() throws IOException {
    UserClusters clusters =
        clusters("ray: {lab: {acceptance: {skip: [gpus, cuda], min_free_disk: 2G}}, big: {}}");

    AcceptanceSettings lab = clusters.find("ray/lab").acceptance();
    assertThat(lab.skip()).containsExactly(NodeCheck.GPUS, NodeCheck.CUDA);
    assertThat(lab.minFreeDisk()).isEqualTo(2_000_000_000L);
    assertThat(lab.driverWait()).isZero();
    assertThat(clusters.find("ray/big").acceptance()).isEqualTo(AcceptanceSettings.OF_USER_CLUSTER);
  }

  @Test
  void tokenIsNotInTheCommand() {
    ClusterSettings lab =
        new ClusterSettings(
            "h:1",
            List.of("ssh", "lab"),
            Optional.empty(),
            Optional.of("LAB_TOKEN"),
            Optional.empty(),
            AcceptanceSettings.OF_USER_CLUSTER);
    BridgeSettings bridge =
        new BridgeCommand(lab, name -> Optional.of("secret of " + name + "\n"))
            .settings("run", 1, folder.resolve("log"), Duration.ofSeconds(1));

    assertThat(bridge.python()).containsExactly("ssh", "lab", "python3");
    assertThat(bridge.environment())
        .containsEntry("RAY_AUTH_MODE", "token")
        .containsEntry("RAY_AUTH_TOKEN", "secret of LAB_TOKEN");
    assertThat(bridge.toString()).doesNotContain("secret");
  }

  @Test
  void missingTokenIsNamed() {
    ClusterSettings lab =
        new ClusterSettings(
            "h:1",
            List.of("ssh"),
            Optional.empty(),
            Optional.of("LAB_TOKEN"),
            Optional.empty(),
            AcceptanceSettings.OF_USER_CLUSTER);
    BridgeCommand command = new BridgeCommand(lab, name -> Optional.empty());

    assertThatThrownBy(
            () -> command.settings("run", 1, folder.resolve("log"), Duration.ofSeconds(1)))
        .isInstanceOf(CloudException.class)
        .hasMessageContaining("LAB_TOKEN is not set");
  }

  private UserClusters clusters(String text) throws IOException {
    return UserClusters.read(Files.writeString(folder.resolve("clouds.yaml"), text));
  }
}
