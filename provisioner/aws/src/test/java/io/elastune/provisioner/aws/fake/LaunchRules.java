package io.elastune.provisioner.aws.fake;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The launches that EC2 refuses because of their parameters or the account's policies. */
public final class LaunchRules {
  private static final int IMAGE_GB = 75;
  private static final String ARM_IMAGE = "ami-0a";

  private final Set<String> taggedResources = ConcurrentHashMap.newKeySet();
  private final Set<String> templatesWithNetwork = ConcurrentHashMap.newKeySet();

  /** Denies launches that leave one of these resources untagged, as an organization can. */
  public void requireTagsOn(Collection<String> resources) {
    taggedResources.addAll(resources);
  }

  /** Adds a launch template that defines network interfaces. */
  public void addTemplateWithNetwork(String template) {
    templatesWithNetwork.add(template);
  }

  void check(Query query) {
    checkNetwork(query);
    checkArchitecture(query);
    String gb = query.text("BlockDeviceMapping.1.Ebs.VolumeSize");
    if (!gb.isEmpty() && Integer.parseInt(gb) < IMAGE_GB) {
      throw new ApiError(
          400,
          "InvalidBlockDeviceMapping",
          "Volume of size " + gb + "GB is smaller than snapshot, expect size >= " + IMAGE_GB);
    }
    for (String resource : taggedResources) {
      if (query.fields().entrySet().stream().noneMatch(field -> isTagOf(resource, field))) {
        throw new ApiError(
            403, "UnauthorizedOperation", "explicit deny: no tags are given for " + resource);
      }
    }
  }

  private static boolean isTagOf(String resource, Map.Entry<String, String> field) {
    return field.getKey().matches("TagSpecification[.][0-9]+[.]ResourceType")
        && field.getValue().equals(resource);
  }

  private void checkNetwork(Query query) {
    boolean ownNetwork =
        query.fields().keySet().stream().anyMatch(name -> name.startsWith("NetworkInterface."))
            || templatesWithNetwork.contains(query.text("LaunchTemplate.LaunchTemplateId"));
    boolean beside = !query.text("SubnetId").isEmpty() || !query.list("SecurityGroupId").isEmpty();
    if (ownNetwork && beside) {
      throw new ApiError(
          400,
          "InvalidParameterCombination",
          "If you specify a network interface, you must specify any subnets as part of the network"
              + " interface");
    }
  }

  private static void checkArchitecture(Query query) {
    boolean armType = query.text("InstanceType").matches("g5g[.].*");
    String image = query.text("ImageId");
    if (!image.isEmpty() && armType != image.equals(ARM_IMAGE)) {
      throw new ApiError(
          400,
          "InvalidParameterValue",
          "The architecture of the specified instance type does not match that of the AMI "
              + image);
    }
  }
}
