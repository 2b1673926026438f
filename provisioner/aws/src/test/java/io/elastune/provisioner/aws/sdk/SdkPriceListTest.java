package io.elastune.provisioner.aws.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SdkPriceListTest {
  private static String product(String type, String usd) {
    return """
        {"product": {"attributes": {"instanceType": "%s"}}, "terms": {"OnDemand": {"a":
          {"priceDimensions": {"b": {"unit": "Hrs", "pricePerUnit": {"USD": "%s"}}}}}}}
        """
        .formatted(type, usd);
  }

  @Test
  void highestPriceAppliesInAnyOrder() {
    String block = product("p5.48xlarge", "0.0000000000");
    String plain = product("p5.48xlarge", "55.0400000000");
    String low = product("p5.48xlarge", "31.4000000000");

    Map<String, Double> expected = Map.of("p5.48xlarge", 55.04);
    assertThat(SdkPriceList.highest(List.of(block, plain, low))).isEqualTo(expected);
    assertThat(SdkPriceList.highest(List.of(low, plain, block))).isEqualTo(expected);
    assertThat(SdkPriceList.highest(List.of(block))).isEmpty();
  }
}
