package io.elastune.provisioner.aws.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.CloudEvent.Priced;
import io.elastune.provisioner.CloudEvent.Ready;
import io.elastune.provisioner.CloudEvent.Running;
import io.elastune.provisioner.CloudEvent.Terminated;
import io.elastune.provisioner.TestCloud;
import io.elastune.provisioner.aws.testing.AwsTestEnvironment;
import io.elastune.provisioner.aws.testing.TestLeaseRequests;
import java.util.Set;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests on-demand prices with the real SDK against the fake EC2. */
class ChargedPriceReaderTest {
  private static final String LEASE = TestLeaseRequests.RUN + "-1";

  @Order(1)
  @RegisterExtension
  private final AwsTestEnvironment world = new AwsTestEnvironment();

  @Order(2)
  @RegisterExtension
  private final TestCloud testCloud = new TestCloud(world::open);

  @Test
  void onDemandPriceComesFromPriceList() {
    world.fake().market().onDemand("g5.xlarge", 1.25);
    testCloud.ready(TestLeaseRequests.of(LEASE));
    testCloud.until(() -> testCloud.events().has(Priced.class, LEASE));
    assertThat(testCloud.events().first(Priced.class, LEASE).usdPerHour()).isEqualTo(1.25);
    assertThat(testCloud.events().types(LEASE))
        .containsExactlyInAnyOrder(Running.class, Priced.class, Ready.class);
    assertThat(world.fake().calls("DescribeSpotInstanceRequests")).isZero();
  }

  @Test
  void keepsPlannedPriceIfTheListIsFarBelow() {
    double planned = TestLeaseRequests.of(LEASE).listUsdPerHour();
    world.fake().market().onDemand("g5.xlarge", 0.19 * planned);
    testCloud.ready(TestLeaseRequests.of(LEASE));
    testCloud.until(() -> world.fake().calls("GetProducts") > 0);
    testCloud.cloud().release(LEASE);
    testCloud.until(() -> testCloud.events().has(Terminated.class, LEASE));
    assertThat(testCloud.events().has(Priced.class, LEASE)).isFalse();
  }

  @Test
  void readsPriceListOnce() {
    testCloud.ready(TestLeaseRequests.of(LEASE));
    testCloud.until(() -> testCloud.events().has(Priced.class, LEASE));
    long calls = world.fake().calls("GetProducts");
    String other = TestLeaseRequests.RUN + "-2";
    testCloud.cloud().request(TestLeaseRequests.of(other));
    testCloud.until(() -> testCloud.events().has(Priced.class, other));
    assertThat(world.fake().calls("GetProducts")).isEqualTo(calls);
  }

  @Test
  void keepsPlannedPriceWithoutPermission() {
    world.fake().deny(Set.of("pricing:GetProducts"));
    testCloud.ready(TestLeaseRequests.of(LEASE));
    testCloud.until(() -> world.fake().calls("GetProducts") > 0);
    testCloud.cloud().release(LEASE);
    testCloud.until(() -> testCloud.events().has(Terminated.class, LEASE));
    assertThat(testCloud.events().has(Priced.class, LEASE)).isFalse();
  }
}
