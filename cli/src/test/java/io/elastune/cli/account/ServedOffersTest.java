package io.elastune.cli.account;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.Spread;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import io.elastune.inputs.ServedOffers;
import io.elastune.provisioner.CloudContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServedOffersTest {
  @TempDir private Path home;

  private static Offer offer(String infra, String type) {
    return new Offer(
        infra,
        type,
        "some",
        1,
        Market.ON_DEMAND,
        1,
        PriceKind.LIST,
        BillingTerms.BY_THE_SECOND,
        Spread.NONE,
        Spread.NONE,
        0,
        0,
        1);
  }

  private ServedOffers of(Offer... offers) {
    CloudContext context =
        new CloudContext(home, home.resolve("clouds.yaml"), InstantSource.system());
    return ServedOffers.of(context, List.of(offers));
  }

  @Test
  void armIsRefusedWhereInstancesGetTheRuntime() {
    Offer intel = offer("aws/us-east-1", "g5.xlarge");
    Offer local = offer("local", "g5g.xlarge");
    Offer simulated = offer("aws/us-east-1", "g5g.xlarge").toSimulated();
    Offer google = offer("gcp/us-central1", "a3-highgpu-8g");
    ServedOffers served =
        of(
            intel,
            offer("aws/us-east-1", "g5g.xlarge"),
            local,
            offer("aws/us-west-2", "p6e-gb200.36xlarge"),
            simulated,
            google,
            offer("gcp/us-central1", "a4x-highgpu-4g"));

    assertThat(served.offers()).containsExactly(intel, local, simulated, google);
    assertThat(served.refusals())
        .singleElement()
        .asString()
        .startsWith("aws/us-east-1/g5g.xlarge/on-demand and 2 other offers have arm64 processors")
        .contains("rented_nodes.python");
    assertThat(of(offer("gcp/us-central1", "a4x-highgpu-4g")).refusals())
        .singleElement()
        .asString()
        .startsWith("gcp/us-central1/a4x-highgpu-4g/on-demand has arm64 processors");
  }

  @Test
  void interpreterOfTheImageServesArm() throws IOException {
    Files.writeString(home.resolve("clouds.yaml"), "rented_nodes: {python: /opt/ray/python}\n");
    Offer arm = offer("aws/us-east-1", "g5g.xlarge");

    assertThat(of(arm)).isEqualTo(new ServedOffers(List.of(arm), List.of()));
  }
}
