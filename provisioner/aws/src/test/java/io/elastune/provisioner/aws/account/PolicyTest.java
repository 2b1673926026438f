package io.elastune.provisioner.aws.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elastune.core.offer.Market;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.aws.fake.FakePolicy;
import io.elastune.provisioner.aws.model.Ec2;
import io.elastune.provisioner.aws.model.Images;
import io.elastune.provisioner.aws.model.LaunchRequest;
import io.elastune.provisioner.aws.model.RegionSettings;
import io.elastune.provisioner.aws.model.RegionSettingsBuilder;
import io.elastune.provisioner.aws.sdk.SdkEc2;
import io.elastune.provisioner.aws.testing.AwsTestEnvironment;
import io.elastune.provisioner.aws.testing.TestLeaseRequests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
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

  @RegisterExtension private final AwsTestEnvironment world = new AwsTestEnvironment();
  @TempDir private Path home;

  static FakePolicy policy() throws IOException {
    Matcher block = Pattern.compile("(?s)```json\n(.*?)```").matcher(Files.readString(DOC));
    assertThat(block.find()).isTrue();
    return FakePolicy.parse(block.group(1).replace("ACCOUNT", "111122223333"));
  }

  private AccountCalls calls() {
    return new AccountCalls(world, home);
  }

  static List<FakePolicy.Line> lines() throws IOException {
    return policy().lines();
  }

  @Test
  void policyIsSufficient() throws IOException {
    world.fake().allow(policy());
    assertThat(calls().everything()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("lines")
  void everyLineIsNeeded(FakePolicy.Line line) throws IOException {
    world.fake().allow(policy().without(line));
    assertThat(calls().everything())
        .isNotEmpty()
        .anyMatch(problem -> problem.contains(line.action()));
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
    LaunchRequest byParameter =
        new LaunchRequest(
            some.token(),
            some.type(),
            some.market(),
            some.zone(),
            RegionSettingsBuilder.builder(some.settings())
                .images(Images.of("resolve:ssm:/aws/service/deeplearning/ami/x86_64/some"))
                .build(),
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
    RegionSettings settings =
        RegionSettingsBuilder.builder(AwsTestEnvironment.settings())
            .instanceProfile(Optional.of("administrator"))
            .build();
    return new LaunchRequest(
        "token",
        "g5.xlarge",
        Market.ON_DEMAND,
        Optional.of("us-east-1a"),
        settings,
        Map.of(Tags.RUN, TestLeaseRequests.RUN),
        "#!/bin/sh");
  }
}
