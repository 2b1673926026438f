package io.elastune.provisioner.aws.fake;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A fake account: its identity, regions, quotas, and the instance types of its zones. */
public final class FakeAccount {
  private final Map<String, Integer> quotas = new TreeMap<>();
  private final FakeMarket market;
  private Set<String> zones = FakeMarket.zones();

  FakeAccount(FakeMarket market) {
    this.market = market;
  }

  /** Sets a quota in vCPUs by its code; the default is 64. */
  public synchronized void quota(String code, int vcpus) {
    quotas.put(code, vcpus);
  }

  /** Sets the zones that offer all types. */
  public synchronized void zones(Set<String> names) {
    zones = Set.copyOf(names);
  }

  synchronized String answer(Query query) {
    return switch (query.action()) {
      case "GetCallerIdentity" ->
          Xml.nested(
              "GetCallerIdentityResponse",
              Xml.nested(
                  "GetCallerIdentityResult",
                  Xml.element("Arn", "arn:aws:iam::111122223333:user/tester")
                      + Xml.element("Account", "111122223333")));
      case "GetServiceQuota" ->
          "{\"Quota\":{\"QuotaCode\":\"%s\",\"Value\":%d.0}}"
              .formatted(query.text("QuotaCode"), quotas.getOrDefault(query.text("QuotaCode"), 64));
      case "DescribeRegions" ->
          Xml.nested(
              "DescribeRegionsResponse",
              Xml.nested("regionInfo", Xml.nested("item", Xml.element("regionName", "us-east-1"))));
      default -> Xml.nested("DescribeInstanceTypeOfferingsResponse", offerings(query.filters()));
    };
  }

  private String offerings(Map<String, List<String>> filters) {
    StringBuilder set = new StringBuilder();
    for (String type : market.names(filters.getOrDefault("instance-type", List.of()))) {
      for (String zone : zones) {
        set.append(
            Xml.nested(
                "item",
                Xml.element("instanceType", type)
                    + Xml.element("location", zone)
                    + Xml.element("locationType", "availability-zone")));
      }
    }
    return Xml.nested("instanceTypeOfferingSet", set.toString());
  }
}
