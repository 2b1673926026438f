package io.elastune.provisioner.aws.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.elastune.core.offer.Market;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.aws.fake.Fault;
import io.elastune.provisioner.aws.model.AccountApi;
import io.elastune.provisioner.aws.model.Ec2;
import io.elastune.provisioner.aws.model.LaunchRequest;
import io.elastune.provisioner.aws.model.VcpuQuota;
import io.elastune.provisioner.aws.testing.AwsTestEnvironment;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that truncated responses are rejected. */
class ContentLengthCheckTest {
  @RegisterExtension private final AwsTestEnvironment world = new AwsTestEnvironment();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private Ec2 ec2;
  private AccountApi accountApi;
  private String id;

  @BeforeEach
  void open() {
    ec2 = new SdkEc2(AwsTestEnvironment.REGION);
    accountApi = new SdkAccountApi(AwsTestEnvironment.REGION, AwsTestEnvironment.TIME);
    id = world.fake().ec2().add("g5.xlarge", Map.of(Tags.RUN, "some"));
  }

  @AfterEach
  void close() {
    ec2.close();
    accountApi.close();
    threads.shutdownNow();
  }

  @Test
  void everyCallGetsCompleteResponse() {
    calls().values().forEach(Runnable::run);
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"LOST_AFTER", "TORN"})
  void rejectsTruncatedResponse(Fault fault) {
    world.fake().faults(action -> fault);
    Map<String, CompletableFuture<CloudException>> thrown = new LinkedHashMap<>();
    calls()
        .forEach(
            (name, call) ->
                thrown.put(name, CompletableFuture.supplyAsync(() -> made(call), threads)));
    assertThat(thrown)
        .allSatisfy(
            (name, one) ->
                assertThat(one.join().failure())
                    .as(name)
                    .isInstanceOf(CloudFailure.UnknownOutcome.class));
  }

  private static CloudException made(Runnable call) {
    return catchThrowableOfType(CloudException.class, call::run);
  }

  private Map<String, Runnable> calls() {
    Map<String, Runnable> calls = new LinkedHashMap<>();
    calls.put("launch", () -> ec2.launch(order()));
    calls.put("all with a tag", () -> ec2.listByTag(Tags.RUN));
    calls.put("with a tag's value", () -> ec2.listByTag(Tags.RUN, List.of("some")));
    calls.put("by id", () -> ec2.listByIds(List.of(id)));
    calls.put("notices", () -> ec2.interruptionNotices(List.of(id)));
    calls.put("price", () -> ec2.spotUsdPerHour("g5.xlarge", "us-east-1a", Instant.EPOCH));
    calls.put("group", () -> ec2.createGroup("some", Map.of()));
    calls.put("no group", () -> ec2.deleteGroups(Tags.RUN, "some"));
    calls.put("console", () -> ec2.console(id));
    calls.put("tag", () -> ec2.tag(List.of(id), Map.of("a", "b")));
    calls.put("terminate", () -> ec2.terminate(List.of(id)));
    calls.put("identity", accountApi::identity);
    calls.put("regions", accountApi::regions);
    calls.put("allowed", () -> accountApi.quotaLimit(VcpuQuota.ON_DEMAND_G));
    calls.put("used", () -> accountApi.quotaUsage(VcpuQuota.ON_DEMAND_G));
    calls.put("zones", () -> accountApi.zonesOf("g5.xlarge"));
    return calls;
  }

  private static LaunchRequest order() {
    return new LaunchRequest(
        "token",
        "g5.xlarge",
        Market.ON_DEMAND,
        Optional.of("us-east-1a"),
        AwsTestEnvironment.settings(),
        Map.of(Tags.RUN, "some"),
        "");
  }
}
