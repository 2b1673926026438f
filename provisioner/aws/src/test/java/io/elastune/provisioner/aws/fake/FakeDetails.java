package io.elastune.provisioner.aws.fake;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * What EC2 shows of a launch call besides the state: image, network interface, disk, metadata
 * options and attributes. Elastune does not read it, but other clients do.
 */
final class FakeDetails {
  private static final String TYPE = "BlockDeviceMapping.1.Ebs.";

  private FakeDetails() {}

  /** Returns the elements of {@code DescribeInstances}. */
  static String ofInstance(FakeInstance instance, Query order, Instant asOf) {
    boolean gone = instance.state(asOf).equals("terminated");
    return Xml.element("imageId", order.text("ImageId"))
        + Xml.element("subnetId", order.text("NetworkInterface.1.SubnetId"))
        + (order.text("IamInstanceProfile.Name").isEmpty()
            ? ""
            : Xml.nested("iamInstanceProfile", Xml.element("arn", profile(order))))
        + (order.text("MetadataOptions.HttpTokens").isEmpty()
            ? ""
            : Xml.nested("metadataOptions", metadataOptions(order)))
        + (gone
            ? ""
            : Xml.nested(
                    "blockDeviceMapping",
                    Xml.nested("item", device(order, "volumeId", volume(instance))))
                + Xml.nested(
                    "networkInterfaceSet", Xml.nested("item", networkInterface(instance, order))));
  }

  private static String profile(Query order) {
    return "arn:aws:iam::111122223333:instance-profile/" + order.text("IamInstanceProfile.Name");
  }

  /** With EC2's defaults. */
  private static String metadataOptions(Query order) {
    String prefix = "MetadataOptions.";
    return Xml.element("httpTokens", order.text(prefix + "HttpTokens"))
        + Xml.element("httpPutResponseHopLimit", or(order, prefix + "HttpPutResponseHopLimit", "1"))
        + Xml.element("httpEndpoint", or(order, prefix + "HttpEndpoint", "enabled"))
        + Xml.element(
            "instanceMetadataTags", or(order, prefix + "InstanceMetadataTags", "disabled"));
  }

  /** Without a mapping, the disk is that of the image: neither encrypted nor gp3. */
  private static String device(Query order, String idName, String id) {
    return Xml.element("deviceName", or(order, "BlockDeviceMapping.1.DeviceName", "/dev/sda1"))
        + Xml.nested(
            "ebs",
            Xml.element(idName, id)
                + Xml.element(
                    "deleteOnTermination", or(order, TYPE + "DeleteOnTermination", "true")));
  }

  private static String networkInterface(FakeInstance instance, Query order) {
    StringBuilder groups = new StringBuilder();
    for (String group : order.list("NetworkInterface.1.SecurityGroupId")) {
      groups.append(Xml.nested("item", Xml.element("groupId", group)));
    }
    boolean open = order.text("NetworkInterface.1.AssociatePublicIpAddress").equals("true");
    return Xml.element("networkInterfaceId", "eni-" + instance.id.substring(2))
        + Xml.element("subnetId", order.text("NetworkInterface.1.SubnetId"))
        + Xml.nested("groupSet", groups.toString())
        + Xml.nested("tagSet", tags(order, "network-interface"))
        + (open ? Xml.nested("association", Xml.element("publicIp", "203.0.113.9")) : "");
  }

  private static String volume(FakeInstance instance) {
    return "vol-" + instance.id.substring(2);
  }

  /** Answers {@code DescribeVolumes} and {@code DescribeNetworkInterfaces}. */
  static String resources(Query query, List<FakeInstance> up, Map<String, Query> orders) {
    boolean volumes = query.action().equals("DescribeVolumes");
    List<String> wanted = query.filters().getOrDefault("attachment.instance-id", List.of());
    StringBuilder set = new StringBuilder();
    for (FakeInstance instance : up) {
      Query order = orders.get(instance.id);
      if (wanted.contains(instance.id) && order != null) {
        set.append(
            Xml.nested(
                "item", volumes ? volume(instance, order) : networkInterface(instance, order)));
      }
    }
    return Xml.nested(
        query.action() + "Response",
        Xml.nested(volumes ? "volumeSet" : "networkInterfaceSet", set.toString()));
  }

  private static String volume(FakeInstance instance, Query order) {
    return Xml.element("volumeId", volume(instance))
        + Xml.element("size", or(order, TYPE + "VolumeSize", "75"))
        + Xml.element("volumeType", or(order, TYPE + "VolumeType", "gp2"))
        + Xml.element("encrypted", or(order, TYPE + "Encrypted", "false"))
        + Xml.nested("tagSet", tags(order, "volume"));
  }

  /** Answers {@code DescribeInstanceAttribute}. */
  static String attribute(Query query, Query order) {
    String name = query.text("Attribute");
    String value =
        switch (name) {
          case "instanceInitiatedShutdownBehavior" ->
              or(order, "InstanceInitiatedShutdownBehavior", "stop");
          case "disableApiTermination" -> or(order, "DisableApiTermination", "false");
          default -> throw new ApiError(400, "InvalidParameterValue", name + " is not known here");
        };
    return Xml.nested(
        "DescribeInstanceAttributeResponse",
        Xml.element("instanceId", query.text("InstanceId"))
            + Xml.nested(name, Xml.element("value", value)));
  }

  static String tags(Query order, String resource) {
    StringBuilder set = new StringBuilder();
    order
        .tagsOf(resource)
        .forEach(
            (key, value) ->
                set.append(
                    Xml.nested("item", Xml.element("key", key) + Xml.element("value", value))));
    return set.toString();
  }

  private static String or(Query order, String field, String otherwise) {
    return order.fields().getOrDefault(field, otherwise);
  }
}
