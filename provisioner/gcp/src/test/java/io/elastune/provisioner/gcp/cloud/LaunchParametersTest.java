package io.elastune.provisioner.gcp.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.offer.Market;
import io.elastune.provisioner.CloudEvent.Refused;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.RefusalReason;
import io.elastune.provisioner.TestCloud;
import io.elastune.provisioner.gcp.model.LaunchOptions;
import io.elastune.provisioner.gcp.model.RegionSettingsBuilder;
import io.elastune.provisioner.gcp.testing.GcpTestEnvironment;
import io.elastune.provisioner.gcp.testing.TestLeaseRequests;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Tests launches of machine types for which Google refuses most parameters. */
class LaunchParametersTest {
  private static final String LEASE = TestLeaseRequests.RUN + "-1";

  @Order(1)
  @RegisterExtension
  private final GcpTestEnvironment world = new GcpTestEnvironment();

  @Order(2)
  @RegisterExtension
  private final TestCloud testCloud = new TestCloud(world::open);

  private void open(Set<String> flexStart, Map<String, String> reservations, Duration longest) {
    testCloud.reopen(
        events ->
            world.open(
                RegionSettingsBuilder.builder(GcpTestEnvironment.settings())
                    .diskType(Optional.empty())
                    .maxLifetime(longest)
                    .launch(new LaunchOptions(Map.of(), reservations, flexStart))
                    .build(),
                events));
  }

  @ParameterizedTest
  @CsvSource({
    "g2-standard-4, on-demand, pd-balanced, STANDARD",
    "g4-standard-48, on-demand, hyperdisk-balanced, STANDARD",
    "a3-highgpu-8g, on-demand, pd-balanced, STANDARD",
    "a3-highgpu-1g, spot, pd-balanced, SPOT",
    "a3-ultragpu-8g, spot, hyperdisk-balanced, SPOT",
  })
  void eachFamilyHasItsDiskAndModel(String type, String market, String disk, String model) {
    open(Set.of(), Map.of(), Duration.ofDays(1));
    testCloud.ready(
        TestLeaseRequests.of(
            LEASE,
            "gcp/us-central1",
            type,
            market.equals("spot") ? Market.SPOT : Market.ON_DEMAND));
    checkOrder(disk, model);
  }

  private void checkOrder(String disk, String model) {
    JsonNode order = world.fake().compute().resource(LEASE);
    assertThat(order.at("/disks/0/initializeParams/diskType").asString()).endsWith("/" + disk);
    assertThat(order.at("/scheduling/provisioningModel").asString()).isEqualTo(model);
  }

  /** The settings limit {@code max_lifetime} to the seven days that Google allows. */
  @Test
  void flexStartHasLimitedRunTime() {
    open(Set.of("a3-highgpu-1g"), Map.of(), Duration.ofDays(7));
    testCloud.ready(
        TestLeaseRequests.of(LEASE, "gcp/us-central1", "a3-highgpu-1g", Market.ON_DEMAND));
    checkOrder("pd-balanced", "FLEX_START");
    assertThat(
            world
                .fake()
                .compute()
                .resource(LEASE)
                .at("/scheduling/maxRunDuration/seconds")
                .asString())
        .isEqualTo("604800");
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void typesSoldByReservationNeedOne(boolean reserved) {
    String type = "a3-ultragpu-8g";
    open(Set.of(), reserved ? Map.of(type, "mine") : Map.of(), Duration.ofDays(1));
    LeaseRequest request = TestLeaseRequests.of(LEASE, "gcp/us-central1", type, Market.ON_DEMAND);
    if (reserved) {
      testCloud.ready(request);
    } else {
      Refused refused = testCloud.refused(request);
      assertThat(refused.refusal()).isEqualTo(RefusalReason.INVALID);
      assertThat(refused.message()).contains("needs a reservation");
    }
  }

  @Test
  void refusalNamesTypeThatIsNotSoldOnDemand() {
    Refused refused =
        testCloud.refused(
            TestLeaseRequests.of(LEASE, "gcp/us-central1", "a3-highgpu-1g", Market.ON_DEMAND));
    assertThat(refused.refusal()).isEqualTo(RefusalReason.INVALID);
    assertThat(refused.message()).contains("not available with the provisioning model STANDARD");
  }
}
