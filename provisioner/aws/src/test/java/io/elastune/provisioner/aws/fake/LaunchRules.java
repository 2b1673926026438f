package io.elastune.provisioner.aws.fake;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The launches that EC2 refuses because of their parameters or the account's policies. */
public final class LaunchRules {
  private static final int IMAGE_GB = 75;
  private static final int LONGEST_TOKEN = 64;
  private static final int LONGEST_USER_DATA = 16384;
  private static final int MOST_TAGS = 50;
  private static final String ARM_IMAGE = "ami-0a";

  private final Set<String> taggedResources = ConcurrentHashMap.newKeySet();
  private final Set<String> templatesWithNetwork = ConcurrentHashMap.newKeySet();
  private final Set<String> protectingTemplates = ConcurrentHashMap.newKeySet();

  /** Denies launches that leave one of these resources untagged, as an organization can. */
  public void requireTagsOn(Collection<String> resources) {
    taggedResources.addAll(resources);
  }

  /** Adds a launch template that defines network interfaces. */
  public void addTemplateWithNetwork(String template) {
    templatesWithNetwork.add(template);
  }

  /** Adds a launch template that protects its instances from termination. */
  public void addProtectingTemplate(String template) {
    protectingTemplates.add(template);
  }

  /** Returns whether an instance with this launch call is protected from termination. */
  boolean isProtected(Query launch) {
    String own = launch.text("DisableApiTermination");
    if (launch.text("InstanceMarketOptions.MarketType").equals("spot")) {
      return false;
    }
    return own.isEmpty()
        ? protectingTemplates.contains(launch.text("LaunchTemplate.LaunchTemplateId"))
        : own.equals("true");
  }

  void check(Query query) {
    checkSizes(query);
    checkTags(query);
    checkMarket(query);
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

  private static void checkSizes(Query query) {
    String token = query.text("ClientToken");
    if (token.length() > LONGEST_TOKEN
        || !StandardCharsets.US_ASCII.newEncoder().canEncode(token)) {
      throw new ApiError(400, "InvalidParameterValue", "Invalid client token");
    }
    if (Base64.getDecoder().decode(query.text("UserData")).length > LONGEST_USER_DATA) {
      throw new ApiError(
          400, "InvalidParameterValue", "User data is limited to " + LONGEST_USER_DATA + " bytes");
    }
  }

  private static void checkTags(Query query) {
    Set<String> keys = query.tagsOf("instance").keySet();
    boolean shown = query.text("MetadataOptions.InstanceMetadataTags").equals("enabled");
    for (String key : keys) {
      boolean fits =
          key.matches("[0-9a-zA-Z\\-_+=,.@:]{1,255}") && !Set.of(".", "..", "_index").contains(key);
      if (key.startsWith("aws:") || (shown && !fits)) {
        throw new ApiError(400, "InvalidParameterValue", "'" + key + "' is not a valid tag key.");
      }
    }
    if (keys.size() > MOST_TAGS) {
      throw new ApiError(400, "TagLimitExceeded", keys.size() + " tags are too many");
    }
  }

  /** A capacity block needs its id; an interrupted one-time spot instance can only terminate. */
  private static void checkMarket(Query query) {
    String market = query.text("InstanceMarketOptions.MarketType");
    if (market.equals("spot") && !query.text("DisableApiTermination").isEmpty()) {
      throw new ApiError(
          400,
          "InvalidParameterCombination",
          "Termination protection is not supported for Spot Instances"); // EC2 may be less strict
    }
    String target =
        query.text(
            "CapacityReservationSpecification.CapacityReservationTarget.CapacityReservationId");
    String spot = "InstanceMarketOptions.SpotOptions.";
    boolean stops =
        !query.text(spot + "InstanceInterruptionBehavior").isEmpty()
            && !query.text(spot + "InstanceInterruptionBehavior").equals("terminate");
    if ((market.equals("capacity-block") && target.isEmpty())
        || (market.equals("spot") && !target.isEmpty())
        || (stops && !query.text(spot + "SpotInstanceType").equals("persistent"))) {
      throw new ApiError(
          400, "InvalidParameterCombination", "The market options do not fit the launch.");
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
