package io.elastune.cli.ray;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.cli.testing.ExternalPrograms;
import io.elastune.cli.testing.InProcessCli;
import io.elastune.cli.testing.TinyJob;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests clusters that a run cannot use. The bridge is the real one; a package takes the place of
 * Ray, whose version and answers a test sets.
 */
@EnabledOnOs(OS.LINUX)
class ClusterRefusalsIT {
  private static final String RAY =
      "__version__ = \"2.58.0\"\n\n\ndef remote(kind):\n    return kind\n";

  private static final String CLIENT =
      """
      class GcsClient:
          def __init__(self, address):
              pass

          def internal_kv_get(self, key, namespace, timeout):
              %s
      """;

  @TempDir private Path folder;
  private ServerSocket head;
  private Path job;

  @BeforeEach
  void start() throws Exception {
    assumeTrue(ExternalPrograms.isInstalled("python3"), "the bridge runs with python3");
    head = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
    Path ray = Files.createDirectories(folder.resolve("packages/ray"));
    Files.writeString(ray.resolve("__init__.py"), RAY);
    Path python = folder.resolve("python");
    Files.writeString(
        python, "#!/bin/sh\nPYTHONPATH='" + ray.resolveSibling("") + "' exec python3 \"$@\"\n");
    assertThat(python.toFile().setExecutable(true)).isTrue();
    Files.createDirectories(folder.resolve("home"));
    Files.writeString(
        folder.resolve("home/clouds.yaml"),
        "ray: {lab: {address: '" + address() + "', python: " + python + "}}\n");
    job =
        new TinyJob("tiny")
            .with("resources", "{infra: [ray/lab], max_instances: 2}")
            .write(folder.resolve("job"));
  }

  @AfterEach
  void stop() throws IOException {
    if (head != null) {
      head.close();
    }
  }

  private String address() {
    return "127.0.0.1:" + head.getLocalPort();
  }

  private void answers(String statement) throws IOException {
    Files.writeString(folder.resolve("packages/ray/_raylet.py"), CLIENT.formatted(statement));
  }

  private void has(String ray, String python) throws IOException {
    answers("return b'{\"ray_version\": \"" + ray + "\", \"python_version\": \"" + python + "\"}'");
  }

  /** Checks that check and run end with an exit code, and name cause and remedy. */
  private void assertRefused(int exit, String... texts) {
    InProcessCli.Result check = cli("check", "--infra", "ray/lab");
    assertThat(check.exit()).as(check.out() + check.err()).isEqualTo(exit);
    assertThat(check.out().replaceAll("\\s+", " ")).contains(texts);
    InProcessCli.Result run = cli("run", job.toString(), "-y");
    assertThat(run.exit()).as(run.out() + run.err()).isEqualTo(exit);
    assertThat(run.err()).contains(texts);
    assertThat(folder.resolve("home/runs")).doesNotExist();
  }

  private InProcessCli.Result cli(String... arguments) {
    return InProcessCli.at(folder, folder.resolve("home")).run(arguments);
  }

  @Test
  void otherVersionOfRay() throws Exception {
    has("2.40.0", "3.11.2");
    assertRefused(
        2,
        "Ray 2.40.0 runs on the cluster, and ",
        " has Ray 2.58.0. Set python in the section ray of clouds.yaml to one with that version");
  }

  @Test
  void otherVersionOfPython() throws Exception {
    has("2.58.0", "3.1.4");
    assertRefused(
        2,
        "Python 3.1.4 runs on the cluster, and ",
        " has Python 3.",
        ". Set python in the section ray of clouds.yaml to one with that version");
  }

  @Test
  void wrongToken() throws Exception {
    answers("raise RuntimeError(\"Unauthenticated: InvalidAuthToken\")");
    assertRefused(
        15,
        "the Ray cluster at "
            + address()
            + " refuses the token, or needs one. Name the variable"
            + " with the cluster's token in token_env, in the section ray of clouds.yaml");
  }

  @Test
  void wrongAddress() throws Exception {
    head.close();
    assertRefused(
        14,
        "no Ray cluster answers at " + address() + ": ",
        ". Start its head, or correct the address in --infra or in the section ray of clouds.yaml");
  }

  /** Another program has the port of the address. */
  @Test
  void addressOfAnotherProgram() throws Exception {
    answers("raise TimeoutError(\"deadline exceeded\")");
    assertRefused(14, "no Ray cluster answers at " + address() + ": deadline exceeded. Start");
  }
}
