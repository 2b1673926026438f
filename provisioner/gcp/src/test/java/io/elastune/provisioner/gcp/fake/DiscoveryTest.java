package io.elastune.provisioner.gcp.fake;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/** Tests that deviations from the discovery document are detected. */
class DiscoveryTest {
  private final Discovery discovery = new Discovery();
  private final Discovery.Call insert =
      discovery.call("POST", "projects/p/zones/z/instances").orElseThrow();

  @Test
  void hasARevision() {
    assertThat(discovery.revision()).isEqualTo("20260922");
  }

  @Test
  void findsCallsByVerbAndPath() {
    assertThat(insert.method()).isEqualTo("compute.instances.insert");
    assertThat(insert.path()).containsEntry("zone", "z");
    assertThat(discovery.call("PUT", "projects/p/zones/z/instances")).isEmpty();
    assertThat(discovery.call("GET", "projects/p/zones/z/machines")).isEmpty();
  }

  @Test
  void validatesParametersAndBodies() {
    assertThat(discovery.problems(insert, Map.of("requestId", "x"))).isEmpty();
    assertThat(discovery.problems(insert, Map.of("requestid", "x"))).hasSize(1);
    assertThat(discovery.request(insert, json("{'name': 'x', 'labels': {'a': 'b'}}"))).isEmpty();
    assertThat(discovery.request(insert, json("{'nam': 'x'}")))
        .containsExactly("unknown field Instance.nam");
    assertThat(discovery.request(insert, json("{'scheduling': {'automaticRestart': 'no'}}")))
        .containsExactly("Instance.scheduling.automaticRestart is neither true nor false");
    assertThat(discovery.request(insert, json("{'id': 7, 'status': 'GONE'}"))).hasSize(2);
    assertThat(discovery.request(insert, MissingNode.getInstance())).isNotEmpty();
  }

  private static JsonNode json(String text) {
    return JsonMapper.shared().readTree(text.replace('\'', '"'));
  }
}
