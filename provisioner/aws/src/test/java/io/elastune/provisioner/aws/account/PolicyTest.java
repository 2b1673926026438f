package io.elastune.provisioner.aws.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.provisioner.CapacityRequest;
import io.elastune.provisioner.CheckResult;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudAccount;
import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.CloudEvent.Ready;
import io.elastune.provisioner.CloudEvent.Refused;
import io.elastune.provisioner.CloudEvent.SetupFailed;
import io.elastune.provisioner.CloudEvent.Terminated;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.RecordedEvents;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.TestWait;
import io.elastune.provisioner.aws.AwsCloudProvider;
import io.elastune.provisioner.aws.fake.FakePolicy;
import io.elastune.provisioner.aws.model.Ec2;
import io.elastune.provisioner.aws.model.Images;
import io.elastune.provisioner.aws.model.LaunchRequest;
import io.elastune.provisioner.aws.model.RegionSettings;
import io.elastune.provisioner.aws.sdk.SdkEc2;
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
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that the policy in docs/aws.md is sufficient and minimal. */
class PolicyTest {
  private static final Path DOC =
      Path.of(System.getProperty("basedir", "")).toAbsolutePath().resolve("../../docs/aws.md");

  /** The number of failed attempts after which a renewal counts as not permitted. */
  private static final int MANY = 5;

  private static final String LEASE = TestLeaseRequests.RUN + "-1";

  @RegisterExtension private final AwsTestEnvironment world = new AwsTestEnvironment();
  @TempDir private Path home;

  static FakePolicy policy() throws IOException {
    Matcher block = Pattern.compile("(?s)```json\n(.*?)```").matcher(Files.readString(DOC));
    assertThat(block.find()).isTrue();
    return FakePolicy.parse(block.group(1).replace("ACCOUNT", "111122223333"));
  }

  static List<FakePolicy.Line> lines() throws IOException {
    return policy().lines();
  }

  @Test
  void policyIsSufficient() throws IOException {
    world.fake().allow(policy());
    assertThat(everything()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("lines")
  void everyLineIsNeeded(FakePolicy.Line line) throws IOException {
    world.fake().allow(policy().without(line));
    assertThat(everything()).isNotEmpty().anyMatch(problem -> problem.contains(line.action()));
  }

  /** Calls that the resources and conditions of a statement forbid. */
  static List<Arguments> forbidden() {
    return List.of(
        forbidden("LaunchTaggedInstances", (ec2, id) -> ec2.launch(launch("m5.large", Tags.RUN))),
        forbidden("EndOnlyOurs", (ec2, id) -> ec2.terminate(List.of(id))),
        forbidden("RenewOnlyOurs", (ec2, id) -> ec2.tag(List.of(id), Map.of("a", "b"))),
        forbidden("TagWhatIsLaunched", (ec2, id) -> ec2.tag(List.of(id), Map.of("a", "b"))),
        forbidden("StandTogether", (ec2, id) -> ec2.createGroup("others", Map.of("a", "b"))),
        forbidden("GiveNodesTheirRole", (ec2, id) -> ec2.launch(asAdministrator())));
  }

  private static Arguments forbidden(String statement, BiConsumer<Ec2, String> call) {
    return Arguments.of(statement, call);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void forbidden(String statement, BiConsumer<Ec2, String> call, TestInfo info) throws IOException {
    String id = world.fake().ec2().add("g5.xlarge", Map.of("team", "others"));
    try (Ec2 ec2 = new SdkEc2(AwsTestEnvironment.REGION)) {
      world.fake().allow(policy());
      assertThatThrownBy(() -> call.accept(ec2, id))
          .as(info.getDisplayName())
          .isInstanceOfSatisfying(
              CloudException.class,
              e -> assertThat(e.failure()).isInstanceOf(CloudFailure.Permission.class));
      world.fake().allow(policy().anywhere(statement));
      assertThatCode(() -> call.accept(ec2, id)).doesNotThrowAnyException();
    }
  }

  @Test
  void untaggedLaunchIsForbidden() throws IOException {
    try (Ec2 ec2 = new SdkEc2(AwsTestEnvironment.REGION)) {
      world.fake().allow(policy());
      assertThatThrownBy(() -> ec2.launch(launch("g5.xlarge", "team")))
          .isInstanceOfSatisfying(
              CloudException.class,
              e -> assertThat(e.failure()).isInstanceOf(CloudFailure.Permission.class));
      assertThatCode(() -> ec2.launch(launch("g5.xlarge", Tags.RUN))).doesNotThrowAnyException();
    }
  }

  /** The condition on the owner that docs/aws.md names. */
  @Test
  void ownersCanBeSeparated() throws IOException {
    String owned =
        Files.readString(DOC)
            .lines()
            .filter(line -> line.contains("To separate"))
            .findFirst()
            .orElseThrow();
    Matcher condition = Pattern.compile("`(\"[^`]+username}\")`").matcher(owned);
    assertThat(condition.find()).isTrue();
    world.fake().allow(policy("\"ec2:ResourceTag/elastune-run\": \"*\"", condition.group(1)));
    try (Ec2 ec2 = new SdkEc2(AwsTestEnvironment.REGION)) {
      for (String owner : List.of("ben", "tester")) {
        String id =
            world.fake().ec2().add("g5.xlarge", Map.of(Tags.RUN, "some", Tags.OWNER, owner));
        assertPermitted(owner.equals("tester"), () -> ec2.terminate(List.of(id)));
        assertPermitted(
            owner.equals("tester"), () -> ec2.tag(List.of(id), Map.of(Tags.EXPIRES, "0")));
      }
    }
  }

  private static FakePolicy policy(String condition, String more) throws IOException {
    Matcher block = Pattern.compile("(?s)```json\n(.*?)```").matcher(Files.readString(DOC));
    assertThat(block.find()).isTrue();
    return FakePolicy.parse(block.group(1).replace(condition, condition + ", " + more));
  }

  private static void assertPermitted(boolean permitted, ThrowingCallable call) {
    if (permitted) {
      assertThatCode(call).doesNotThrowAnyException();
      return;
    }
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            CloudException.class,
            e -> assertThat(e.failure()).isInstanceOf(CloudFailure.Permission.class));
  }

  @Test
  void imageByParameterNeedsPermission() throws IOException {
    LaunchRequest some = launch("g5.xlarge", Tags.RUN);
    RegionSettings settings = some.settings();
    LaunchRequest byParameter =
        new LaunchRequest(
            some.token(),
            some.type(),
            some.market(),
            some.zone(),
            new RegionSettings(
                Images.of("resolve:ssm:/aws/service/deeplearning/ami/x86_64/some"),
                settings.launchTemplate(),
                settings.subnets(),
                settings.securityGroups(),
                settings.instanceProfile(),
                settings.key(),
                Optional.empty(),
                settings.maxLifetime()),
            some.tags(),
            some.userData());
    try (Ec2 ec2 = new SdkEc2(AwsTestEnvironment.REGION)) {
      world.fake().allow(policy());
      assertThatThrownBy(() -> ec2.launch(byParameter)).hasMessageContaining("ssm:GetParameters");
    }
  }

  /** A launch with one tag. */
  private static LaunchRequest launch(String type, String tag) {
    return new LaunchRequest(
        "token-" + tag,
        type,
        Market.ON_DEMAND,
        Optional.of("us-east-1a"),
        AwsTestEnvironment.settings(),
        Map.of(tag, TestLeaseRequests.RUN),
        "#!/bin/sh");
  }

  private static LaunchRequest asAdministrator() {
    RegionSettings some = AwsTestEnvironment.settings();
    RegionSettings settings =
        new RegionSettings(
            some.images(),
            some.launchTemplate(),
            some.subnets(),
            some.securityGroups(),
            Optional.of("administrator"),
            some.key(),
            Optional.empty(),
            some.maxLifetime());
    return new LaunchRequest(
        "token",
        "g5.xlarge",
        Market.ON_DEMAND,
        Optional.of("us-east-1a"),
        settings,
        Map.of(Tags.RUN, TestLeaseRequests.RUN),
        "#!/bin/sh");
  }

  /** Makes all calls that Elastune makes in an account; returns the failures. */
  private List<String> everything() throws IOException {
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
        TestLeaseRequests.near(
            TestLeaseRequests.withDeadMan(TestLeaseRequests.of(LEASE), Duration.ofMillis(400)));
    try (Cloud cloud = world.open(events)) {
      cloud.request(request);
      TestWait.until(
          () ->
              events.has(Ready.class, LEASE)
                  || events.has(Refused.class, LEASE)
                  || events.has(SetupFailed.class, LEASE),
          events);
      if (events.has(Refused.class, LEASE)) {
        return List.of(events.first(Refused.class, LEASE).message());
      }
      if (events.has(SetupFailed.class, LEASE)) {
        return List.of(events.first(SetupFailed.class, LEASE).message());
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
