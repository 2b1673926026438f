package io.elastune.provisioner.aws.sdk;

import io.elastune.core.offer.Market;
import io.elastune.provisioner.aws.model.LaunchRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import software.amazon.awssdk.services.ec2.model.HttpTokensState;
import software.amazon.awssdk.services.ec2.model.InstanceInterruptionBehavior;
import software.amazon.awssdk.services.ec2.model.InstanceMarketOptionsRequest;
import software.amazon.awssdk.services.ec2.model.InstanceMetadataEndpointState;
import software.amazon.awssdk.services.ec2.model.InstanceMetadataTagsState;
import software.amazon.awssdk.services.ec2.model.MarketType;
import software.amazon.awssdk.services.ec2.model.ResourceType;
import software.amazon.awssdk.services.ec2.model.RunInstancesRequest;
import software.amazon.awssdk.services.ec2.model.ShutdownBehavior;
import software.amazon.awssdk.services.ec2.model.SpotInstanceType;
import software.amazon.awssdk.services.ec2.model.Tag;
import software.amazon.awssdk.services.ec2.model.TagSpecification;

/** Maps launch requests to SDK requests. */
final class LaunchRequestMapper {
  private LaunchRequestMapper() {}

  static RunInstancesRequest request(LaunchRequest order, boolean dryRun) {
    RunInstancesRequest.Builder request =
        RunInstancesRequest.builder()
            .dryRun(dryRun)
            .clientToken(order.token())
            .minCount(1)
            .maxCount(1)
            .instanceType(order.type())
            .tagSpecifications(
                specification(ResourceType.INSTANCE, order),
                specification(ResourceType.VOLUME, order))
            .userData(base64(order.userData()))
            .instanceInitiatedShutdownBehavior(ShutdownBehavior.TERMINATE)
            .metadataOptions(
                options ->
                    options
                        .httpEndpoint(InstanceMetadataEndpointState.ENABLED)
                        .httpTokens(HttpTokensState.REQUIRED)
                        .httpPutResponseHopLimit(1)
                        .instanceMetadataTags(InstanceMetadataTagsState.ENABLED));
    settings(order, request);
    if (order.market() == Market.SPOT) {
      request.instanceMarketOptions(spot(order));
    }
    return request.build();
  }

  private static void settings(LaunchRequest order, RunInstancesRequest.Builder request) {
    var settings = order.settings();
    settings.image().ifPresent(request::imageId);
    settings
        .launchTemplate()
        .ifPresent(id -> request.launchTemplate(template -> template.launchTemplateId(id)));
    settings.key().ifPresent(request::keyName);
    settings
        .instanceProfile()
        .ifPresent(name -> request.iamInstanceProfile(profile -> profile.name(name)));
    if (!settings.securityGroups().isEmpty()) {
      request.securityGroupIds(settings.securityGroups());
    }
    request.placement(
        placement -> {
          order.zone().ifPresent(placement::availabilityZone);
          order.group().ifPresent(placement::groupName);
        });
    order
        .zone()
        .ifPresent(
            zone -> {
              String subnet = settings.subnets().get(zone);
              if (subnet != null) {
                request.subnetId(subnet);
              }
            });
  }

  private static InstanceMarketOptionsRequest spot(LaunchRequest order) {
    return InstanceMarketOptionsRequest.builder()
        .marketType(MarketType.SPOT)
        .spotOptions(
            options -> {
              options
                  .spotInstanceType(SpotInstanceType.ONE_TIME)
                  .instanceInterruptionBehavior(InstanceInterruptionBehavior.TERMINATE);
              order
                  .maxSpotUsdPerHour()
                  .ifPresent(usd -> options.maxPrice(String.format(Locale.ROOT, "%.5f", usd)));
            })
        .build();
  }

  private static TagSpecification specification(ResourceType type, LaunchRequest order) {
    return TagSpecification.builder().resourceType(type).tags(tags(order.tags())).build();
  }

  static List<Tag> tags(Map<String, String> tags) {
    return tags.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(tag -> Tag.builder().key(tag.getKey()).value(tag.getValue()).build())
        .toList();
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
