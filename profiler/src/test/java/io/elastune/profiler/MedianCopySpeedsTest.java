package io.elastune.profiler;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.profiler.history.CopySpeed;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MedianCopySpeedsTest {
  private static final String OFFER = "aws/us-east-1/g5.xlarge/spot";

  @Test
  void usualSpeedIsMedianOfThreeOrMoreInstances() {
    assertThat(MedianCopySpeeds.of(speeds(480, 100))).isEmpty();
    assertThat(MedianCopySpeeds.of(speeds(480, 100, 500))).isEqualTo(Map.of(OFFER, 480.0));
    assertThat(MedianCopySpeeds.of(speeds(480, 100, 500, 470))).isEqualTo(Map.of(OFFER, 475.0));
  }

  @Test
  void otherOffersDoNotCount() {
    List<CopySpeed> three =
        List.of(new CopySpeed("a", 480), new CopySpeed("a", 480), new CopySpeed("b", 480));
    assertThat(MedianCopySpeeds.of(three)).isEmpty();
  }

  private static List<CopySpeed> speeds(double... gbPerS) {
    return Arrays.stream(gbPerS).mapToObj(speed -> new CopySpeed(OFFER, speed)).toList();
  }
}
