package io.elastune.provisioner.gcp.account;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {
  private static final String RUN = "resnet-20261121-k3vq";

  @Test
  void validTextsAreUnchanged() {
    assertThat(Names.label(RUN)).isEqualTo(RUN);
    assertThat(Names.label("ana_maria")).isEqualTo("ana_maria");
    assertThat(Names.label("")).isEmpty();
    assertThat(Names.key("elastune-run")).isEqualTo("elastune-run");
    assertThat(Names.instance(RUN + "-1")).isEqualTo("elastune-" + RUN + "-1");
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
    assertThat(Names.label(text)).matches("[a-z0-9_-]{1,63}").isEqualTo(Names.label(text));
    assertThat(Names.key(text)).matches("[a-z][a-z0-9_-]{0,62}");
    assertThat(Names.instance(text)).matches("[a-z]([a-z0-9-]{0,61}[a-z0-9])?");
  }

  @Test
  void differentTextsHaveDifferentNames() {
    assertThat(Names.label("Ana")).isNotEqualTo(Names.label("ANA")).isNotEqualTo("ana");
    String longest = "a".repeat(40) + "-20261121-k3vq-";
    assertThat(Names.instance(longest + "1"))
        .hasSizeLessThanOrEqualTo(63)
        .isNotEqualTo(Names.instance(longest + "2"));
  }

  @Test
  void tagsBecomeLabels() {
    assertThat(Names.labels(Map.of("Team", "Vision")))
        .allSatisfy(
            (key, value) -> {
              assertThat(key).startsWith("x-team-");
              assertThat(value).startsWith("vision-");
            });
  }

  @Test
  void requestIdIsAStableUuid() {
    String id = Names.requestId("insert", "lease", "zone");
    assertThat(UUID.fromString(id)).hasToString(id);
    assertThat(id).isEqualTo(Names.requestId("insert", "lease", "zone"));
    assertThat(id).isNotEqualTo(Names.requestId("insert", "lease", "other"));
  }
}
