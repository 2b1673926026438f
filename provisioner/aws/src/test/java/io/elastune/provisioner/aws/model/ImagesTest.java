package io.elastune.provisioner.aws.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ImagesTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "a1.large",
        "t4g.micro",
        "g5g.xlarge",
        "c7gn.large",
        "im4gn.large",
        "m8g.metal-24xl",
        "p6e-gb200.36xlarge"
      })
  void typesWithArm(String type) {
    assertThat(Images.architecture(type)).isEqualTo("arm64");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "g4dn.xlarge",
        "g5.xlarge",
        "g6f.large",
        "gr6.4xlarge",
        "g7e.2xlarge",
        "p6-b200.48xlarge",
        "a10.large"
      })
  void typesThatOnlyLookLikeArm(String type) {
    assertThat(Images.architecture(type)).isEqualTo("x86_64");
  }
}
