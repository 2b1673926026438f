package io.elastune.provisioner.aws.fake;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Lists the instances of the fake EC2 in pages. Guarded by its lock. */
final class FakeLists {
  private static final String SPOT = "InstanceMarketOptions.SpotOptions.";

  private final Map<String, List<FakeInstance>> pages = new HashMap<>();

  /** The number of responses with a next page. */
  int pagesServed() {
    return pages.size();
  }

  /** Returns one page of the list. */
  String describe(
      Query query, List<FakeInstance> visible, Map<String, Query> orders, Instant asOf) {
    String token = query.text("NextToken");
    List<FakeInstance> left =
        token.isEmpty()
            ? new ArrayList<>(matching(query, visible, asOf))
            : pages.getOrDefault(token, List.of());
    int size = query.number("MaxResults", 1000);
    List<FakeInstance> page = left.subList(0, Math.min(size, left.size()));
    StringBuilder set = new StringBuilder();
    page.forEach(
        instance ->
            set.append(
                Xml.nested(
                    "item",
                    Xml.element("reservationId", "r-1")
                        + Xml.nested(
                            "instancesSet",
                            instance.xml(
                                asOf,
                                FakeDetails.ofInstance(
                                    instance, orders.get(instance.id), asOf))))));
    String next = "";
    if (page.size() < left.size()) {
      next = "page-" + pages.size();
      pages.put(next, List.copyOf(left.subList(page.size(), left.size())));
    }
    return Xml.nested(
        "DescribeInstancesResponse",
        Xml.nested("reservationSet", set.toString())
            + (next.isEmpty() ? "" : Xml.element("nextToken", next)));
  }

  private static List<FakeInstance> matching(
      Query query, List<FakeInstance> visible, Instant asOf) {
    List<String> ids = query.list("InstanceId");
    return visible.stream()
        .filter(instance -> ids.isEmpty() || ids.contains(instance.id))
        .filter(instance -> passes(instance, query.filters(), asOf))
        .toList();
  }

  private static boolean passes(
      FakeInstance instance, Map<String, List<String>> filters, Instant asOf) {
    return filters.entrySet().stream()
        .allMatch(
            filter -> {
              String name = filter.getKey();
              if (name.equals("tag-key")) {
                return filter.getValue().stream().anyMatch(instance.tags::containsKey);
              }
              if (name.equals("instance-state-name")) {
                return filter.getValue().contains(instance.state(asOf));
              }
              return filter.getValue().contains(instance.tags.get(name.replaceFirst("^tag:", "")));
            });
  }

  static String spotRequests(
      Query query, Collection<FakeInstance> instances, Map<String, Query> orders) {
    Map<String, List<String>> filters = query.filters();
    StringBuilder set = new StringBuilder();
    for (FakeInstance instance : instances) {
      String code = instance.marked ? "marked-for-termination" : "fulfilled";
      if (instance.spot
          && filters.getOrDefault("instance-id", List.of()).contains(instance.id)
          && filters.getOrDefault("status-code", List.of(code)).contains(code)) {
        set.append(
            Xml.nested(
                "item",
                Xml.element("instanceId", instance.id)
                    + Xml.element("type", orders.get(instance.id).text(SPOT + "SpotInstanceType"))
                    + Xml.element(
                        "instanceInterruptionBehavior",
                        orders.get(instance.id).text(SPOT + "InstanceInterruptionBehavior"))
                    + Xml.nested(
                        "tagSet",
                        FakeDetails.tags(orders.get(instance.id), "spot-instances-request"))
                    + Xml.nested("status", Xml.element("code", code))));
      }
    }
    return Xml.nested(
        "DescribeSpotInstanceRequestsResponse",
        Xml.nested("spotInstanceRequestSet", set.toString()));
  }
}
