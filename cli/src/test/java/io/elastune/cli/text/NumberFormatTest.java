package io.elastune.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NumberFormatTest {
  @Test
  void formatsUsdWithSuitablePrecision() {
    assertThat(UsdFormat.format(4.1)).isEqualTo("$4.10");
    assertThat(UsdFormat.format(1234.5)).isEqualTo("$1,234.50");
    assertThat(UsdFormat.format(0.1)).isEqualTo("$0.10");
    assertThat(UsdFormat.format(0.01234)).isEqualTo("$0.0123");
    assertThat(UsdFormat.format(0.0012345)).isEqualTo("$0.0012");
    assertThat(UsdFormat.format(0.0000004)).isEqualTo("$0.0000004");
    assertThat(UsdFormat.format(0)).isEqualTo("$0.00");
    assertThat(UsdFormat.format(1.7e-21)).isEqualTo("$0.00");
    assertThat(UsdFormat.format(-1.7e-21)).isEqualTo("$0.00");
    assertThat(UsdFormat.format(-2)).isEqualTo("-$2.00");
    assertThat(UsdFormat.format(Double.NaN)).isEqualTo("?");
  }

  @Test
  void roundsProbabilitiesDown() {
    assertThat(PercentFormat.probability(0.9999)).isEqualTo("99%");
    assertThat(PercentFormat.probability(1)).isEqualTo("100%");
    assertThat(PercentFormat.probability(0.29)).isEqualTo("29%");
    assertThat(PercentFormat.probability(0.001)).isEqualTo("<1%");
    assertThat(PercentFormat.probability(0)).isEqualTo("0%");
  }

  @Test
  void comparedProbabilitiesDiffer() {
    assertThat(PercentFormat.instead(0.99, 0.95)).isEqualTo("99% instead of 95%");
    assertThat(PercentFormat.instead(0.996, 0.991)).isEqualTo("99.6% instead of 99.1%");
    assertThat(PercentFormat.instead(1, 0.9999)).isEqualTo("100% instead of 99%");
    assertThat(PercentFormat.instead(0.9929, 0.9921)).isEqualTo("99.29% instead of 99.21%");
    assertThat(PercentFormat.instead(0.004, 0.002)).isEqualTo("0.4% instead of 0.2%");
    assertThat(PercentFormat.instead(0.29, 0.290)).isEqualTo("29% either way");
    assertThat(PercentFormat.instead(0.99001, 0.99002)).isEqualTo("99% either way");
  }

  @Test
  void roundsGapsUp() {
    assertThat(PercentFormat.error(0)).isEqualTo("0.00%");
    assertThat(PercentFormat.error(0.00041)).isEqualTo("0.05%");
    assertThat(PercentFormat.error(0.0005)).isEqualTo("0.05%");
    assertThat(PercentFormat.error(0.02)).isEqualTo("2.00%");
    assertThat(PercentFormat.gap(0)).isEqualTo("0%");
    assertThat(PercentFormat.gap(0.0031)).isEqualTo("0.4%");
    assertThat(PercentFormat.gap(0.02)).isEqualTo("2%");
  }
}
