package io.elastune.executor.ray.head;

import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.process.HostTools;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A Python interpreter of this machine that has Ray.
 *
 * @param command the interpreter
 * @param python its version, e.g. {@code 3.11}
 * @param ray the version of Ray, e.g. {@code 2.58.0}
 */
public record RayPython(String command, String python, String ray) {
  /** The version of Ray that Elastune is tested with. */
  public static final String TESTED = "2.58.0";

  private static final int OLDEST_MINOR = 58;
  private static final String PROGRAM =
      "import ray, sys; print('elastune %d.%d %s' % (*sys.version_info[:2], ray.__version__))";
  private static final Pattern ANSWER = Pattern.compile("elastune (3\\.\\d+) (2\\.(\\d+)\\.\\S+)");
  private static final int TIMEOUT_S = 60;
  private static final int LONGEST_REASON = 300;

  /**
   * Returns the interpreter, after checking its version of Ray.
   *
   * @param setting where the settings name it, for messages
   * @throws CloudException if it has no Ray, or an unsupported version
   */
  public static RayPython find(String command, String setting) {
    String answer = ask(command, setting);
    Matcher found = ANSWER.matcher(answer);
    if (!found.find()) {
      throw invalid(command, lastLine(answer), setting);
    }
    if (Integer.parseInt(found.group(3)) < OLDEST_MINOR) {
      throw invalid(
          command, "it has Ray " + found.group(2) + ", and 2.58 or later is required", setting);
    }
    return new RayPython(command, found.group(1), found.group(2));
  }

  private static String ask(String command, String setting) {
    Path output = null;
    try {
      output = Files.createTempFile("elastune-ray", ".log");
      ProcessBuilder builder = new ProcessBuilder(command, "-c", PROGRAM);
      builder.environment().clear();
      builder.environment().putAll(HostTools.inheritedEnvironment());
      Process process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
      process.getOutputStream().close();
      if (!process.waitFor(TIMEOUT_S, TimeUnit.SECONDS)) {
        var unused = process.destroyForcibly();
        throw invalid(command, "it did not answer within " + TIMEOUT_S + " s", setting);
      }
      return Files.readString(output, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw invalid(command, String.valueOf(e.getMessage()), setting);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw invalid(command, "interrupted", setting);
    } finally {
      delete(output);
    }
  }

  private static void delete(@Nullable Path file) {
    try {
      if (file != null) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      return; // a temporary file
    }
  }

  private static String lastLine(String text) {
    String line = text.strip().lines().reduce((first, second) -> second).orElse("no output");
    return line.substring(0, Math.min(line.length(), LONGEST_REASON));
  }

  private static CloudException invalid(String command, String reason, String setting) {
    return new CloudException(
        new CloudFailure.Invalid(
            "Runs on rented instances need Ray on the machine of the controller, and "
                + command
                + " cannot be used: "
                + reason
                + ". Nothing was rented. Build the node runtime with 'elastune runtime build', or"
                + " install Ray "
                + TESTED
                + " and name its interpreter as "
                + setting
                + " in clouds.yaml"));
  }
}
