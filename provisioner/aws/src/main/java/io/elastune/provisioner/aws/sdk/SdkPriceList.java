package io.elastune.provisioner.aws.sdk;

import io.elastune.provisioner.aws.model.GpuType;
import io.elastune.provisioner.aws.model.PriceList;
import io.elastune.provisioner.aws.model.SpotPrice;
import io.elastune.provisioner.remote.Lazy;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.ec2.Ec2Client;
import software.amazon.awssdk.services.ec2.model.Filter;
import software.amazon.awssdk.services.ec2.model.GpuDeviceInfo;
import software.amazon.awssdk.services.ec2.model.InstanceTypeInfo;
import software.amazon.awssdk.services.ec2.model.InstanceTypeOffering;
import software.amazon.awssdk.services.ec2.model.LocationType;
import software.amazon.awssdk.services.pricing.PricingClient;
import software.amazon.awssdk.services.pricing.model.FilterType;

/** Queries instance types and prices of a region with the AWS SDK. */
public final class SdkPriceList implements PriceList {
  /** The region of the price list service, which covers all regions. */
  private static final Region PRICING = Region.US_EAST_1;

  /** The instance families with GPUs; EC2 has no filter for GPUs. */
  private static final List<String> FAMILIES = List.of("g*", "p*");

  /**
   * Selects the plain on-demand price: shared hardware, Linux, no preinstalled software. Types that
   * are also sold as capacity blocks have a second product with the price 0, which only {@code
   * marketoption} excludes.
   */
  private static final Map<String, String> PLAIN =
      Map.of(
          "instanceFamily", "GPU instance",
          "operatingSystem", "Linux",
          "preInstalledSw", "NA",
          "tenancy", "Shared",
          "capacitystatus", "Used",
          "marketoption", "OnDemand");

  private static final Logger LOG = LoggerFactory.getLogger(SdkPriceList.class);

  static final String LINUX = "Linux/UNIX";

  private final InstantSource time;
  private final String region;
  private final SdkClients sdkClients;
  private final SdkCalls sdkCalls;
  private final Lazy<Ec2Client> ec2;

  /**
   * Creates a client for one region.
   *
   * @param time this machine's clock, the time of spot prices
   */
  public SdkPriceList(String region, InstantSource time) {
    this.region = region;
    this.time = time;
    sdkClients = new SdkClients(region);
    sdkCalls = sdkClients.calls();
    ec2 = new Lazy<>(() -> sdkClients.create(Ec2Client.builder()));
  }

  private static Filter byType() {
    return Filter.builder().name("instance-type").values(FAMILIES).build();
  }

  @Override
  public List<GpuType> gpuTypes() {
    return sdkCalls.call(
        "ec2:DescribeInstanceTypes",
        () ->
            ec2
                .get()
                .describeInstanceTypesPaginator(request -> request.filters(byType()))
                .instanceTypes()
                .stream()
                .flatMap(type -> read(type).stream())
                .toList());
  }

  /** Reads a type; a type with a fraction of a GPU has 0 GPUs and is skipped. */
  private static Optional<GpuType> read(InstanceTypeInfo type) {
    if (type.gpuInfo() == null || type.vCpuInfo() == null) {
      return Optional.empty();
    }
    List<GpuDeviceInfo> gpus =
        type.gpuInfo().gpus().stream().filter(gpu -> gpu.count() != null).toList();
    int count = gpus.stream().mapToInt(GpuDeviceInfo::count).sum();
    Integer vcpus = type.vCpuInfo().defaultVCpus();
    return count < 1 || vcpus == null
        ? Optional.empty()
        : Optional.of(new GpuType(type.instanceTypeAsString(), model(gpus.get(0)), count, vcpus));
  }

  private static String model(GpuDeviceInfo gpu) {
    Integer mib = gpu.memoryInfo() == null ? null : gpu.memoryInfo().sizeInMiB();
    return GpuModels.name(String.valueOf(gpu.name()), mib == null ? 0 : mib);
  }

  @Override
  public Map<String, Set<String>> zones() {
    return sdkCalls.call(
        "ec2:DescribeInstanceTypeOfferings",
        () ->
            ec2
                .get()
                .describeInstanceTypeOfferingsPaginator(
                    request ->
                        request.locationType(LocationType.AVAILABILITY_ZONE).filters(byType()))
                .instanceTypeOfferings()
                .stream()
                .collect(
                    Collectors.groupingBy(
                        InstanceTypeOffering::instanceTypeAsString,
                        Collectors.mapping(
                            InstanceTypeOffering::location,
                            Collectors.toCollection(TreeSet::new)))));
  }

  @Override
  public Map<String, Double> onDemand() {
    return highest(sdkCalls.call("pricing:GetProducts", this::products));
  }

  /** Returns the price of each type. Of several prices, the highest cannot be too low. */
  static Map<String, Double> highest(List<String> products) {
    Map<String, Double> prices = new HashMap<>();
    for (String product : products) {
      PriceListProduct.parse(product)
          .ifPresent(p -> prices.merge(p.type(), p.usdPerHour(), SdkPriceList::higher));
    }
    return prices;
  }

  private static double higher(double one, double other) {
    if (one != other) {
      LOG.warn("The price list has {} and {} USD/h for one type; using the higher", one, other);
    }
    return Math.max(one, other);
  }

  private List<String> products() {
    List<software.amazon.awssdk.services.pricing.model.Filter> filters =
        new java.util.ArrayList<>(List.of(equal("regionCode", region)));
    PLAIN.forEach((field, value) -> filters.add(equal(field, value)));
    try (PricingClient pricing = sdkClients.create(PricingClient.builder(), PRICING)) {
      return pricing
          .getProductsPaginator(request -> request.serviceCode("AmazonEC2").filters(filters))
          .stream()
          .flatMap(page -> page.priceList().stream())
          .toList();
    }
  }

  private static software.amazon.awssdk.services.pricing.model.Filter equal(
      String field, String value) {
    return software.amazon.awssdk.services.pricing.model.Filter.builder()
        .type(FilterType.TERM_MATCH)
        .field(field)
        .value(value)
        .build();
  }

  /** Starting now, the price history has one price for each type and zone. */
  @Override
  public List<SpotPrice> spot(Collection<String> types) {
    return sdkCalls.call(
        "ec2:DescribeSpotPriceHistory",
        () ->
            ec2
                .get()
                .describeSpotPriceHistoryPaginator(
                    request ->
                        request
                            .startTime(time.instant())
                            .productDescriptions(LINUX)
                            .instanceTypesWithStrings(List.copyOf(types)))
                .spotPriceHistory()
                .stream()
                .flatMap(
                    some ->
                        PriceListProduct.price(some.spotPrice()).stream()
                            .mapToObj(
                                usd ->
                                    new SpotPrice(
                                        some.instanceTypeAsString(), some.availabilityZone(), usd)))
                .toList());
  }

  @Override
  public void close() {
    ec2.ifCreated().ifPresent(Ec2Client::close);
    sdkClients.close();
  }
}
