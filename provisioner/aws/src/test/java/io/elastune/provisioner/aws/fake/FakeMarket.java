package io.elastune.provisioner.aws.fake;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The instance types of the fake's region, their zones and prices. */
public final class FakeMarket {
  private static final Set<String> BOTH = Set.of("us-east-1a", "us-east-1b");
  private static final Set<String> FILTERS =
      Set.of(
          "regionCode=us-east-1",
          "instanceFamily=GPU instance",
          "operatingSystem=Linux",
          "preInstalledSw=NA",
          "tenancy=Shared",
          "capacitystatus=Used");

  private static final String ON_DEMAND = "marketoption=OnDemand";

  /** A page size smaller than EC2 allows, so that there are several pages. */
  private static final int PAGE = 2;

  private final Map<String, Type> types = new TreeMap<>();
  private final Map<String, Double> spot = new TreeMap<>();

  private record Type(String name, String gpu, int gpus, int mib, int vcpus, double usd) {}

  FakeMarket() {
    type(new Type("g5.xlarge", "A10G", 1, 22888, 4, 1.006));
    type(new Type("g5.12xlarge", "A10G", 4, 22888, 48, 5.672));
    type(new Type("g5.48xlarge", "A10G", 8, 22888, 192, 16.288));
    type(new Type("g6f.xlarge", "L4", 0, 2861, 4, 0.243));
    type(new Type("p4d.24xlarge", "A100", 8, 40960, 96, 21.957642));
    type(new Type("p4de.24xlarge", "A100", 8, 81920, 96, 27.44705));
    spot("g5.xlarge", "us-east-1a", 0.4123);
    spot("g5.xlarge", "us-east-1b", 0.3877);
    spot("g5.12xlarge", "us-east-1b", 2.2688);
  }

  private void type(Type type) {
    types.put(type.name(), type);
  }

  /** Adds an instance type. */
  public synchronized void add(String name, String gpu, int gpus, int vcpus, double usdPerHour) {
    type(new Type(name, gpu, gpus, 22888, vcpus, usdPerHour));
  }

  /** Sets the on-demand price of a type. */
  public synchronized void onDemand(String name, double usdPerHour) {
    Type old = types.get(name);
    type(new Type(name, old.gpu(), old.gpus(), old.mib(), old.vcpus(), usdPerHour));
  }

  /** Sets the spot price of a type in a zone. */
  public synchronized void spot(String name, String zone, double usdPerHour) {
    spot.put(name + "@" + zone, usdPerHour);
  }

  synchronized String answer(Query query) {
    return switch (query.action()) {
      case "DescribeInstanceTypes" -> instanceTypes(query);
      case "DescribeSpotPriceHistory" -> spotPrices(query);
      default -> products(query);
    };
  }

  private List<Type> asked(Query query) {
    List<String> wanted = query.filters().getOrDefault("instance-type", List.of());
    return types.values().stream()
        .filter(type -> wanted.stream().anyMatch(some -> matches(type.name(), some)))
        .toList();
  }

  static boolean matches(String name, String pattern) {
    return name.matches(pattern.replace(".", "\\.").replace("*", ".*"));
  }

  /** Returns the names that match a filter; a pattern without * matches exactly. */
  synchronized List<String> names(List<String> patterns) {
    List<String> names = new ArrayList<>();
    for (String pattern : patterns) {
      if (pattern.contains("*")) {
        types.keySet().stream().filter(name -> matches(name, pattern)).forEach(names::add);
      } else {
        names.add(pattern);
      }
    }
    return names;
  }

  private String instanceTypes(Query query) {
    List<Type> all = asked(query);
    int from = query.number("NextToken", 0);
    int to = Math.min(all.size(), from + PAGE);
    String set = all.subList(from, to).stream().map(FakeMarket::xml).collect(Collectors.joining());
    return Xml.nested(
        "DescribeInstanceTypesResponse",
        Xml.nested("instanceTypeSet", set)
            + (to < all.size() ? Xml.element("nextToken", Integer.toString(to)) : ""));
  }

  private static String xml(Type type) {
    return Xml.nested(
        "item",
        Xml.element("instanceType", type.name())
            + Xml.nested("vCpuInfo", Xml.element("defaultVCpus", String.valueOf(type.vcpus())))
            + Xml.nested(
                "gpuInfo",
                Xml.nested(
                    "gpus",
                    Xml.nested(
                        "item",
                        Xml.element("name", type.gpu())
                            + Xml.element("manufacturer", "NVIDIA")
                            + Xml.element("count", String.valueOf(type.gpus()))
                            + Xml.nested(
                                "memoryInfo",
                                Xml.element("sizeInMiB", String.valueOf(type.mib())))))));
  }

  private String spotPrices(Query query) {
    if (query.text("StartTime").isEmpty()
        || !query.list("ProductDescription").equals(List.of("Linux/UNIX"))) {
      throw new ApiError(400, "InvalidParameterValue", "the whole price history has more pages");
    }
    List<String> wanted = query.list("InstanceType");
    StringBuilder set = new StringBuilder();
    spot.forEach(
        (where, usd) -> {
          String[] parts = where.split("@", 2);
          boolean there = List.of("", parts[1]).contains(query.text("AvailabilityZone"));
          if (wanted.contains(parts[0]) && there) {
            set.append(
                Xml.nested(
                    "item",
                    Xml.element("instanceType", parts[0])
                        + Xml.element("productDescription", "Linux/UNIX")
                        + Xml.element("spotPrice", String.format(Locale.ROOT, "%.6f", usd))
                        + Xml.element("availabilityZone", parts[1])));
          }
        });
    return Xml.nested(
        "DescribeSpotPriceHistoryResponse", Xml.nested("spotPriceHistorySet", set.toString()));
  }

  /**
   * Fails unless the filters select plain Linux. As in AWS, the types of P families have a second
   * product for capacity blocks, with the same attributes and the price 0, unless {@code
   * marketoption} excludes it.
   */
  private String products(Query query) {
    JsonNode request = JsonMapper.shared().readTree(query.text(Query.BODY));
    Set<String> filters =
        request
            .path("Filters")
            .valueStream()
            .map(f -> f.path("Field").asString() + "=" + f.path("Value").asString())
            .collect(Collectors.toSet());
    boolean blocks = !filters.remove(ON_DEMAND);
    if (!filters.equals(FILTERS) || !request.path("ServiceCode").asString().equals("AmazonEC2")) {
      throw new ApiError(400, "InvalidParameterException", "unexpected price filters: " + filters);
    }
    List<Type> all = products(blocks);
    int from = Integer.parseInt(request.path("NextToken").asString("0"));
    int to = Math.min(all.size(), from + PAGE);
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("FormatVersion", "aws_v1");
    answer.put("PriceList", all.subList(from, to).stream().map(FakeMarket::json).toList());
    if (to < all.size()) {
      answer.put("NextToken", Integer.toString(to));
    }
    return JsonMapper.shared().writeValueAsString(answer);
  }

  private List<Type> products(boolean blocks) {
    List<Type> all = new ArrayList<>();
    for (Type type : types.values()) {
      all.add(type);
      if (blocks && type.name().startsWith("p")) {
        all.add(new Type(type.name(), type.gpu(), type.gpus(), type.mib(), type.vcpus(), 0));
      }
    }
    return all;
  }

  private static String json(Type type) {
    return """
    {"product": {"productFamily": "Compute Instance", "attributes": {"instanceType": "%s"}},
     "terms": {"OnDemand": {"SKU.JRTCKXETXF": {"priceDimensions": {"SKU.JRTCKXETXF.6YS6EN2CT7":
       {"unit": "Hrs", "pricePerUnit": {"USD": "%s"}}}}},
      "Reserved": {"SKU.4NA7Y494T4": {"priceDimensions": {"x":
       {"unit": "Hrs", "pricePerUnit": {"USD": "0.0100000000"}}}}}}}
    """
        .formatted(type.name(), String.format(Locale.ROOT, "%.10f", type.usd()));
  }

  static Set<String> zones() {
    return BOTH;
  }
}
