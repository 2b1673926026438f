package io.elastune.cli.screen;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AmountsTest {
  @Test
  void formatsUsdWithSuitablePrecision() {
    assertThat(Usd.format(4.1)).isEqualTo("$4.10");
    assertThat(Usd.format(1234.5)).isEqualTo("$1,234.50");
    assertThat(Usd.format(0.1)).isEqualTo("$0.10");
    assertThat(Usd.format(0.01234)).isEqualTo("$0.0123");
    assertThat(Usd.format(0.0012345)).isEqualTo("$0.001235");
    assertThat(Usd.format(0.0000004)).isEqualTo("$0.0000004");
    assertThat(Usd.format(0)).isEqualTo("$0.00");
    assertThat(Usd.format(-2)).isEqualTo("-$2.00");
    assertThat(Usd.format(Double.NaN)).isEqualTo("?");
  }

  @Test
  void roundsProbabilitiesDown() {
    assertThat(Percent.probability(0.9999)).isEqualTo("99%");
    assertThat(Percent.probability(1)).isEqualTo("100%");
    assertThat(Percent.probability(0.29)).isEqualTo("29%");
    assertThat(Percent.probability(0.001)).isEqualTo("<1%");
    assertThat(Percent.probability(0)).isEqualTo("0%");
  }

  @Test
  void roundsGapsUp() {
    assertThat(Percent.error(0)).isEqualTo("0.00%");
    assertThat(Percent.error(0.00041)).isEqualTo("0.05%");
    assertThat(Percent.error(0.0005)).isEqualTo("0.05%");
    assertThat(Percent.error(0.02)).isEqualTo("2.00%");
    assertThat(Percent.gap(0)).isEqualTo("0%");
    assertThat(Percent.gap(0.0031)).isEqualTo("0.4%");
    assertThat(Percent.gap(0.02)).isEqualTo("2%");
  }
}
