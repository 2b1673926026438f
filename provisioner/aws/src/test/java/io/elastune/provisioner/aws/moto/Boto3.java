package io.elastune.provisioner.aws.moto;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs boto3, an independent client, in its own process: see {@code second_client.py} in the test
 * resources.
 *
 * @param url the endpoint of EC2 and the other services
 */
public record Boto3(String url) {
  private static final int TIMEOUT_S = 180;

  /** Finds the package without importing it, which would take seconds. */
  private static final String PROBE =
      "import importlib.util as u, sys; sys.exit(not u.find_spec('boto3'))";

  /** Returns whether Python and boto3 are installed. */
  public static boolean isInstalled() {
    try {
      Process probe = new ProcessBuilder("python3", "-c", PROBE).start();
      return probe.waitFor(TIMEOUT_S, TimeUnit.SECONDS) && probe.exitValue() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Runs an action of the script and returns what it prints. */
  public JsonNode run(String... arguments) {
    List<String> command = new ArrayList<>(List.of("python3", "-W", "ignore", "-c", script()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().keySet().removeIf(name -> name.startsWith("AWS_"));
    builder
        .environment()
        .putAll(
            Map.of(
                "AWS_ENDPOINT_URL", url,
                "AWS_ACCESS_KEY_ID", "AKIDEXAMPLE",
                "AWS_SECRET_ACCESS_KEY", "second-client",
                "AWS_EC2_METADATA_DISABLED", "true",
                "AWS_MAX_ATTEMPTS", "1"));
    try {
      Process process = builder.start();
      process.getOutputStream().close();
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new AssertionError("boto3 failed: " + List.of(arguments));
      }
      return JsonMapper.shared().readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String script() {
    try (InputStream stream = Boto3.class.getResourceAsStream("second_client.py")) {
      return new String(Objects.requireNonNull(stream).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
