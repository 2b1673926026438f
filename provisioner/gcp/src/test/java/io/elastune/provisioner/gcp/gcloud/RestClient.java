package io.elastune.provisioner.gcp.gcloud;

import io.elastune.provisioner.gcp.fake.FakeGcp;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs a plain REST client in Python, which needs no package: see {@code rest_client.py} in the
 * test resources. It validates every response against the discovery document.
 *
 * @param url the address of the fake
 * @param folder for the discovery document
 */
public record RestClient(String url, Path folder) {
  private static final int TIMEOUT_S = 180;

  /** Returns whether Python is installed. */
  public static boolean isInstalled() {
    try {
      Process probe = new ProcessBuilder("python3", "--version").start();
      return probe.waitFor(TIMEOUT_S, TimeUnit.SECONDS) && probe.exitValue() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Runs an action of the script and returns what it prints. */
  public JsonNode run(String... arguments) throws IOException, InterruptedException {
    Path document = folder.resolve("compute-v1.json");
    Files.writeString(document, resource(FakeGcp.class, "compute-v1.json"));
    List<String> command =
        new ArrayList<>(
            List.of(
                "python3",
                "-c",
                resource(RestClient.class, "rest_client.py"),
                document.toString(),
                url + "/compute/v1/",
                "my-project"));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    process.getOutputStream().close();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new AssertionError("the REST client failed: " + List.of(arguments));
    }
    return JsonMapper.shared().readTree(text);
  }

  private static String resource(Class<?> beside, String name) throws IOException {
    try (InputStream stream = beside.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(stream).readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
