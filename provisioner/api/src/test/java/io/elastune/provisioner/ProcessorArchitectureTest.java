package io.elastune.provisioner;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProcessorArchitectureTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "aws a1.large",
        "aws t4g.micro",
        "aws g5g.xlarge",
        "aws c7gn.large",
        "aws im4gn.large",
        "aws m8g.metal-24xl",
        "aws p6e-gb200.36xlarge",
        "gcp a4x-highgpu-4g",
        "gcp t2a-standard-1"
      })
  void typesWithArm(String type) {
    assertThat(architecture(type)).isEqualTo("arm64");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "aws g4dn.xlarge",
        "aws g5.xlarge",
        "aws g6f.large",
        "aws gr6.4xlarge",
        "aws g7e.2xlarge",
        "aws p6-b200.48xlarge",
        "aws a10.large",
        "gcp a4-highgpu-8g",
        "gcp n1-standard-8+2xnvidia-tesla-t4",
        "local g5g.xlarge",
        "simulated a1.large"
      })
  void typesThatOnlyLookLikeArm(String type) {
    assertThat(architecture(type)).isEqualTo("x86_64");
  }

  private static String architecture(String type) {
    String[] parts = type.split(" ", 2);
    return ProcessorArchitecture.of(parts[0], parts[1]);
  }
}
