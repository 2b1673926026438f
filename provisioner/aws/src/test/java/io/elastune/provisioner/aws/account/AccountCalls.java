package io.elastune.provisioner.aws.account;

import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.provisioner.CapacityRequest;
import io.elastune.provisioner.CheckResult;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudAccount;
import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.CloudEvent.PreparationFailed;
import io.elastune.provisioner.CloudEvent.Ready;
import io.elastune.provisioner.CloudEvent.Refused;
import io.elastune.provisioner.CloudEvent.Terminated;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.RecordedEvents;
import io.elastune.provisioner.SampleLeaseRequests;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.TestWait;
import io.elastune.provisioner.aws.AwsCloudProvider;
import io.elastune.provisioner.aws.testing.AwsTestEnvironment;
import io.elastune.provisioner.aws.testing.TestLeaseRequests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Makes the calls of Elastune in an account, as a run, a check and a cleanup do. */
final class AccountCalls {
  /** The number of failed attempts after which a renewal counts as not permitted. */
  private static final int MANY = 5;

  private static final String LEASE = TestLeaseRequests.RUN + "-1";

  private final AwsTestEnvironment world;
  private final Path home;

  AccountCalls(AwsTestEnvironment world, Path home) {
    this.world = world;
    this.home = home;
  }

  /** Makes all calls that Elastune makes in an account; returns the failures. */
  List<String> everything() throws IOException {
    List<String> problems = new ArrayList<>(rented());
    Files.writeString(
        home.resolve("clouds.yaml"),
        """
        aws:
          us-east-1: {image: ami-01, subnets: {us-east-1a: subnet-0a}, instance_profile: elastune-node}
        """);
    CloudContext context =
        new CloudContext(home, home.resolve("clouds.yaml"), AwsTestEnvironment.TIME);
    try (CloudAccount account = new AwsCloudProvider().account(context).orElseThrow()) {
      List<Offer> offers =
          List.of(
              TestLeaseRequests.of(LEASE).offer(),
              TestLeaseRequests.of(LEASE, "aws/us-east-1", "g5.12xlarge", Market.SPOT).offer());
      account.check(new CapacityRequest(List.of("aws/us-east-1"), offers, 1)).stream()
          .filter(checkResult -> checkResult.outcome() == CheckResult.Outcome.FAILED)
          .map(CheckResult::detail)
          .forEach(problems::add);
      problems.addAll(account.offers(List.of("aws/us-east-1")).notes());
      world.fake().ec2().add("g5.xlarge", Map.of(Tags.RUN, TestLeaseRequests.RUN));
      account.terminate(account.instances(List.of()));
    } catch (CloudException e) {
      problems.add(e.failure().message());
    }
    return problems;
  }

  /** Rents an instance, renews its expiry and releases it. */
  private List<String> rented() {
    RecordedEvents events = new RecordedEvents();
    LeaseRequest request =
        SampleLeaseRequests.near(
            SampleLeaseRequests.withDeadMan(TestLeaseRequests.of(LEASE), Duration.ofMillis(400)));
    try (Cloud cloud = world.open(events)) {
      cloud.request(request);
      TestWait.until(
          () ->
              events.has(Ready.class, LEASE)
                  || events.has(Refused.class, LEASE)
                  || events.has(PreparationFailed.class, LEASE),
          events);
      if (events.has(Refused.class, LEASE)) {
        return List.of(events.first(Refused.class, LEASE).message());
      }
      if (events.has(PreparationFailed.class, LEASE)) {
        return List.of(events.first(PreparationFailed.class, LEASE).message());
      }
      Optional<String> problem = notRenewed();
      if (problem.isPresent()) {
        return List.of(problem.get());
      }
      cloud.release(LEASE);
      if (world.fake().allows("ec2:TerminateInstances")) {
        TestWait.until(() -> events.has(Terminated.class, LEASE), events);
      }
      cloud.list(TestLeaseRequests.RUN);
      return groupsLeft();
    }
  }

  /** Waits until the expiry is renewed. */
  private Optional<String> notRenewed() {
    String before = world.fake().ec2().tags(LEASE).get(Tags.EXPIRES);
    BooleanSupplier renewed =
        () -> !world.fake().ec2().tags(LEASE).get(Tags.EXPIRES).equals(before);
    TestWait.until(
        () -> renewed.getAsBoolean() || world.fake().calls("CreateTags") > MANY,
        "the expiry tag is not renewed");
    return renewed.getAsBoolean()
        ? Optional.empty()
        : Optional.of("without ec2:CreateTags: not renewed");
  }

  /**
   * Without permission to delete it, an empty group remains: it contains no instance and is free.
   */
  private List<String> groupsLeft() {
    boolean may =
        world.fake().allows("ec2:TerminateInstances")
            && world.fake().allows("ec2:DescribePlacementGroups")
            && world.fake().allows("ec2:DeletePlacementGroup");
    if (may) {
      TestWait.until(
          () -> world.fake().ec2().groups().names().isEmpty(), "a placement group remains");
    }
    return world.fake().ec2().groups().names().isEmpty()
        ? List.of()
        : List.of(
            "without ec2:DescribePlacementGroups or ec2:DeletePlacementGroup: a group remains");
  }
}
