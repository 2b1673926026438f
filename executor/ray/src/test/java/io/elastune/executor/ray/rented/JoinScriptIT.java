package io.elastune.executor.ray.rented;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.Spread;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import io.elastune.executor.engine.NodeRuntime;
import io.elastune.executor.ray.acceptance.AcceptanceSettings;
import io.elastune.executor.ray.acceptance.NodeCheck;
import io.elastune.executor.ray.head.RayPython;
import io.elastune.executor.ray.runtime.RuntimeBucket;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.NodeSetup;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.gcp.fake.FakeStorage;
import io.elastune.provisioner.gcp.testing.TestCredentials;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the join script with fake commands. */
@EnabledOnOs(OS.LINUX)
class JoinScriptIT {
  private static final String CREDENTIALS = "GOOGLE_APPLICATION_CREDENTIALS";
  private static final String ENDPOINT = "CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE";
  private static final String LEASE = "job-20261123-ab12-3";
  private static final String TOKEN = "0123456789abcdef".repeat(4);
  private static final String VERSION = "python3.11.3-ray2.58.0-0123456789ab";
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
    command(
        "curl",
        "echo \"$*\" >>%s; PATH=${PATH#*:} exec curl \"$@\"".formatted(folder.resolve("curl")));
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
        .containsPattern("After=.* nvidia-fabricmanager.service") // of nodes with NVSwitch
        .contains("\nAfter=mnt-elastune\\x2dlocal.mount dlami-nvme.service\n")
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
    deleteTemporary();
  }

  @Test
  void joinsWithoutKnownAddress() throws Exception {
    assertThat(run(python.toString(), "")).isZero();
    assertThat(start()).isZero();
    assertThat(folder.resolve("called")).content().doesNotContain("--node-ip-address");
    deleteTemporary();
  }

  @Test
  void otherVersionsAreExplained() throws Exception {
    Path other = python("Python 3.10 and Ray 2.58.0");
    assertThat(run(other.toString(), "10.0.0.7")).isOne();
    assertThat(folder.resolve("output"))
        .content()
        .contains("has Python 3.10 and Ray 2.58.0, but the controller has " + VERSIONS);
  }

  /** A python3 of the image is not used, whatever it is. */
  @ParameterizedTest
  @ValueSource(strings = {"echo Python 3.10.12; exit 1", "echo 'No module named venv'; exit 1", ""})
  void fetchesRuntimeWhateverPythonTheImageHas(String own) throws Exception {
    command("python3", own.isEmpty() ? "exit 127" : own);
    try (RuntimeDelivery delivery = deliver(runtime())) {
      assertThat(run(Optional.of(delivery), "", "10.0.0.7")).as("%s", output()).isZero();
      assertThat(start()).isZero();
      assertThat(folder.resolve("called")).content().contains("start --block");
      assertThat(folder.resolve("node-" + LEASE + "/node.sh"))
          .content()
          .contains("exec '" + folder.resolve("runtime-" + VERSION) + "/bin/python3'");
      deleteTemporary();
      assertThat(folder.resolve("curl")).content().doesNotContain(delivery.url());
      assertThat(output()).doesNotContain(delivery.url());

      Files.delete(folder.resolve("curl"));
      assertThat(run(Optional.of(delivery), "", "10.0.0.7")).isZero();
      assertThat(folder.resolve("curl")).doesNotExist();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @ResourceLock("system properties of Google Cloud Storage")
  void fetchesRuntimeFromBucketOrElseFromController(boolean isDamaged) throws Exception {
    NodeRuntime runtime = runtime();
    try (FakeStorage storage = FakeStorage.start()) {
      System.setProperty(CREDENTIALS, TestCredentials.write(folder).toString());
      System.setProperty(ENDPOINT, storage.url());
      RuntimeBucket bucket =
          new RuntimeBucket("gs://" + storage.bucket(), runtime, InstantSource.system());
      bucket.store();
      if (isDamaged) {
        storage.objects().values().forEach(archive -> archive[archive.length / 2]++);
      }
      storage.permissions().grant(Set.of("storage.objects.list", "storage.objects.get"));
      try (RuntimeDelivery delivery = deliver(runtime, Optional.of(bucket))) {
        assertThat(run(Optional.of(delivery), "", "10.0.0.7")).as("%s", output()).isZero();
      }
      assertThat(storage.permissions().used()).contains("storage.objects.get");
    } finally {
      System.clearProperty(CREDENTIALS);
      System.clearProperty(ENDPOINT);
    }
    assertThat(folder.resolve("runtime-" + VERSION + "/bin/python3")).exists();
    assertThat(Files.readAllLines(folder.resolve("curl"))).hasSize(isDamaged ? 2 : 1);
    assertThat(output()).doesNotContain("X-Goog");
    assertThat(folder.resolve("curl")).content().doesNotContain("http");
  }

  @Test
  void runtimeWithOtherChecksumIsNotUsed() throws Exception {
    NodeRuntime built = runtime();
    NodeRuntime expected =
        new NodeRuntime(
            built.version(),
            built.folder(),
            built.archive(),
            "0".repeat(64),
            built.bytes(),
            built.architecture(),
            built.contents(),
            built.glibc(),
            built.built());
    try (RuntimeDelivery delivery = deliver(expected)) {
      assertThat(run(Optional.of(delivery), "", "10.0.0.7")).isOne();
      assertThat(output()).contains("the node runtime has the SHA-256 " + built.sha256());
    }
    assertThat(folder.resolve("runtime-" + VERSION)).doesNotExist();
  }

  @Test
  void runtimeThatIsNotReceivedIsExplained() throws Exception {
    command("sleep", "exit 0");
    RuntimeDelivery ended = deliver(runtime());
    ended.close();
    assertThat(run(Optional.of(ended), "", "10.0.0.7")).isOne();
    assertThat(output())
        .contains("the node runtime was not received from the controller at 127.0.0.1", "TCP ports")
        .doesNotContain(ended.url());
  }

  @Test
  void otherProcessorIsRefused() throws Exception {
    command("uname", "echo aarch64");
    try (RuntimeDelivery delivery = deliver(runtime())) {
      assertThat(run(Optional.of(delivery), "", "10.0.0.7")).isOne();
    }
    assertThat(output())
        .contains("the node runtime is for x86_64, and this instance has aarch64")
        .hasLineCount(1);
  }

  private RuntimeDelivery deliver(NodeRuntime runtime) {
    return deliver(runtime, Optional.empty());
  }

  private RuntimeDelivery deliver(NodeRuntime runtime, Optional<RuntimeBucket> bucket) {
    return RuntimeDelivery.start(runtime, bucket, folder.resolve("runtime.json"), "127.0.0.1");
  }

  /** Returns a runtime whose interpreter is a script. */
  private NodeRuntime runtime() throws Exception {
    Path files = Files.createDirectories(folder.resolve("built/bin"));
    Files.copy(python, files.resolve("python3"));
    Path archive = folder.resolve("runtime.tar.gz");
    assertThat(
            execute(
                List.of(
                    "tar", "-czf", archive.toString(), "-C", files.resolve("..").toString(), "."),
                Map.of()))
        .isZero();
    String sum =
        HexFormat.of()
            .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(archive)));
    return new NodeRuntime(
        VERSION,
        files,
        archive,
        sum,
        Files.size(archive),
        "x86_64",
        VERSIONS,
        "2.17",
        Instant.EPOCH);
  }

  private String output() throws IOException {
    return Files.readString(folder.resolve("output"));
  }

  private void deleteTemporary() throws IOException {
    Path file = folder.resolve("node-" + LEASE + "/temporary");
    Files.delete(Path.of(Files.readString(file).strip()));
  }

  @Test
  void scriptFitsIntoUserData() throws Exception {
    NodeSetup setup = script(Optional.of(deliver(runtime())), "/opt/conda/envs/ray/bin/python");
    assertThat(setup.command().getBytes(StandardCharsets.UTF_8).length).isLessThan(LONGEST);
    assertThat(setup.command()).doesNotContainPattern("@[A-Z_]+@");
    assertThat(setup.environment()).isEmpty();
    assertThat(setup.workdir()).isEqualTo("/var/lib/elastune-ray");
    assertThat(setup.usedPath()).contains("/var/lib/elastune-ray/agents/" + LEASE);
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
          connected_regions: [us-east-1, us-west-2]
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
                Optional.of("/mnt/elastune"),
                List.of("us-east-1", "us-west-2"),
                Duration.ofMinutes(10),
                new AcceptanceSettings(
                    List.of(NodeCheck.SPEED, NodeCheck.MODEL),
                    Duration.ZERO,
                    Duration.ofMinutes(2),
                    20_000_000_000L)));
  }

  private NodeSetup script(Optional<RuntimeDelivery> delivery, String imagePython) {
    RentedSettings settings =
        new RentedSettings(
            Optional.empty(),
            0,
            Optional.empty(),
            Optional.of(imagePython).filter(path -> !path.isEmpty()),
            RentedSettings.DEFAULT.folder(),
            List.of(),
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
    return new JoinScript(
            delivery.isEmpty() ? "10.0.0.1:6379" : "127.0.0.1:6379",
            TOKEN,
            head,
            delivery,
            settings)
        .of(new LeaseRequest("r", LEASE, offer, Optional.of(job), tags, Duration.ofMinutes(20)));
  }

  /** Runs the script as the node script does. */
  private int run(String imagePython, String address) throws Exception {
    return run(Optional.empty(), imagePython, address);
  }

  private int run(Optional<RuntimeDelivery> delivery, String imagePython, String address)
      throws Exception {
    Path script =
        Files.writeString(folder.resolve("setup.sh"), script(delivery, imagePython).command());
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
