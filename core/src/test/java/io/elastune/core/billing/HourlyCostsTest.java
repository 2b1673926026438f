package io.elastune.core.billing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class HourlyCostsTest {
  private static final HourlyCosts BOTH = new HourlyCosts(7.2, 3.6);

  @Test
  void chargesControllerAndStoragePerSecond() {
    assertThat(BOTH.controllerUsdPerS()).isCloseTo(0.002, within(1e-15));
    assertThat(BOTH.storageUsdPerS()).isCloseTo(0.001, within(1e-15));
    assertThat(BOTH.usdPerS()).isCloseTo(0.003, within(1e-15));
    assertThat(BOTH.usd(500)).isCloseTo(1.5, within(1e-12));
    assertThat(HourlyCosts.NONE.usd(500)).isZero();
  }

  @Test
  void rejectsNegativePrices() {
    assertThatThrownBy(() -> new HourlyCosts(-1, 0)).hasMessageContaining("controller");
    assertThatThrownBy(() -> new HourlyCosts(0, -1)).hasMessageContaining("storage");
  }
}
