package io.elastune.provisioner.aws.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.NodeSetup;
import io.elastune.provisioner.SampleLeaseRequests;
import io.elastune.provisioner.aws.testing.TestLeaseRequests;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestValidatorTest {
  private static final LeaseRequest REQUEST = TestLeaseRequests.of(TestLeaseRequests.RUN + "-1");

  /** EC2 limits the user data in bytes. */
  @Test
  void countsSetupInBytes() {
    assertThat(problem(withSetup("x".repeat(6000)))).isEmpty();
    assertThat(problem(withSetup("ü".repeat(3001))))
        .hasValueSatisfying(text -> assertThat(text).startsWith("setup is longer than 6000 bytes"));
  }

  /** EC2 refuses these names if the metadata service shows the tags. */
  @ParameterizedTest
  @ValueSource(strings = {".", "..", "_index", "a/b", "aws:team", ""})
  void refusesTagsThatMetadataCannotShow(String name) {
    assertThat(problem(withTag(name))).isPresent();
  }

  @ParameterizedTest
  @ValueSource(strings = {"...", "_index2", "team", "a.b:c@d"})
  void allowsOtherTags(String name) {
    assertThat(problem(withTag(name))).isEmpty();
  }

  private static Optional<String> problem(LeaseRequest request) {
    return RequestValidator.problem(request, List.of("us-east-1"));
  }

  private static LeaseRequest withSetup(String command) {
    return SampleLeaseRequests.withSetup(REQUEST, new NodeSetup(command, "/work", Map.of(), "log"));
  }

  private static LeaseRequest withTag(String name) {
    Map<String, String> tags = new HashMap<>(REQUEST.tags());
    tags.put(name, "value");
    return new LeaseRequest(
        REQUEST.run(), REQUEST.lease(), REQUEST.offer(), REQUEST.setup(), tags, REQUEST.deadMan());
  }
}
