package io.elastune.provisioner.terraform;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Terraform providers without a cloud, in a Python process. They have the schemas of the real
 * providers and log each creation and deletion.
 */
final class EmulatedProviders implements AutoCloseable {
  private final Process process;
  private final Path log;
  private final String reattach;

  private EmulatedProviders(Process process, Path log, String reattach) {
    this.process = process;
    this.log = log;
    this.reattach = reattach;
  }

  /** Returns a Python that has the packages of {@code terraform/test/requirements.txt}. */
  static Optional<String> python() {
    String python =
        Optional.ofNullable(System.getenv("ELASTUNE_TERRAFORM_PYTHON")).orElse("python3");
    try {
      Process probe =
          new ProcessBuilder(python, "-c", "import grpc, grpc_tools, msgpack")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return probe.waitFor() == 0 ? Optional.of(python) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Starts the providers. */
  static EmulatedProviders start(String python, Path log) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(python, "emulated_providers.py", log.toString())
            .directory(TerraformModule.root().resolve("test").toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    Process process = builder.start();
    BufferedReader output = process.inputReader(UTF_8);
    String reattach = output.readLine();
    if (reattach == null) {
      throw new IOException("the emulated providers ended");
    }
    return new EmulatedProviders(process, log, reattach);
  }

  /** Returns the value of {@code TF_REATTACH_PROVIDERS}. */
  String reattach() {
    return reattach;
  }

  /** Returns the values of all resources for which an action was logged. */
  List<JsonNode> logged(String action) throws IOException {
    if (!Files.exists(log)) {
      return List.of();
    }
    try (Stream<String> lines = Files.lines(log)) {
      return lines
          .map(line -> JsonMapper.shared().readTree(line))
          .filter(entry -> entry.path("action").asString().equals(action))
          .toList();
    }
  }

  @Override
  public void close() {
    try {
      process.getOutputStream().close();
      process.waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
