package io.elastune.provisioner.aws.sdk;

import io.elastune.core.offer.Market;
import io.elastune.provisioner.aws.model.AccountApi;
import io.elastune.provisioner.aws.model.VcpuQuota;
import io.elastune.provisioner.remote.Lazy;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.services.ec2.Ec2Client;
import software.amazon.awssdk.services.ec2.model.DescribeInstancesRequest;
import software.amazon.awssdk.services.ec2.model.Filter;
import software.amazon.awssdk.services.ec2.model.Instance;
import software.amazon.awssdk.services.ec2.model.InstanceLifecycleType;
import software.amazon.awssdk.services.ec2.model.InstanceTypeOffering;
import software.amazon.awssdk.services.ec2.model.LocationType;
import software.amazon.awssdk.services.servicequotas.ServiceQuotasClient;
import software.amazon.awssdk.services.sts.StsClient;
import software.amazon.awssdk.services.sts.model.GetCallerIdentityResponse;

/** Queries identity, quotas and zones of an account with the AWS SDK. */
public final class SdkAccountApi implements AccountApi {
  private static final String SOME_REGION = "us-east-1";
  private static final String EC2 = "ec2";

  private final InstantSource time;
  private final SdkClients sdkClients;
  private final SdkCalls sdkCalls;
  private final Lazy<Ec2Client> ec2;
  private final Lazy<ServiceQuotasClient> quotas;

  /**
   * Creates a client for one region.
   *
   * @param time this machine's clock, to compare with AWS's
   */
  public SdkAccountApi(String region, InstantSource time) {
    this.time = time;
    sdkClients = new SdkClients(region);
    sdkCalls = sdkClients.calls();
    ec2 = new Lazy<>(() -> sdkClients.create(Ec2Client.builder()));
    quotas = new Lazy<>(() -> sdkClients.create(ServiceQuotasClient.builder()));
  }

  /** Returns a message if credentials are missing; otherwise empty. */
  public static Optional<String> unavailableReason() {
    try (DefaultCredentialsProvider credentials = DefaultCredentialsProvider.builder().build()) {
      credentials.resolveCredentials();
      return Optional.empty();
    } catch (SdkClientException e) {
      return Optional.of(
          "there are no usable AWS credentials: "
              + MissingCredentials.explain(String.valueOf(e.getMessage()).strip()));
    }
  }

  /** Returns the region of the user's AWS settings, or a default region. */
  public static String defaultRegion() {
    try {
      return DefaultAwsRegionProviderChain.builder().build().getRegion().id();
    } catch (SdkClientException e) {
      return SOME_REGION;
    }
  }

  @Override
  public Identity identity() {
    return sdkCalls.call(
        "sts:GetCallerIdentity",
        () -> {
          try (StsClient sts = sdkClients.create(StsClient.builder())) {
            GetCallerIdentityResponse answer = sts.getCallerIdentity();
            if (answer.arn() == null) {
              throw SdkClientException.create("the response contains no identity");
            }
            return new Identity(answer.arn(), ahead(answer));
          }
        });
  }

  private Duration ahead(SdkResponse answer) {
    Instant here = time.instant();
    Instant there =
        answer.sdkHttpResponse().firstMatchingHeader("Date").map(SdkAccountApi::read).orElse(here);
    return Duration.ofSeconds(Duration.between(here, there).toSeconds());
  }

  private static Instant read(String date) {
    try {
      return ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
    } catch (DateTimeException e) {
      throw SdkClientException.create("the response has an invalid date: " + date, e);
    }
  }

  @Override
  public List<String> regions() {
    return sdkCalls.call(
        "ec2:DescribeRegions",
        () ->
            ec2.get().describeRegions().regions().stream().map(some -> some.regionName()).toList());
  }

  @Override
  public int quotaLimit(VcpuQuota quota) {
    return sdkCalls.call(
        "servicequotas:GetServiceQuota",
        () -> {
          Double value =
              quotas
                  .get()
                  .getServiceQuota(request -> request.serviceCode(EC2).quotaCode(quota.code()))
                  .quota()
                  .value();
          return value == null ? 0 : value.intValue();
        });
  }

  @Override
  public int quotaUsage(VcpuQuota quota) {
    DescribeInstancesRequest request =
        DescribeInstancesRequest.builder()
            .filters(
                Filter.builder().name("instance-state-name").values("pending", "running").build())
            .build();
    return sdkCalls.call(
        "ec2:DescribeInstances",
        () ->
            ec2.get().describeInstancesPaginator(request).reservations().stream()
                .flatMap(reservation -> reservation.instances().stream())
                .filter(
                    instance ->
                        VcpuQuota.of(type(instance), market(instance)).equals(Optional.of(quota)))
                .mapToInt(SdkAccountApi::vcpus)
                .sum());
  }

  private static String type(Instance instance) {
    String type = instance.instanceTypeAsString();
    return type == null ? "" : type;
  }

  private static Market market(Instance instance) {
    return instance.instanceLifecycle() == InstanceLifecycleType.SPOT
        ? Market.SPOT
        : Market.ON_DEMAND;
  }

  private static int vcpus(Instance instance) {
    return instance.cpuOptions() == null
        ? 0
        : instance.cpuOptions().coreCount() * instance.cpuOptions().threadsPerCore();
  }

  @Override
  public OptionalInt vcpus(String instanceType) {
    Filter filter = Filter.builder().name("instance-type").values(instanceType).build();
    return sdkCalls.call(
        "ec2:DescribeInstanceTypes",
        () ->
            ec2
                .get()
                .describeInstanceTypes(request -> request.filters(filter))
                .instanceTypes()
                .stream()
                .filter(type -> type.vCpuInfo() != null)
                .mapToInt(type -> type.vCpuInfo().defaultVCpus())
                .findFirst());
  }

  @Override
  public Set<String> zonesOf(String instanceType) {
    Filter filter = Filter.builder().name("instance-type").values(instanceType).build();
    return sdkCalls.call(
        "ec2:DescribeInstanceTypeOfferings",
        () ->
            ec2
                .get()
                .describeInstanceTypeOfferings(
                    request -> request.locationType(LocationType.AVAILABILITY_ZONE).filters(filter))
                .instanceTypeOfferings()
                .stream()
                .map(InstanceTypeOffering::location)
                .collect(Collectors.toSet()));
  }

  @Override
  public void close() {
    ec2.ifCreated().ifPresent(Ec2Client::close);
    quotas.ifCreated().ifPresent(ServiceQuotasClient::close);
    sdkClients.close();
  }
}
