package io.elastune.executor.ray;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RayEngineSettingsTest {
  /** By then, all workers of the node have ended. */
  @Test
  void nodeIsLostAfterDeadManAtTheLatest() {
    assertThat(RayEngineSettings.of(Duration.ofMinutes(15)).lostAfter())
        .isEqualTo(Duration.ofMinutes(1));
    assertThat(RayEngineSettings.of(Duration.ofSeconds(15)).lostAfter())
        .isEqualTo(Duration.ofSeconds(15));
  }
}
