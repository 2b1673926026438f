package io.elastune.executor.ray.runtime;

import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.process.HostTools;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A program that builds a part of a runtime.
 *
 * @param name what it does, for messages
 * @param remedy what the user can do if it fails; may be empty
 */
record BuildStep(String name, String remedy) {
  private static final int SHOWN_LINES = 5;

  static BuildStep named(String name) {
    return new BuildStep(name, "");
  }

  /**
   * Runs a program and returns its output.
   *
   * @throws CloudException if it fails, with the end of its output
   */
  String run(String... command) throws IOException {
    Path output = Files.createTempFile("elastune-runtime", ".log");
    try {
      ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
      Map<String, String> environment = builder.environment();
      environment.clear();
      environment.putAll(HostTools.inheritedEnvironment());
      Process process = builder.redirectOutput(output.toFile()).start();
      process.getOutputStream().close();
      int exit = await(process);
      String text = Files.readString(output, StandardCharsets.ISO_8859_1);
      if (exit != 0) {
        throw failed(exit, text);
      }
      return text;
    } finally {
      Files.deleteIfExists(output);
    }
  }

  private int await(Process process) {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      var unused = process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new CloudException(new CloudFailure.Invalid(name + " was interrupted"));
    }
  }

  private CloudException failed(int exit, String output) {
    List<String> lines = output.lines().filter(line -> !line.isBlank()).toList();
    String end =
        String.join("\n  ", lines.subList(Math.max(0, lines.size() - SHOWN_LINES), lines.size()));
    return new CloudException(
        new CloudFailure.Invalid(
            name
                + " failed with exit code "
                + exit
                + (end.isEmpty() ? "" : ":\n  " + end)
                + (remedy.isEmpty() ? "" : "\n" + remedy)));
  }
}
