package io.elastune.cli.guide;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.elastune.cli.rented.RayPythonForTests;
import io.elastune.cli.testing.ExampleFiles;
import io.elastune.cli.testing.ExternalPrograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The emulated Terraform providers, in a process, and the resources that they have created. */
final class TerraformProviders implements AutoCloseable {
  private final Process process;
  private final Path log;
  private final String reattach;

  /** Starts the providers. */
  TerraformProviders(String python, Path log) throws IOException {
    this.log = log;
    ProcessBuilder builder =
        new ProcessBuilder(python, "emulated_providers.py", log.toString())
            .directory(ExampleFiles.REPOSITORY.resolve("terraform/test").toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    process = builder.start();
    String line = process.inputReader(UTF_8).readLine();
    if (line == null) {
      throw new IOException("the emulated providers ended");
    }
    reattach = line;
  }

  /** Returns a Python with the packages of the providers; skips the test where one is missing. */
  static String python() throws InterruptedException {
    Assumptions.assumeTrue(ExternalPrograms.isInstalled("terraform"), "no terraform on the PATH");
    String python = System.getenv().getOrDefault("ELASTUNE_TERRAFORM_PYTHON", "python3");
    Assumptions.assumeTrue(
        RayPythonForTests.has(python, "grpc, grpc_tools, msgpack"),
        python + " lacks grpc_tools or msgpack: set ELASTUNE_TERRAFORM_PYTHON");
    return python;
  }

  /** Returns the value of {@code TF_REATTACH_PROVIDERS}. */
  String reattach() {
    return reattach;
  }

  private List<JsonNode> entries() throws IOException {
    if (!Files.exists(log)) {
      return List.of();
    }
    try (Stream<String> lines = Files.lines(log)) {
      return lines.map(line -> JsonMapper.shared().readTree(line)).toList();
    }
  }

  /** Returns the resources that exist, as their types and IDs. */
  List<String> existing() throws IOException {
    List<String> existing = new ArrayList<>();
    for (JsonNode entry : entries()) {
      String name = entry.path("type").asString() + " " + entry.at("/values/id").asString();
      if (entry.path("action").asString().equals("create")) {
        existing.add(name);
      } else {
        existing.remove(name);
      }
    }
    return existing;
  }

  /** Returns the values of the created resources of a type. */
  List<JsonNode> created(String type) throws IOException {
    return entries().stream()
        .filter(entry -> entry.path("action").asString().equals("create"))
        .filter(entry -> entry.path("type").asString().equals(type))
        .map(entry -> entry.path("values"))
        .toList();
  }

  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    process.onExit().join();
  }
}
