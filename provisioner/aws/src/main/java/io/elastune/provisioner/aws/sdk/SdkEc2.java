package io.elastune.provisioner.aws.sdk;

import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.aws.model.Ec2;
import io.elastune.provisioner.aws.model.Ec2Instance;
import io.elastune.provisioner.aws.model.LaunchRequest;
import io.elastune.provisioner.aws.model.VcpuQuota;
import io.elastune.provisioner.remote.Batches;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import software.amazon.awssdk.services.ec2.Ec2Client;
import software.amazon.awssdk.services.ec2.model.DescribeInstancesRequest;
import software.amazon.awssdk.services.ec2.model.DescribeSpotInstanceRequestsRequest;
import software.amazon.awssdk.services.ec2.model.DescribeSpotPriceHistoryRequest;
import software.amazon.awssdk.services.ec2.model.Ec2Exception;
import software.amazon.awssdk.services.ec2.model.Filter;
import software.amazon.awssdk.services.ec2.model.Instance;
import software.amazon.awssdk.services.ec2.model.RunInstancesResponse;
import software.amazon.awssdk.services.ec2.model.SpotInstanceRequest;
import software.amazon.awssdk.services.ec2.model.SpotPrice;
import software.amazon.awssdk.services.ec2.model.Tag;

/** Calls EC2 with the AWS SDK. */
public final class SdkEc2 implements Ec2 {
  /** EC2's limits for the values of one filter and the resources of one call. */
  private static final int MOST_VALUES = 200;

  private static final int MOST_RESOURCES = 500;
  private static final int PAGE = 100;

  /** The status of a spot request whose instance will be interrupted. */
  private static final String MARKED = "marked-for-termination";

  private static final String UNSUPPORTED = "UnsupportedOperation";

  private final SdkClients sdkClients;
  private final SdkCalls sdkCalls;
  private final Ec2Client retrying;

  /** Never retries automatically: Elastune decides on and counts every retry of a launch. */
  private final Ec2Client withoutRetries;

  private final SdkPlacementGroups sdkPlacementGroups;

  /** Creates a client for one region. */
  public SdkEc2(String region) {
    sdkClients = new SdkClients(region);
    sdkCalls = sdkClients.calls();
    retrying = sdkClients.create(Ec2Client.builder());
    withoutRetries = sdkClients.createWithoutRetries(Ec2Client.builder());
    sdkPlacementGroups = new SdkPlacementGroups(sdkCalls, retrying);
  }

  @Override
  public Optional<Instant> loginExpires(Instant now) {
    return sdkCalls.loginExpires(now);
  }

  @Override
  public Ec2Instance launch(LaunchRequest order) {
    RunInstancesResponse answer = quotaNamed(order, () -> launched(order));
    if (answer.instances().isEmpty()) {
      throw new CloudException(
          new CloudFailure.UnknownOutcome("ec2:RunInstances returned no instance"));
    }
    return InstanceMapper.of(answer.instances().get(0));
  }

  private RunInstancesResponse launched(LaunchRequest order) {
    try {
      return sdkCalls.call("ec2:RunInstances", () -> runInstances(order));
    } catch (CloudException e) {
      if (e.getCause() instanceof Ec2Exception cause) {
        throw new CloudException(ErrorCodes.ofLaunch(SdkCalls.code(cause), e.failure()), cause);
      }
      throw e;
    }
  }

  private RunInstancesResponse runInstances(LaunchRequest order) {
    try {
      return withoutRetries.runInstances(LaunchRequestMapper.request(order, false));
    } catch (Ec2Exception e) {
      if (SdkCalls.code(e).equals(ErrorCodes.UNKNOWN_GROUP)) {
        order.group().ifPresent(sdkPlacementGroups::forget);
      }
      throw e;
    }
  }

  @Override
  public void dryRunLaunch(LaunchRequest order) {
    quotaNamed(order, () -> sdkCalls.call("ec2:RunInstances", () -> dryRun(order)));
  }

  /** Makes a dry run; EC2 reports success as a specific error. */
  private boolean dryRun(LaunchRequest order) {
    try {
      withoutRetries.runInstances(LaunchRequestMapper.request(order, true));
      return true;
    } catch (Ec2Exception e) {
      if (SdkCalls.code(e).equals(SdkDryRuns.SUCCESS)) {
        return true;
      }
      throw e;
    }
  }

  @Override
  public void dryRun(DryRun call, String instance) {
    sdkCalls.call(call.permission(), () -> SdkDryRuns.run(withoutRetries, call, instance));
  }

  private static <T> T quotaNamed(LaunchRequest order, java.util.function.Supplier<T> call) {
    try {
      return call.get();
    } catch (CloudException e) {
      if (e.failure() instanceof CloudFailure.QuotaExceeded quotaExceeded
          && e.getCause() instanceof Ec2Exception cause
          && ErrorCodes.limitsInstances(SdkCalls.code(cause))) {
        String name =
            VcpuQuota.of(order.type(), order.market())
                .map(quota -> "; the quota is " + quota.text())
                .orElse("");
        throw new CloudException(new CloudFailure.QuotaExceeded(quotaExceeded.message() + name), e);
      }
      throw e;
    }
  }

  @Override
  public List<Ec2Instance> listByTag(String tag, Collection<String> values) {
    List<Ec2Instance> found = new ArrayList<>();
    for (List<String> some : Batches.of(values, MOST_VALUES)) {
      found.addAll(described(Filter.builder().name("tag:" + tag).values(some).build()));
    }
    return found;
  }

  @Override
  public List<Ec2Instance> listByTag(String tag) {
    return described(Filter.builder().name("tag-key").values(tag).build());
  }

  private List<Ec2Instance> described(Filter filter) {
    return described(DescribeInstancesRequest.builder().filters(filter).maxResults(PAGE).build());
  }

  private List<Ec2Instance> described(DescribeInstancesRequest request) {
    return sdkCalls.call(
        "ec2:DescribeInstances",
        () ->
            retrying.describeInstancesPaginator(request).reservations().stream()
                .flatMap(reservation -> reservation.instances().stream())
                .map(SdkEc2::read)
                .toList());
  }

  private static Ec2Instance read(Instance instance) {
    return InstanceMapper.of(instance);
  }

  @Override
  public List<Ec2Instance> listByIds(Collection<String> ids) {
    List<Ec2Instance> found = new ArrayList<>();
    for (List<String> some : Batches.of(ids, MOST_VALUES)) {
      found.addAll(described(DescribeInstancesRequest.builder().instanceIds(some).build()));
    }
    return found;
  }

  @Override
  public Set<String> interruptionNotices(Collection<String> ids) {
    Set<String> marked = new HashSet<>();
    for (List<String> some : Batches.of(ids, MOST_VALUES)) {
      DescribeSpotInstanceRequestsRequest request =
          DescribeSpotInstanceRequestsRequest.builder()
              .filters(
                  Filter.builder().name("instance-id").values(some).build(),
                  Filter.builder().name("status-code").values(MARKED).build())
              .build();
      sdkCalls
          .call(
              "ec2:DescribeSpotInstanceRequests",
              () ->
                  retrying
                      .describeSpotInstanceRequestsPaginator(request)
                      .spotInstanceRequests()
                      .stream()
                      .map(SpotInstanceRequest::instanceId)
                      .toList())
          .forEach(marked::add);
    }
    return marked;
  }

  @Override
  public OptionalDouble spotUsdPerHour(String type, String zone, Instant at) {
    DescribeSpotPriceHistoryRequest request =
        DescribeSpotPriceHistoryRequest.builder()
            .instanceTypesWithStrings(type)
            .availabilityZone(zone)
            .productDescriptions(SdkPriceList.LINUX)
            .startTime(at)
            .endTime(at)
            .build();
    return sdkCalls.call(
        "ec2:DescribeSpotPriceHistory",
        () ->
            retrying.describeSpotPriceHistory(request).spotPriceHistory().stream()
                .map(SpotPrice::spotPrice)
                .flatMapToDouble(usd -> PriceListProduct.price(usd).stream())
                .findFirst());
  }

  @Override
  public void createGroup(String name, Map<String, String> tags) {
    sdkPlacementGroups.create(name, tags);
  }

  @Override
  public void deleteGroups(String tag, String value) {
    sdkPlacementGroups.delete(tag, value);
  }

  @Override
  public void terminate(Collection<String> ids) {
    for (List<String> some : Batches.of(ids, MOST_RESOURCES)) {
      sdkCalls.call(
          "ec2:TerminateInstances",
          () -> retrying.terminateInstances(request -> request.instanceIds(some)));
    }
  }

  @Override
  public void tag(Collection<String> ids, Map<String, String> tags) {
    List<Tag> pairs = LaunchRequestMapper.tags(tags);
    for (List<String> some : Batches.of(ids, MOST_RESOURCES)) {
      sdkCalls.call(
          "ec2:CreateTags",
          () -> retrying.createTags(request -> request.resources(some).tags(pairs)));
    }
  }

  @Override
  public String console(String id) {
    return sdkCalls.call("ec2:GetConsoleOutput", () -> decoded(consoleOf(id)));
  }

  /** Reads the console; types without Nitro return only output that is some minutes old. */
  private String consoleOf(String id) {
    try {
      return output(
          retrying.getConsoleOutput(request -> request.instanceId(id).latest(true)).output());
    } catch (Ec2Exception e) {
      if (SdkCalls.code(e).equals(UNSUPPORTED)) {
        return output(retrying.getConsoleOutput(request -> request.instanceId(id)).output());
      }
      throw e;
    }
  }

  private static String output(@org.jspecify.annotations.Nullable String text) {
    return text == null ? "" : text;
  }

  private static String decoded(String base64) {
    return new String(Base64.getMimeDecoder().decode(base64), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    retrying.close();
    withoutRetries.close();
    sdkClients.close();
  }
}
