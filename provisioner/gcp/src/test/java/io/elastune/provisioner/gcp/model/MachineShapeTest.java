package io.elastune.provisioner.gcp.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MachineShapeTest {
  @ParameterizedTest
  @CsvSource({
    "g2-standard-4,,pd-balanced",
    "a2-highgpu-1g,,pd-balanced",
    "n1-standard-8+2xnvidia-tesla-t4,,pd-balanced",
    "a3-megagpu-8g,,pd-balanced",
    "g4-standard-48,,hyperdisk-balanced",
    "a3-ultragpu-8g,,hyperdisk-balanced",
    "a4-highgpu-8g,,hyperdisk-balanced",
    "a4x-highgpu-4g,,hyperdisk-balanced",
    "g2-standard-4,pd-ssd,pd-ssd",
    "g4-standard-48,pd-ssd,hyperdisk-balanced",
    "g4-standard-48,hyperdisk-extreme,hyperdisk-extreme"
  })
  void bootDiskFitsTheMachine(String type, String setting, String disk) {
    assertThat(MachineShape.of(type).bootDiskType(Optional.ofNullable(setting))).isEqualTo(disk);
  }
}
