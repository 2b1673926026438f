package io.elastune.provisioner.gcp.gcloud;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Runs {@code gcloud} on a fake Compute Engine.
 *
 * @param url the address of the fake
 * @param folder for its configuration and output
 */
public record Gcloud(String url, Path folder) {
  /** Returns whether {@code gcloud} is installed. */
  public static boolean isInstalled() {
    return List.of(System.getenv().getOrDefault("PATH", "").split(":")).stream()
        .anyMatch(path -> Files.isExecutable(Path.of(path, "gcloud")));
  }

  /** Runs {@code gcloud compute instances} and returns its output. */
  public String instances(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("gcloud", "compute", "instances"));
    command.addAll(List.of(arguments));
    Path out = Files.createTempFile(folder, "out", "");
    Path err = Files.createTempFile(folder, "err", "");
    Path token = Files.writeString(folder.resolve("token"), "a-token");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder
        .environment()
        .putAll(
            Map.of(
                "CLOUDSDK_CONFIG", folder.resolve("gcloud").toString(),
                "CLOUDSDK_API_ENDPOINT_OVERRIDES_COMPUTE", url + "/compute/v1/",
                "CLOUDSDK_AUTH_ACCESS_TOKEN_FILE", token.toString(),
                "CLOUDSDK_CORE_PROJECT", "my-project",
                "CLOUDSDK_CORE_DISABLE_PROMPTS", "1",
                "CLOUDSDK_CORE_DISABLE_USAGE_REPORTING", "true",
                "CLOUDSDK_COMPONENT_MANAGER_DISABLE_UPDATE_CHECK", "1"));
    int exit = builder.start().waitFor();
    String errors = Files.readString(err, StandardCharsets.UTF_8);
    assertThat(exit).as("gcloud %s: %s", command, errors).isZero();
    return Files.readString(out, StandardCharsets.UTF_8);
  }
}
