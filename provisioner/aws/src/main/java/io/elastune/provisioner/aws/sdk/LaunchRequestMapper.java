package io.elastune.provisioner.aws.sdk;

import io.elastune.core.offer.Market;
import io.elastune.provisioner.aws.model.Disk;
import io.elastune.provisioner.aws.model.LaunchRequest;
import io.elastune.provisioner.aws.model.RegionSettings;
import io.elastune.provisioner.aws.model.Reservations;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.ec2.model.BlockDeviceMapping;
import software.amazon.awssdk.services.ec2.model.HttpTokensState;
import software.amazon.awssdk.services.ec2.model.InstanceInterruptionBehavior;
import software.amazon.awssdk.services.ec2.model.InstanceMarketOptionsRequest;
import software.amazon.awssdk.services.ec2.model.InstanceMetadataEndpointState;
import software.amazon.awssdk.services.ec2.model.InstanceMetadataTagsState;
import software.amazon.awssdk.services.ec2.model.InstanceNetworkInterfaceSpecification;
import software.amazon.awssdk.services.ec2.model.MarketType;
import software.amazon.awssdk.services.ec2.model.ResourceType;
import software.amazon.awssdk.services.ec2.model.RunInstancesRequest;
import software.amazon.awssdk.services.ec2.model.ShutdownBehavior;
import software.amazon.awssdk.services.ec2.model.SpotInstanceType;
import software.amazon.awssdk.services.ec2.model.Tag;
import software.amazon.awssdk.services.ec2.model.TagSpecification;
import software.amazon.awssdk.services.ec2.model.VolumeType;

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
            .tagSpecifications(specifications(order))
            .userData(base64(order.userData()))
            .instanceInitiatedShutdownBehavior(ShutdownBehavior.TERMINATE)
            .disableApiTermination(protection(order))
            .metadataOptions(
                options ->
                    options
                        .httpEndpoint(InstanceMetadataEndpointState.ENABLED)
                        .httpTokens(HttpTokensState.REQUIRED)
                        .httpPutResponseHopLimit(1)
                        .instanceMetadataTags(InstanceMetadataTagsState.ENABLED));
    settings(order, request);
    market(order, request);
    return request.build();
  }

  private static void settings(LaunchRequest order, RunInstancesRequest.Builder request) {
    RegionSettings settings = order.settings();
    settings.images().forType(order.type()).ifPresent(request::imageId);
    settings
        .launchTemplate()
        .ifPresent(id -> request.launchTemplate(template -> template.launchTemplateId(id)));
    settings.key().ifPresent(request::keyName);
    settings
        .instanceProfile()
        .ifPresent(name -> request.iamInstanceProfile(profile -> profile.name(name)));
    settings.disk().ifPresent(disk -> request.blockDeviceMappings(rootDisk(disk)));
    if (!settings.hasTemplateNetwork()) {
      request.networkInterfaces(network(order));
    }
    request.placement(
        placement -> {
          order.zone().ifPresent(placement::availabilityZone);
          order.group().ifPresent(placement::groupName);
        });
  }

  private static BlockDeviceMapping rootDisk(Disk disk) {
    return BlockDeviceMapping.builder()
        .deviceName(disk.device())
        .ebs(
            volume ->
                volume
                    .volumeSize(disk.gb())
                    .volumeType(VolumeType.GP3)
                    .encrypted(true)
                    .deleteOnTermination(true))
        .build();
  }

  /**
   * Returns the network interface. Subnet and groups are part of it, because EC2 refuses them
   * beside the interfaces of a launch template.
   */
  private static InstanceNetworkInterfaceSpecification network(LaunchRequest order) {
    RegionSettings settings = order.settings();
    InstanceNetworkInterfaceSpecification.Builder network =
        InstanceNetworkInterfaceSpecification.builder()
            .deviceIndex(0)
            .associatePublicIpAddress(settings.publicAddress())
            .deleteOnTermination(true);
    if (!settings.securityGroups().isEmpty()) {
      network.groups(settings.securityGroups());
    }
    order
        .zone()
        .flatMap(zone -> Optional.ofNullable(settings.subnets().get(zone)))
        .ifPresent(network::subnetId);
    return network.build();
  }

  private static void market(LaunchRequest order, RunInstancesRequest.Builder request) {
    if (order.market() == Market.SPOT) {
      request.instanceMarketOptions(spot());
      return;
    }
    Reservations reserved = order.settings().reservations();
    String block = reserved.blocks().get(order.type());
    if (block != null) {
      request.instanceMarketOptions(options -> options.marketType(MarketType.CAPACITY_BLOCK));
    }
    Optional.ofNullable(block)
        .or(() -> Optional.ofNullable(reserved.reservations().get(order.type())))
        .ifPresent(
            id ->
                request.capacityReservationSpecification(
                    some ->
                        some.capacityReservationTarget(
                            target -> target.capacityReservationId(id))));
  }

  /** Without a maximum price, EC2 limits the spot price to the on-demand price. */
  private static InstanceMarketOptionsRequest spot() {
    return InstanceMarketOptionsRequest.builder()
        .marketType(MarketType.SPOT)
        .spotOptions(
            options ->
                options
                    .spotInstanceType(SpotInstanceType.ONE_TIME)
                    .instanceInterruptionBehavior(InstanceInterruptionBehavior.TERMINATE))
        .build();
  }

  /** Organizations may require tags on everything that a launch creates. */
  private static List<TagSpecification> specifications(LaunchRequest order) {
    Stream<ResourceType> types =
        Stream.of(ResourceType.INSTANCE, ResourceType.VOLUME, ResourceType.NETWORK_INTERFACE);
    Stream<ResourceType> spot =
        order.market() == Market.SPOT
            ? Stream.of(ResourceType.SPOT_INSTANCES_REQUEST)
            : Stream.empty();
    return Stream.concat(types, spot)
        .map(type -> TagSpecification.builder().resourceType(type).tags(tags(order.tags())).build())
        .toList();
  }

  static List<Tag> tags(Map<String, String> tags) {
    return tags.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(tag -> Tag.builder().key(tag.getKey()).value(tag.getValue()).build())
        .toList();
  }

  /**
   * Returns false, also if the launch template protects instances. EC2 has no such attribute for
   * spot instances and refuses changes of it.
   */
  private static @Nullable Boolean protection(LaunchRequest order) {
    return order.market() == Market.SPOT ? null : Boolean.FALSE;
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
