package io.elastune.provisioner.gcp.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResourceNamesTest {
  private static final String RUN = "resnet-20261121-k3vq";

  @Test
  void validTextsAreUnchanged() {
    assertThat(ResourceNames.labelValue(RUN)).isEqualTo(RUN);
    assertThat(ResourceNames.labelValue("ana_maria")).isEqualTo("ana_maria");
    assertThat(ResourceNames.labelValue("")).isEmpty();
    assertThat(ResourceNames.labelKey("elastune-run")).isEqualTo("elastune-run");
    assertThat(ResourceNames.instanceName(RUN + "-1")).isEqualTo("elastune-" + RUN + "-1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Ana Maria",
        "ana@example.org",
        "Ünal",
        "UPPER",
        "a.b",
        "x ",
        "0123456789012345678901234567890123456789012345678901234567890123"
      })
  void invalidTextsAreConverted(String text) {
    assertThat(ResourceNames.labelValue(text))
        .matches("[a-z0-9_-]{1,63}")
        .isEqualTo(ResourceNames.labelValue(text));
    assertThat(ResourceNames.labelKey(text)).matches("[a-z][a-z0-9_-]{0,62}");
    assertThat(ResourceNames.instanceName(text)).matches("[a-z]([a-z0-9-]{0,61}[a-z0-9])?");
  }

  @Test
  void differentTextsHaveDifferentNames() {
    assertThat(ResourceNames.labelValue("Ana"))
        .isNotEqualTo(ResourceNames.labelValue("ANA"))
        .isNotEqualTo("ana");
    String longest = "a".repeat(40) + "-20261121-k3vq-";
    assertThat(ResourceNames.instanceName(longest + "1"))
        .hasSizeLessThanOrEqualTo(63)
        .isNotEqualTo(ResourceNames.instanceName(longest + "2"));
  }

  @Test
  void tagsBecomeLabels() {
    assertThat(ResourceNames.labels(Map.of("Team", "Vision")))
        .allSatisfy(
            (key, value) -> {
              assertThat(key).startsWith("x-team-");
              assertThat(value).startsWith("vision-");
            });
  }

  @Test
  void requestIdIsAStableUuid() {
    String id = ResourceNames.requestId("insert", "lease", "zone");
    assertThat(UUID.fromString(id)).hasToString(id);
    assertThat(id).isEqualTo(ResourceNames.requestId("insert", "lease", "zone"));
    assertThat(id).isNotEqualTo(ResourceNames.requestId("insert", "lease", "other"));
  }
}
