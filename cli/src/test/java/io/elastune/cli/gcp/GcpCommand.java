package io.elastune.cli.gcp;

import io.elastune.cli.rented.CloudCommand;
import io.elastune.provisioner.gcp.fake.FakeGcp;
import io.elastune.provisioner.gcp.testing.TestCredentials;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** Creates commands that use a fake Google Cloud. */
public final class GcpCommand {
  public static final String SETTINGS =
      """
      gcp:
        project: my-project
        regions:
          us-central1:
            image: projects/my-project/global/images/family/gpu-nodes
            zones: [us-central1-a, us-central1-b, us-central1-c]
      """;

  private GcpCommand() {}

  /** Returns a command with a configured account. */
  public static CloudCommand in(FakeGcp gcp, Path folder) throws IOException {
    return CloudCommand.in(folder, SETTINGS, variables(gcp, folder));
  }

  /** Returns a command without settings. */
  static CloudCommand withoutSettings(FakeGcp gcp, Path folder) {
    return new CloudCommand(folder, folder.resolve("home"), variables(gcp, folder));
  }

  private static Map<String, String> variables(FakeGcp gcp, Path folder) {
    return Map.of(
        "CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE",
        gcp.url() + "/compute/v1/",
        "GOOGLE_APPLICATION_CREDENTIALS",
        TestCredentials.write(folder).toString());
  }
}
