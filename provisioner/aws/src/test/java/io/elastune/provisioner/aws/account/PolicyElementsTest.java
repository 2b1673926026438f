package io.elastune.provisioner.aws.account;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.offer.Market;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.aws.fake.FakePolicy.Access;
import io.elastune.provisioner.aws.model.Ec2;
import io.elastune.provisioner.aws.model.LaunchRequest;
import io.elastune.provisioner.aws.model.RegionSettings;
import io.elastune.provisioner.aws.model.RegionSettingsBuilder;
import io.elastune.provisioner.aws.model.Reservations;
import io.elastune.provisioner.aws.sdk.SdkEc2;
import io.elastune.provisioner.aws.testing.AwsTestEnvironment;
import io.elastune.provisioner.aws.testing.PolicyEffects;
import io.elastune.provisioner.aws.testing.TestLeaseRequests;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests that each resource and each condition of the policy in docs/aws.md is required. */
class PolicyElementsTest {
  @RegisterExtension private final AwsTestEnvironment world = new AwsTestEnvironment();
  @TempDir private Path home;

  /** Evaluates what the calls of a run need, with all settings that a launch can have. */
  @Test
  void eachResourceAndConditionIsRequired() throws IOException {
    world.fake().allow(PolicyTest.policy());
    assertThat(new AccountCalls(world, home).everything()).isEmpty();
    try (Ec2 ec2 = new SdkEc2(AwsTestEnvironment.REGION)) {
      ec2.dryRunLaunch(withAllSettings("g5.xlarge", Market.SPOT));
      ec2.dryRunLaunch(withAllSettings("p4d.24xlarge", Market.ON_DEMAND));
    }
    PolicyEffects.assertEachIsRequired(
        PolicyTest.policy(), world.fake().accesses(), forbiddenAccesses());
  }

  private static LaunchRequest withAllSettings(String type, Market market) {
    RegionSettings settings =
        RegionSettingsBuilder.builder(AwsTestEnvironment.settings())
            .launchTemplate(Optional.of("lt-01"))
            .reservations(new Reservations(Map.of(type, "cr-01"), Map.of()))
            .key(Optional.of("my-key"))
            .build();
    return new LaunchRequest(
        "token-" + type,
        type,
        market,
        Optional.of("us-east-1a"),
        settings,
        Map.of(Tags.RUN, TestLeaseRequests.RUN),
        "#!/bin/sh",
        Optional.of("elastune-some"));
  }

  private static List<Access> forbiddenAccesses() {
    String tag = "aws:RequestTag/" + Tags.RUN;
    String type = "ec2:InstanceType";
    String tokens = "ec2:MetadataHttpTokens";
    String own = "ec2:ResourceTag/" + Tags.RUN;
    String keys = "aws:TagKeys";
    return List.of(
        access("ec2:RunInstances", "instance/*", Map.of(type, "g5.xlarge", tokens, "required")),
        access(
            "ec2:RunInstances",
            "instance/*",
            Map.of(tag, "r", type, "m5.large", tokens, "required")),
        access(
            "ec2:RunInstances",
            "instance/*",
            Map.of(tag, "r", type, "g5.xlarge", tokens, "optional")),
        access("ec2:RunInstances", "volume/*", Map.of()),
        access("ec2:CreateTags", "volume/vol-1", Map.of(keys, "a")),
        access("ec2:CreateTags", "instance/i-1", Map.of(keys, Tags.EXPIRES)),
        access("ec2:CreateTags", "instance/i-1", Map.of(own, "r", keys, "a")),
        access("ec2:TerminateInstances", "instance/i-1", Map.of()),
        new Access(
            "iam:PassRole",
            "arn:aws:iam::111122223333:role/elastune-node",
            Map.of("iam:PassedToService", "lambda.amazonaws.com")));
  }

  private static Access access(String action, String resource, Map<String, String> keys) {
    return new Access(action, "arn:aws:ec2:us-east-1:111122223333:" + resource, keys);
  }
}
