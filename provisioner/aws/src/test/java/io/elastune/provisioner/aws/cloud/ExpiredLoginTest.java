package io.elastune.provisioner.aws.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.CloudEvent.HealthChanged;
import io.elastune.provisioner.CloudEvent.Ready;
import io.elastune.provisioner.CloudEvent.Refused;
import io.elastune.provisioner.CloudEvent.Terminated;
import io.elastune.provisioner.CloudImpairment;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.RefusalReason;
import io.elastune.provisioner.TestCloud;
import io.elastune.provisioner.aws.testing.AwsTestEnvironment;
import io.elastune.provisioner.aws.testing.TestLeaseRequests;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Logins that expire during a run, and the impairments that the cloud reports meanwhile. */
class ExpiredLoginTest {
  private static final String FIRST = TestLeaseRequests.RUN + "-1";
  private static final String SECOND = TestLeaseRequests.RUN + "-2";
  private static final String KEY = "test";

  @Order(1)
  @RegisterExtension
  private final AwsTestEnvironment world = new AwsTestEnvironment();

  @Order(2)
  @RegisterExtension
  private final TestCloud testCloud = new TestCloud(world::open);

  private List<HealthChanged> changes(CloudImpairment impairment) {
    return testCloud.events().all(HealthChanged.class, "").stream()
        .filter(event -> event.impairment() == impairment)
        .toList();
  }

  private void await(CloudImpairment impairment, int changes) {
    testCloud.until(() -> changes(impairment).size() >= changes);
  }

  @Test
  void launchesWaitForTheNextLogin() {
    testCloud.ready(TestLeaseRequests.of(FIRST));
    world.fake().expire(KEY);
    testCloud.cloud().request(TestLeaseRequests.of(SECOND));
    await(CloudImpairment.LOGIN_EXPIRED, 1);
    long tried = world.fake().calls("RunInstances");
    testCloud.until(() -> world.fake().calls("RunInstances") > tried + 2);
    HealthChanged expired = changes(CloudImpairment.LOGIN_EXPIRED).get(0);
    assertThat(expired.infra()).isEqualTo("aws/us-east-1");
    assertThat(expired.present()).isTrue();
    assertThat(expired.message()).contains("these AWS credentials have expired", "aws sso login");
    assertThat(testCloud.events().has(Refused.class, SECOND)).isFalse();

    world.fake().renew(KEY);
    testCloud.until(() -> testCloud.events().has(Ready.class, SECOND));
    await(CloudImpairment.LOGIN_EXPIRED, 2);
    assertThat(changes(CloudImpairment.LOGIN_EXPIRED).get(1).present()).isFalse();
    assertThat(world.fake().ec2().launchedLeases()).containsExactlyInAnyOrder(FIRST, SECOND);
  }

  @Test
  void launchesAreRefusedOnceNodesShutDown() {
    testCloud.ready(TestLeaseRequests.of(FIRST));
    world.fake().expire(KEY);
    testCloud.cloud().request(shortLived(TestLeaseRequests.of(SECOND)));
    testCloud.until(() -> testCloud.events().has(Refused.class, SECOND));

    Refused refused = testCloud.events().first(Refused.class, SECOND);
    assertThat(refused.refusal()).isEqualTo(RefusalReason.PERMISSION);
    assertThat(refused.message()).contains("these AWS credentials have expired");
    HealthChanged expired = changes(CloudImpairment.LOGIN_EXPIRED).get(0);
    assertThat(Duration.between(expired.since(), refused.at()))
        .isGreaterThanOrEqualTo(shortLived(TestLeaseRequests.of(SECOND)).deadMan());
  }

  private static LeaseRequest shortLived(LeaseRequest some) {
    return new LeaseRequest(
        some.run(),
        some.lease(),
        some.offer(),
        some.setup(),
        some.tags(),
        Duration.ofMillis(500),
        some.near(),
        some.discount());
  }

  @Test
  void anInvalidLoginIsRefusedAtOnce() {
    world.fake().expire(KEY);
    Refused refused = testCloud.refused(TestLeaseRequests.of(FIRST));
    assertThat(refused.refusal()).isEqualTo(RefusalReason.PERMISSION);
    assertThat(world.fake().calls("RunInstances")).isZero();
  }

  @Test
  void terminationsThatEc2DoesNotAcceptAreReported() {
    testCloud.ready(TestLeaseRequests.of(FIRST));
    world.fake().expire(KEY);
    testCloud.cloud().release(FIRST);
    await(CloudImpairment.TERMINATION_UNCONFIRMED, 1);
    assertThat(changes(CloudImpairment.TERMINATION_UNCONFIRMED).get(0).message()).startsWith("i-");
    assertThat(testCloud.events().has(Terminated.class, FIRST)).isFalse();

    world.fake().renew(KEY);
    testCloud.until(() -> testCloud.events().has(Terminated.class, FIRST));
    await(CloudImpairment.TERMINATION_UNCONFIRMED, 2);
    assertThat(changes(CloudImpairment.TERMINATION_UNCONFIRMED).get(1).present()).isFalse();
  }
}
