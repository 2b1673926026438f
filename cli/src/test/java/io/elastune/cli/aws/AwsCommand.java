package io.elastune.cli.aws;

import io.elastune.cli.rented.CloudCommand;
import io.elastune.cli.rented.CloudRun;
import io.elastune.provisioner.aws.fake.FakeAws;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** Creates commands that use a fake AWS. */
public final class AwsCommand {
  public static final String SETTINGS =
      """
      aws:
        us-east-1:
          image: ami-01
          subnets: {us-east-1a: subnet-0a, us-east-1b: subnet-0b}
          instance_profile: elastune-node
      """;

  private AwsCommand() {}

  /** Returns a command with a configured account. */
  public static CloudCommand in(FakeAws aws, Path folder) throws IOException {
    return CloudCommand.in(folder, SETTINGS, variables(aws));
  }

  /** Returns a command without settings. */
  static CloudCommand withoutSettings(FakeAws aws, Path folder) {
    return new CloudCommand(folder, folder.resolve("home"), variables(aws));
  }

  private static Map<String, String> variables(FakeAws aws) {
    return Map.of(
        "AWS_ENDPOINT_URL",
        aws.url(),
        "AWS_REGION",
        "us-east-1",
        "AWS_ACCESS_KEY_ID",
        "AKIDEXAMPLE",
        "AWS_SECRET_ACCESS_KEY",
        CloudRun.SECRET + "-secret");
  }
}
