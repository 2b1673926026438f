package io.elastune.provisioner.aws;

import io.elastune.core.offer.OfferCatalog;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.CloudProvider;
import io.elastune.provisioner.aws.account.Place;
import io.elastune.provisioner.aws.cloud.AwsCloud;
import io.elastune.provisioner.aws.cloud.Pace;
import io.elastune.provisioner.aws.offers.ShippedOffers;
import io.elastune.provisioner.aws.sdk.SdkEc2;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** AWS: GPU instances of EC2. */
public final class AwsCloudProvider implements CloudProvider {
  private static final String NAME = "aws";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Optional<OfferCatalog> builtInOffers(List<String> places) {
    return ShippedOffers.in(places.stream().flatMap(AwsCloudProvider::places).toList());
  }

  private static Stream<Place> places(String infra) {
    return infra.equals(NAME) ? ShippedOffers.everywhere().stream() : Place.parse(infra).stream();
  }

  @Override
  public Cloud open(CloudContext context, Consumer<CloudEvent> events) {
    return new AwsCloud(
        Settings.read(context.settings()), SdkEc2::new, context.time(), Pace.REAL, events);
  }
}
