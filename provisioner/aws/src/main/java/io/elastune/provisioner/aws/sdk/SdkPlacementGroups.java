package io.elastune.provisioner.aws.sdk;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.services.ec2.Ec2Client;
import software.amazon.awssdk.services.ec2.model.DescribePlacementGroupsRequest;
import software.amazon.awssdk.services.ec2.model.Ec2Exception;
import software.amazon.awssdk.services.ec2.model.Filter;
import software.amazon.awssdk.services.ec2.model.PlacementStrategy;
import software.amazon.awssdk.services.ec2.model.ResourceType;
import software.amazon.awssdk.services.ec2.model.TagSpecification;

/** Creates and deletes cluster placement groups. */
final class SdkPlacementGroups {
  private static final String THERE_ALREADY = "InvalidPlacementGroup.Duplicate";
  private static final Set<String> NOT_YET = Set.of("InvalidPlacementGroup.InUse");

  private final SdkCalls sdkCalls;
  private final Ec2Client ec2;
  private final Set<String> created = new HashSet<>();

  SdkPlacementGroups(SdkCalls sdkCalls, Ec2Client ec2) {
    this.sdkCalls = sdkCalls;
    this.ec2 = ec2;
  }

  /** Creates a group; of several launching threads, the first creates it and the others wait. */
  synchronized void create(String name, Map<String, String> tags) {
    if (!created.contains(name)) {
      sdkCalls.call("ec2:CreatePlacementGroup", () -> created(name, tags));
      created.add(name);
    }
  }

  /** Has the next launch create the group again, in case it was deleted. */
  synchronized void forget(String name) {
    created.remove(name);
  }

  private boolean created(String name, Map<String, String> tags) {
    TagSpecification tagged =
        TagSpecification.builder()
            .resourceType(ResourceType.PLACEMENT_GROUP)
            .tags(LaunchRequestMapper.tags(tags))
            .build();
    try {
      ec2.createPlacementGroup(
          request ->
              request
                  .groupName(name)
                  .strategy(PlacementStrategy.CLUSTER)
                  .tagSpecifications(tagged));
      return true;
    } catch (Ec2Exception e) {
      if (SdkCalls.code(e).equals(THERE_ALREADY)) {
        return false;
      }
      throw e;
    }
  }

  synchronized void delete(String tag, String value) {
    DescribePlacementGroupsRequest request =
        DescribePlacementGroupsRequest.builder()
            .filters(Filter.builder().name("tag:" + tag).values(value).build())
            .build();
    sdkCalls
        .call(
            "ec2:DescribePlacementGroups",
            () -> ec2.describePlacementGroups(request).placementGroups())
        .forEach(
            group -> {
              created.remove(group.groupName());
              sdkCalls.call("ec2:DeletePlacementGroup", () -> deleted(group.groupName()));
            });
  }

  /** A terminated instance may remain in the group for some seconds. */
  private boolean deleted(String name) {
    try {
      ec2.deletePlacementGroup(request -> request.groupName(name));
      return true;
    } catch (Ec2Exception e) {
      if (NOT_YET.contains(SdkCalls.code(e)) || SdkCalls.code(e).equals(ErrorCodes.UNKNOWN_GROUP)) {
        return false;
      }
      throw e;
    }
  }
}
