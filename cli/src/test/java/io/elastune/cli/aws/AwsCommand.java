package io.elastune.cli.aws;

import io.elastune.cli.Main;
import io.elastune.cli.testing.Ended;
import io.elastune.cli.testing.Started;
import io.elastune.provisioner.aws.fake.FakeAws;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Starts commands in processes of their own, with the standard variables of AWS set to our own.
 *
 * @param folder the folder that commands are started in
 * @param home {@code ELASTUNE_HOME}
 * @param flags of the JVM
 */
record AwsCommand(FakeAws aws, Path folder, Path home, List<String> flags) {
  static final String SETTINGS =
      """
      aws:
        us-east-1:
          image: ami-01
          subnets: {us-east-1a: subnet-0a, us-east-1b: subnet-0b}
          instance_profile: elastune-node
      """;

  AwsCommand(FakeAws aws, Path folder, Path home) {
    this(aws, folder, home, List.of());
  }

  AwsCommand with(String flag) {
    return new AwsCommand(aws, folder, home, List.of(flag));
  }

  /** With the account set up in {@code home}. */
  static AwsCommand in(FakeAws aws, Path folder) throws IOException {
    Path home = Files.createDirectories(folder.resolve("home"));
    Files.writeString(home.resolve("clouds.yaml"), SETTINGS);
    return new AwsCommand(aws, folder, home);
  }

  Started start(String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-D" + NearEngineProvider.SWITCH + "=true",
                "-cp",
                System.getProperty("java.class.path")));
    command.addAll(flags);
    command.add(Main.class.getName());
    command.addAll(List.of(arguments));
    Path out = Files.createTempFile(folder, "out", "");
    Path err = Files.createTempFile(folder, "err", "");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder
        .environment()
        .putAll(
            Map.of(
                "ELASTUNE_HOME",
                home.toString(),
                "AWS_ENDPOINT_URL",
                aws.url(),
                "AWS_REGION",
                "us-east-1",
                "AWS_ACCESS_KEY_ID",
                "AKIDEXAMPLE",
                "AWS_SECRET_ACCESS_KEY",
                "hush-hush-secret"));
    Process process = builder.start();
    process.getOutputStream().close();
    return new Started(process, out, err);
  }

  Ended run(String... arguments) throws IOException, InterruptedException {
    return start(arguments).end();
  }
}
