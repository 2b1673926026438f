package io.elastune.cli.gcp;

import io.elastune.cli.Main;
import io.elastune.cli.aws.NearEngineProvider;
import io.elastune.cli.testing.Ended;
import io.elastune.cli.testing.Started;
import io.elastune.provisioner.gcp.fake.FakeGcp;
import io.elastune.provisioner.gcp.testing.TestCredentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Starts commands in processes of their own, with the variables of Google's tools set to our own.
 *
 * @param folder the folder that commands are started in
 * @param home {@code ELASTUNE_HOME}
 * @param flags of the JVM
 */
record GcpCommand(FakeGcp gcp, Path folder, Path home, List<String> flags) {
  static final String SETTINGS =
      """
      gcp:
        project: my-project
        regions:
          us-central1:
            image: projects/my-project/global/images/family/gpu-nodes
            zones: [us-central1-a, us-central1-b, us-central1-c]
      """;

  GcpCommand(FakeGcp gcp, Path folder, Path home) {
    this(gcp, folder, home, List.of());
  }

  GcpCommand with(String flag) {
    return new GcpCommand(gcp, folder, home, List.of(flag));
  }

  /** With the account set up in {@code home}. */
  static GcpCommand in(FakeGcp gcp, Path folder) throws IOException {
    Path home = Files.createDirectories(folder.resolve("home"));
    Files.writeString(home.resolve("clouds.yaml"), SETTINGS);
    return new GcpCommand(gcp, folder, home);
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
                "CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE",
                gcp.url() + "/compute/v1/",
                "GOOGLE_APPLICATION_CREDENTIALS",
                TestCredentials.write(folder).toString()));
    Process process = builder.start();
    process.getOutputStream().close();
    return new Started(process, out, err);
  }

  Ended run(String... arguments) throws IOException, InterruptedException {
    return start(arguments).end();
  }
}
