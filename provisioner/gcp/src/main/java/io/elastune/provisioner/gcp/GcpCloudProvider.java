package io.elastune.provisioner.gcp;

import io.elastune.core.offer.OfferCatalog;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.CloudProvider;
import io.elastune.provisioner.gcp.account.Place;
import io.elastune.provisioner.gcp.offers.ShippedOffers;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Google Cloud: GPU instances of Compute Engine. */
public final class GcpCloudProvider implements CloudProvider {
  private static final String NAME = "gcp";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Optional<OfferCatalog> builtInOffers(List<String> places) {
    return ShippedOffers.in(places.stream().flatMap(GcpCloudProvider::places).toList());
  }

  private static Stream<Place> places(String infra) {
    return infra.equals(NAME) ? Stream.of(ShippedOffers.usual()) : Place.parse(infra).stream();
  }

  @Override
  public Cloud open(CloudContext context, Consumer<CloudEvent> events) {
    Settings.read(context.settings());
    throw new CloudException(
        new CloudFailure.Invalid(
            "this version plans on Google Cloud, but does not rent there yet"));
  }
}
