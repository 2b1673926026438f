package io.elastune.provisioner.gcp.fake;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/** Tests that deviations from the discovery document are detected. */
class DiscoveryDocumentTest {
  private final DiscoveryDocument discoveryDocument = new DiscoveryDocument();
  private final DiscoveryDocument.Call insert =
      discoveryDocument.call("POST", "projects/p/zones/z/instances").orElseThrow();

  @Test
  void hasARevision() {
    assertThat(discoveryDocument.revision()).isEqualTo("20260922");
  }

  @Test
  void findsCallsByVerbAndPath() {
    assertThat(insert.method()).isEqualTo("compute.instances.insert");
    assertThat(insert.path()).containsEntry("zone", "z");
    assertThat(discoveryDocument.call("PUT", "projects/p/zones/z/instances")).isEmpty();
    assertThat(discoveryDocument.call("GET", "projects/p/zones/z/machines")).isEmpty();
  }

  @Test
  void validatesParametersAndBodies() {
    assertThat(discoveryDocument.problems(insert, Map.of("requestId", "x"))).isEmpty();
    assertThat(discoveryDocument.problems(insert, Map.of("requestid", "x"))).hasSize(1);
    assertThat(discoveryDocument.request(insert, json("{'name': 'x', 'labels': {'a': 'b'}}")))
        .isEmpty();
    assertThat(discoveryDocument.request(insert, json("{'nam': 'x'}")))
        .containsExactly("unknown field Instance.nam");
    assertThat(
            discoveryDocument.request(insert, json("{'scheduling': {'automaticRestart': 'no'}}")))
        .containsExactly("Instance.scheduling.automaticRestart is neither true nor false");
    assertThat(discoveryDocument.request(insert, json("{'id': 7, 'status': 'GONE'}"))).hasSize(2);
    assertThat(discoveryDocument.request(insert, MissingNode.getInstance())).isNotEmpty();
  }

  private static JsonNode json(String text) {
    return JsonMapper.shared().readTree(text.replace('\'', '"'));
  }
}
