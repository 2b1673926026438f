package io.elastune.provisioner.aws.sdk;

import io.elastune.provisioner.Tags;
import io.elastune.provisioner.aws.model.Ec2;
import java.util.Map;
import software.amazon.awssdk.services.ec2.Ec2Client;
import software.amazon.awssdk.services.ec2.model.Ec2Exception;
import software.amazon.awssdk.services.ec2.model.PlacementStrategy;
import software.amazon.awssdk.services.ec2.model.ResourceType;
import software.amazon.awssdk.services.ec2.model.TagSpecification;

/** Makes dry runs of the calls of a run. EC2 reports success as a specific error. */
final class SdkDryRuns {
  static final String SUCCESS = "DryRunOperation";

  /** A group of this name is never created. */
  private static final String GROUP = "elastune-check";

  private SdkDryRuns() {}

  /** Returns true; a failure is an exception. */
  static boolean run(Ec2Client ec2, Ec2.DryRun call, String instance) {
    try {
      switch (call) {
        case TERMINATE ->
            ec2.terminateInstances(request -> request.dryRun(true).instanceIds(instance));
        case RENEW ->
            ec2.createTags(
                request ->
                    request
                        .dryRun(true)
                        .resources(instance)
                        .tags(LaunchRequestMapper.tags(Map.of(Tags.EXPIRES, "0"))));
        case CONSOLE -> ec2.getConsoleOutput(request -> request.dryRun(true).instanceId(instance));
        case CREATE_GROUP ->
            ec2.createPlacementGroup(
                request ->
                    request
                        .dryRun(true)
                        .groupName(GROUP)
                        .strategy(PlacementStrategy.CLUSTER)
                        .tagSpecifications(
                            TagSpecification.builder()
                                .resourceType(ResourceType.PLACEMENT_GROUP)
                                .tags(LaunchRequestMapper.tags(Map.of(Tags.RUN, "check")))
                                .build()));
        case DELETE_GROUP ->
            ec2.deletePlacementGroup(request -> request.dryRun(true).groupName(GROUP));
      }
      return true;
    } catch (Ec2Exception e) {
      if (SdkCalls.code(e).equals(SUCCESS)) {
        return true;
      }
      throw e;
    }
  }
}
