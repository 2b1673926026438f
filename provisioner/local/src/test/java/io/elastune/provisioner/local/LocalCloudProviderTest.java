package io.elastune.provisioner.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import io.elastune.provisioner.CloudProvider;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class LocalCloudProviderTest {
  @Test
  void isFoundByServiceLoader() {
    assertThat(ServiceLoader.load(CloudProvider.class))
        .singleElement()
        .satisfies(provider -> assertThat(provider.name()).isEqualTo("local"));
  }

  @Test
  void offersCoreAtNotionalPrice() {
    Offer offer =
        new LocalCloudProvider()
            .builtInOffers(List.of("local"))
            .orElseThrow()
            .find("local/core/on-demand")
            .orElseThrow();

    assertThat(offer.price()).isEqualTo(PriceKind.NOTIONAL);
    assertThat(offer.gpus()).isEqualTo(1);
    assertThat(offer.usdPerHour()).isEqualTo(0.05);
  }
}
