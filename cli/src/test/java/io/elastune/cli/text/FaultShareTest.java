package io.elastune.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FaultShareTest {
  @Test
  void aPartOfTimeAndCost() {
    FaultShare share = new FaultShare(200, 0.1, 0.02, 0.03);
    assertThat(share.time()).isEqualTo("3m20s of the mean time");
    assertThat(share.cost()).isEqualTo("$0.10 of the mean cost");
  }

  /** A slow instance that fails is replaced by one that is not. */
  @Test
  void faultsMayShortenARun() {
    FaultShare share = new FaultShare(-660, -0.2, -0.04, -0.05);
    assertThat(share.time()).isEqualTo("a mean time that is 11m shorter");
    assertThat(share.cost()).isEqualTo("a mean cost that is $0.20 lower");
  }

  @Test
  void anErrorOfTheSamplesIsNoGain() {
    FaultShare share = new FaultShare(-3, -0.001, -0.0002, -0.0001);
    assertThat(share.time()).isEqualTo("0s of the mean time");
    assertThat(share.cost()).isEqualTo("$0.00 of the mean cost");
  }
}
