package io.elastune.provisioner.aws.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudEvent.Ready;
import io.elastune.provisioner.CloudEvent.Terminated;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.RecordedEvents;
import io.elastune.provisioner.aws.testing.AwsWorld;
import io.elastune.provisioner.aws.testing.Requests;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Instances whose trials span several of them stand close together. */
class TeamsTest {
  private static final String LEASE = Requests.RUN + "-1";

  @RegisterExtension private final AwsWorld world = new AwsWorld();
  private final RecordedEvents events = new RecordedEvents();
  private Cloud cloud;

  @BeforeEach
  void open() {
    cloud = world.open(events);
  }

  @AfterEach
  void close() {
    cloud.close();
  }

  @Test
  void instancesOfTeamsStandCloseTogetherAndTheirGroupGoesWithThem() {
    String other = Requests.RUN + "-2";
    cloud.request(Requests.near(Requests.of(LEASE)));
    ready(Requests.near(Requests.of(other)));
    until(() -> events.has(Ready.class, LEASE));
    String group = "elastune-" + Requests.RUN + "-us-east-1a";
    assertThat(world.fake().ec2().order(LEASE)).containsEntry("Placement.GroupName", group);
    assertThat(world.fake().ec2().order(other)).containsEntry("Placement.GroupName", group);
    assertThat(world.fake().ec2().groups().names()).containsExactly(group);
    assertThat(world.fake().calls("CreatePlacementGroup")).isEqualTo(1);

    cloud.release(LEASE);
    cloud.release(other);
    until(() -> events.has(Terminated.class, LEASE) && events.has(Terminated.class, other));
    cloud.list(Requests.RUN);
    until(() -> world.fake().ec2().groups().names().isEmpty());
  }

  @Test
  void aGroupThatAnEarlierControllerHasMadeIsUsed() {
    ready(Requests.near(Requests.of(LEASE)));
    cloud.close();
    cloud = world.open(events);
    ready(Requests.near(Requests.of(Requests.RUN + "-2")));
    assertThat(world.fake().ec2().groups().names()).hasSize(1);
  }

  @Test
  void whoNeedsNoneHasNone() {
    ready(Requests.of(LEASE));
    assertThat(world.fake().ec2().order(LEASE)).doesNotContainKey("Placement.GroupName");
    assertThat(world.fake().calls("CreatePlacementGroup")).isZero();
  }

  private void ready(LeaseRequest request) {
    cloud.request(request);
    until(() -> events.has(Ready.class, request.lease()));
  }

  private void until(BooleanSupplier condition) {
    AwsWorld.until(condition, events);
  }
}
