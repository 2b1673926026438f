package io.elastune.provisioner.aws.fake;

import io.elastune.provisioner.aws.fake.FakePolicy.Access;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;

/** The permissions of the caller. */
final class FakePermissions {
  private static final String ACCOUNT = "111122223333";

  /** Needs no permission. */
  private static final String IDENTITY = "sts:GetCallerIdentity";

  private static final String RESERVATION =
      "CapacityReservationSpecification.CapacityReservationTarget.CapacityReservationId";

  /** Tags by instance id. */
  private final Function<String, Map<String, String>> tags;

  private final Set<Access> seen = ConcurrentHashMap.newKeySet();
  private volatile Set<String> denied = Set.of();
  private volatile Optional<FakePolicy> policy = Optional.empty();

  FakePermissions(Function<String, Map<String, String>> tags) {
    this.tags = tags;
  }

  void deny(Set<String> actions) {
    denied = Set.copyOf(actions);
  }

  void allow(FakePolicy some) {
    policy = Optional.of(some);
  }

  /** Returns what all calls so far have needed. */
  Set<Access> seen() {
    return Set.copyOf(seen);
  }

  boolean knows(String permission) {
    return !denied.contains(permission)
        && (permission.equals(IDENTITY) || policy.map(some -> some.knows(permission)).orElse(true));
  }

  /** Fails unless all permissions of the call are granted. */
  void require(Query query) {
    accesses(query).filter(access -> !access.action().equals(IDENTITY)).forEach(seen::add);
    accesses(query)
        .filter(access -> !allows(access))
        .forEach(
            access -> {
              throw new ApiError(
                  403,
                  "UnauthorizedOperation",
                  "You are not authorized to perform this operation. User:"
                      + " arn:aws:iam::1:user/tester is not authorized to perform: "
                      + access.action()
                      + " on resource: "
                      + access.resource()
                      + " because no identity-based policy allows the action.");
            });
  }

  private boolean allows(Access access) {
    return knows(access.action())
        && (access.action().equals(IDENTITY)
            || policy.map(some -> some.allows(access)).orElse(true));
  }

  /** Returns the accesses of a call; a launch needs more, depending on its parameters. */
  private Stream<Access> accesses(Query query) {
    String action = query.action();
    return switch (action) {
      case "RunInstances" ->
          Stream.of(
                  launch(query),
                  query.text("ImageId").startsWith("resolve:ssm:")
                      ? Stream.of(access("ssm:GetParameters", "*"))
                      : Stream.<Access>empty(),
                  query.fields().containsKey("TagSpecification.1.Tag.1.Key")
                      ? Stream.of(tagging("instance/*", action), tagging("volume/*", action))
                      : Stream.<Access>empty(),
                  query.fields().containsKey("IamInstanceProfile.Name")
                      ? Stream.of(
                          new Access(
                              "iam:PassRole",
                              role(query),
                              Map.of("iam:PassedToService", "ec2.amazonaws.com")))
                      : Stream.<Access>empty())
              .flatMap(some -> some);
      case "CreatePlacementGroup" ->
          Stream.of(group(query), tagging("placement-group/" + name(query), action));
      case "DeletePlacementGroup" -> Stream.of(group(query));
      case "TerminateInstances" -> onInstances(action, query.list("InstanceId"), Set.of());
      case "CreateTags" ->
          onInstances(action, query.list("ResourceId"), query.pairs("Tag").keySet());
      case "GetCallerIdentity" -> Stream.of(access("sts:" + action, "*"));
      case "GetServiceQuota" -> Stream.of(access("servicequotas:" + action, "*"));
      case "GetProducts" -> Stream.of(access("pricing:" + action, "*"));
      default -> Stream.of(access("ec2:" + action, "*"));
    };
  }

  /** A launch needs access to each resource that it creates or uses. */
  private static Stream<Access> launch(Query query) {
    Map<String, String> instance = new HashMap<>(requestTags(query, "instance"));
    instance.put("ec2:InstanceType", query.text("InstanceType"));
    instance.put("ec2:MetadataHttpTokens", query.text("MetadataOptions.HttpTokens"));
    Stream<Access> created =
        Stream.of(
            new Access("ec2:RunInstances", ec2("instance/*"), instance),
            new Access("ec2:RunInstances", ec2("volume/*"), requestTags(query, "volume")));
    Stream<String> used =
        Stream.of(
                Stream.of("subnet/subnet-0a", "network-interface/*"),
                named(query, "security-group/", "NetworkInterface.1.SecurityGroupId.1"),
                named(query, "key-pair/", "KeyName"),
                named(query, "launch-template/", "LaunchTemplate.LaunchTemplateId"),
                named(query, "placement-group/", "Placement.GroupName"),
                named(query, "capacity-reservation/", RESERVATION),
                query.text("InstanceMarketOptions.MarketType").equals("spot")
                    ? Stream.of("spot-instances-request/*")
                    : Stream.<String>empty())
            .flatMap(some -> some);
    Stream<Access> with =
        Stream.concat(Stream.of("arn:aws:ec2:us-east-1::image/ami-01"), used.map(some -> ec2(some)))
            .map(resource -> access("ec2:RunInstances", resource));
    return Stream.concat(created, with);
  }

  /** Returns the resource that a field of the call names, if it does. */
  private static Stream<String> named(Query query, String type, String field) {
    return query.text(field).isEmpty() ? Stream.empty() : Stream.of(type + query.text(field));
  }

  private static Map<String, String> requestTags(Query query, String type) {
    Map<String, String> keys = new HashMap<>();
    query.tagsOf(type).forEach((tag, value) -> keys.put("aws:RequestTag/" + tag, value));
    return keys;
  }

  private static Access access(String action, String resource) {
    return new Access(action, resource, Map.of());
  }

  private static String ec2(String resource) {
    return "arn:aws:ec2:us-east-1:" + ACCOUNT + ":" + resource;
  }

  /** Returns the role, which is assumed to have the name of its profile. */
  private static String role(Query query) {
    return "arn:aws:iam::" + ACCOUNT + ":role/" + query.text("IamInstanceProfile.Name");
  }

  private static String name(Query query) {
    return query.text("GroupName");
  }

  private static Access group(Query query) {
    return access("ec2:" + query.action(), ec2("placement-group/" + name(query)));
  }

  private static Access tagging(String resource, String createAction) {
    return new Access("ec2:CreateTags", ec2(resource), Map.of("ec2:CreateAction", createAction));
  }

  private Stream<Access> onInstances(String action, List<String> ids, Set<String> tagKeys) {
    return ids.stream()
        .map(
            id -> {
              Map<String, String> keys = new HashMap<>();
              keys.put("aws:TagKeys", String.join(",", tagKeys));
              tags.apply(id).forEach((tag, value) -> keys.put("ec2:ResourceTag/" + tag, value));
              return new Access("ec2:" + action, ec2("instance/" + id), keys);
            });
  }
}
