package io.elastune.executor.ray.rented;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.Spread;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import io.elastune.executor.ray.acceptance.AcceptanceSettings;
import io.elastune.executor.ray.acceptance.NodeCheck;
import io.elastune.executor.ray.head.RayPython;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.NodeSetup;
import io.elastune.provisioner.Tags;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Runs the join script with fake commands. */
@EnabledOnOs(OS.LINUX)
class JoinScriptIT {
  private static final String LEASE = "job-20261123-ab12-3";
  private static final String TOKEN = "0123456789abcdef".repeat(4);
  private static final String VERSIONS = "Python 3.11 and Ray 2.58.0";

  /** The most that the providers of clouds accept, so that user data stays within their limits. */
  private static final int LONGEST = 6000;

  @TempDir private Path folder;
  private Path python;

  @BeforeEach
  void createCommands() throws IOException {
    Files.createDirectories(folder.resolve("etc/systemd/system"));
    Files.createDirectory(folder.resolve("bin"));
    command("systemctl", "echo \"$*\" >>" + folder.resolve("systemctl"));
    command("sudo", "shift; exec \"$@\"");
    python = python(VERSIONS);
  }

  @Test
  void startsServiceThatJoins() throws Exception {
    assertThat(run(python.toString(), "10.0.0.7")).isZero();
    assertThat(folder.resolve("systemctl"))
        .hasContent(
            """
            daemon-reload
            enable elastune-ray.service
            start --no-block elastune-ray.service
            """);
    assertThat(folder.resolve("etc/systemd/system/elastune-ray.service"))
        .content()
        .contains("Restart=always", "RestartSec=1", "KillMode=process")
        .contains("-l " + folder.resolve("node-" + LEASE + "/node.sh"))
        .doesNotContain(TOKEN);
    Path token = folder.resolve("node-" + LEASE + "/token");
    assertThat(token).hasContent(TOKEN);
    assertThat(Files.getPosixFilePermissions(token))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void nodeJoinsWithLabelAddressAndGpus() throws Exception {
    assertThat(run(python.toString(), "10.0.0.7")).isZero();
    assertThat(start()).isZero();
    String call = Files.readString(folder.resolve("called"));
    assertThat(call)
        .contains("start --block --address=10.0.0.1:6379 --node-ip-address=10.0.0.7")
        .contains("--labels=elastune-lease=" + LEASE + " --num-gpus=4 --temp-dir=/tmp/er-")
        .contains("RAY_AUTH_MODE=token", "RAY_AUTH_TOKEN_PATH=", "RAY_memory_monitor_refresh_ms=0")
        .doesNotContain(TOKEN);

    String temporary = Files.readString(folder.resolve("node-" + LEASE + "/temporary")).strip();
    assertThat(Path.of(temporary)).isDirectory();
    assertThat(start()).isZero();
    assertThat(Path.of(temporary)).doesNotExist();
    Path last = folder.resolve("node-" + LEASE + "/temporary");
    Files.delete(Path.of(Files.readString(last).strip()));
  }

  /** Ray's main process was killed, and its raylet continues. */
  @Test
  void restartedNodeEndsItsPredecessor() throws Exception {
    assertThat(run(python.toString(), "10.0.0.7")).isZero();
    assertThat(start()).isZero();
    Path temporary =
        Path.of(Files.readString(folder.resolve("node-" + LEASE + "/temporary")).strip());
    Path raylet = Files.writeString(temporary.resolve("raylet.sh"), "while :; do sleep 1; done");
    Process left = new ProcessBuilder("sh", raylet.toString()).start();
    assertThat(start()).isZero();
    assertThat(left.waitFor()).isEqualTo(137);
    Files.delete(Path.of(Files.readString(folder.resolve("node-" + LEASE + "/temporary")).strip()));
  }

  @Test
  void joinsWithoutKnownAddress() throws Exception {
    assertThat(run(python.toString(), "")).isZero();
    assertThat(start()).isZero();
    assertThat(folder.resolve("called")).content().doesNotContain("--node-ip-address");
    Files.delete(Path.of(Files.readString(folder.resolve("node-" + LEASE + "/temporary")).strip()));
  }

  @Test
  void otherVersionsAreExplained() throws Exception {
    Path other = python("Python 3.10 and Ray 2.58.0");
    assertThat(run(other.toString(), "10.0.0.7")).isOne();
    assertThat(folder.resolve("output"))
        .content()
        .contains("has Python 3.10 and Ray 2.58.0, but the controller has " + VERSIONS);
  }

  @Test
  void imageWithoutThatPythonIsExplained() throws Exception {
    command("python3.11", "case $1 in -V) echo Python 3.10.2 ;; *) exit 1 ;; esac");
    assertThat(run("", "10.0.0.7")).isOne();
    assertThat(folder.resolve("output"))
        .content()
        .contains(
            "the image has Python 3.10.2, but the controller has Python 3.11",
            "rented_nodes.python");
  }

  @Test
  void installsRayIfImageHasNone() throws Exception {
    Path made = folder.resolve("node-" + LEASE + "/venv/bin");
    command(
        "python3.11",
        "case \"$*\" in *venv*) mkdir -p %1$s; cp %2$s %1$s/python ;; esac"
            .formatted(made, python));
    assertThat(run("", "10.0.0.7")).isZero();
    assertThat(folder.resolve("called"))
        .content()
        .contains("-m pip install -q --disable-pip-version-check ray==2.58.0");
    assertThat(start()).isZero();
    Files.delete(Path.of(Files.readString(folder.resolve("node-" + LEASE + "/temporary")).strip()));
  }

  @Test
  void scriptFitsIntoUserData() {
    NodeSetup setup = script("/opt/conda/envs/ray/bin/python");
    assertThat(setup.command().getBytes(StandardCharsets.UTF_8).length).isLessThan(LONGEST);
    assertThat(setup.command()).doesNotContainPattern("@[A-Z_]+@");
    assertThat(setup.environment()).isEmpty();
    assertThat(setup.workdir()).isEqualTo("/var/lib/elastune-ray");
  }

  @Test
  void settingsAreRead() throws IOException {
    Path file = folder.resolve("clouds.yaml");
    assertThat(RentedSection.read(file)).isEqualTo(RentedSettings.DEFAULT);
    Files.writeString(file, "aws: {us-east-1: {image: ami-1}}\n");
    assertThat(RentedSection.read(file)).isEqualTo(RentedSettings.DEFAULT);
    Files.writeString(
        file,
        """
        rented_nodes:
          head_address: 10.0.0.5
          head_port: 6379
          head_python: /opt/ray/bin/python
          python: /opt/image/bin/python
          folder: /mnt/elastune
          join_timeout: 10m
          acceptance: {skip: [speed, model], driver_wait: 0s, time_limit: 2m, min_free_disk: 20G}
        """);
    assertThat(RentedSection.read(file))
        .isEqualTo(
            new RentedSettings(
                Optional.of("10.0.0.5"),
                6379,
                Optional.of("/opt/ray/bin/python"),
                Optional.of("/opt/image/bin/python"),
                "/mnt/elastune",
                Duration.ofMinutes(10),
                new AcceptanceSettings(
                    List.of(NodeCheck.SPEED, NodeCheck.MODEL),
                    Duration.ZERO,
                    Duration.ofMinutes(2),
                    20_000_000_000L)));
  }

  private NodeSetup script(String imagePython) {
    RentedSettings settings =
        new RentedSettings(
            Optional.empty(),
            0,
            Optional.empty(),
            Optional.of(imagePython).filter(path -> !path.isEmpty()),
            RentedSettings.DEFAULT.folder(),
            Duration.ofMinutes(5),
            AcceptanceSettings.DEFAULT);
    RayPython head = new RayPython("python3", "3.11", "2.58.0");
    Offer offer =
        new Offer(
            "aws/us-east-1",
            "g5.12xlarge",
            "A10G",
            4,
            Market.ON_DEMAND,
            5,
            PriceKind.LIST,
            BillingTerms.BY_THE_SECOND,
            Spread.NONE,
            Spread.NONE,
            0,
            0,
            1);
    Map<String, String> tags =
        Map.of(Tags.RUN, "r", Tags.OWNER, "o", Tags.LEASE, LEASE, Tags.EXPIRES, "1");
    NodeSetup job = new NodeSetup("pip install", "/work", Map.of("KEY", "job-secret"), "log");
    return new JoinScript("10.0.0.1:6379", TOKEN, head, settings)
        .of(new LeaseRequest("r", LEASE, offer, Optional.of(job), tags, Duration.ofMinutes(20)));
  }

  /** Runs the script as the node script does. */
  private int run(String imagePython, String address) throws Exception {
    Path script = Files.writeString(folder.resolve("setup.sh"), script(imagePython).command());
    return execute(
        List.of("sh", "-c", "set -e; cd " + folder + "; . " + script),
        Map.of("ELASTUNE_ADDRESS", address, "ELASTUNE_ROOT", folder.toString()));
  }

  private int start() throws Exception {
    return execute(
        List.of("sh", folder.resolve("node-" + LEASE + "/node.sh").toString()), Map.of());
  }

  private int execute(List<String> command, Map<String, String> variables) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.redirectOutput(folder.resolve("output").toFile());
    builder.environment().putAll(variables);
    builder.environment().merge("PATH", "", (path, none) -> folder.resolve("bin") + ":" + path);
    return builder.start().waitFor();
  }

  private void command(String name, String text) throws IOException {
    program(folder.resolve("bin").resolve(name), text);
  }

  private Path python(String versions) throws IOException {
    return program(
        Files.createTempFile(folder, "python", ""),
        "[ \"$1\" = -c ] && echo '%s' && exit; echo \"$*\" >>%2$s; env >>%2$s"
            .formatted(versions, folder.resolve("called")));
  }

  private static Path program(Path file, String text) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + text + "\n");
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }
}
