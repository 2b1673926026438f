package io.elastune.core.billing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class RunningCostsTest {
  private static final RunningCosts BOTH = new RunningCosts(7.2, 3.6);

  @Test
  void chargesControllerAndStoragePerSecond() {
    assertThat(BOTH.controllerUsdPerS()).isCloseTo(0.002, within(1e-15));
    assertThat(BOTH.storageUsdPerS()).isCloseTo(0.001, within(1e-15));
    assertThat(BOTH.usdPerS()).isCloseTo(0.003, within(1e-15));
    assertThat(BOTH.usd(500)).isCloseTo(1.5, within(1e-12));
    assertThat(RunningCosts.NONE.usd(500)).isZero();
  }

  @Test
  void rejectsNegativePrices() {
    assertThatThrownBy(() -> new RunningCosts(-1, 0)).hasMessageContaining("controller");
    assertThatThrownBy(() -> new RunningCosts(0, -1)).hasMessageContaining("storage");
  }
}
