package io.elastune.executor.ray.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.offer.Market;
import io.elastune.executor.engine.FakeDocker;
import io.elastune.executor.ray.acceptance.AcceptanceSettings;
import io.elastune.executor.ray.acceptance.StandInGpus;
import io.elastune.executor.ray.link.BridgeSettings;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.CloudEvent.Lost;
import io.elastune.provisioner.CloudEvent.PreparationFailed;
import io.elastune.provisioner.CloudEvent.Ready;
import io.elastune.provisioner.CloudEvent.Running;
import io.elastune.provisioner.CloudEvent.Terminated;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.LossReason;
import io.elastune.provisioner.NodeSetup;
import io.elastune.provisioner.PreparationStep;
import io.elastune.provisioner.RecordedEvents;
import io.elastune.provisioner.RunContext;
import io.elastune.provisioner.SampleLeaseRequests;
import io.elastune.provisioner.SecretMask;
import io.elastune.provisioner.TestWait;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Leases of an A10G on a cluster of the user, with agents without Ray: which of them are ready. */
@EnabledOnOs(OS.LINUX)
class CheckedLeasesIT {
  private static final String LEASE = "checked-1";
  private static final String A10G = "NVIDIA A10G";
  private static final String IMAGE = "trainer";

  @TempDir private Path folder;
  private final RecordedEvents events = new RecordedEvents();
  private StandInGpus gpus;
  private Cloud cloud;

  @BeforeEach
  void open() throws Exception {
    gpus = StandInGpus.in(folder.resolve("driver")).listing(A10G).cuda("COPY_US=20000");
    FakeDocker docker = FakeDocker.in(folder.resolve("docker")).with(IMAGE);
    List<String> python = new ArrayList<>(gpus.python());
    python.replaceAll(
        word ->
            word.startsWith("PATH=") ? "PATH=" + docker.folder() + ":" + word.substring(5) : word);
    BridgeSettings bridge =
        new BridgeSettings(
            python,
            BridgeSettings.LOOPBACK,
            Files.createDirectories(folder.resolve("nodes")).toString(),
            "run",
            1,
            folder.resolve("ray.log"),
            Map.of(),
            Duration.ofSeconds(15));
    CloudContext context =
        new CloudContext(folder, folder.resolve("clouds.yaml"), InstantSource.system());
    RunContext run =
        new RunContext(
            context, "run", folder.resolve("run"), 1, Duration.ofSeconds(60), List.of(), Map.of());
    Duration limit = Duration.ofSeconds(60);
    AcceptanceSettings checks =
        new AcceptanceSettings(List.of(), Duration.ZERO, Duration.ofSeconds(30), 1);
    cloud = new RayCloud(run, bridge, events, new RayCloudSettings(limit, false, limit, checks));
  }

  @AfterEach
  void close() {
    cloud.release(LEASE);
    until(() -> !events.has(Running.class, LEASE) || events.has(Terminated.class, LEASE));
    cloud.close();
  }

  /** Its GPU is too slow for a rented instance, but others may use it at this moment. */
  @Test
  void gpusOfReadyLeaseAreNotTimed() {
    cloud.request(request("A10G", Optional.empty()));
    until(() -> events.has(Ready.class, LEASE));
    assertThat(events.first(Ready.class, LEASE).preparation().copyGbPerS()).isEmpty();
  }

  /** A program would train on the CPU of this node, and profile would measure that. */
  @Test
  void nodeWithoutDriverIsNeverReady() throws Exception {
    gpus.none();
    cloud.request(request("A10G", Optional.of("touch made")));
    PreparationFailed failed = failure();
    assertThat(failed.step()).isEqualTo(PreparationStep.ACCEPTANCE);
    assertThat(failed.message())
        .isEqualTo(
            "no NVIDIA driver: neither nvidia-smi nor libcuda.so.1 was found. Install the driver"
                + " on the node, or add gpus and cuda to acceptance.skip of the cluster in"
                + " clouds.yaml if its GPUs are not from NVIDIA");
    assertThat(folder.resolve("made")).doesNotExist();
    assertThat(events.types(LEASE)).containsExactly(Running.class, PreparationFailed.class);
  }

  @Test
  void cpusNeedNoDriver() throws Exception {
    gpus.none();
    cloud.request(request("cpu", Optional.empty()));
    until(() -> events.has(Ready.class, LEASE));
  }

  @Test
  void otherModelIsRefused() throws Exception {
    gpus.cuda("MODEL=\"NVIDIA T4\"");
    cloud.request(request("A10G", Optional.empty()));
    assertThat(failure().message()).startsWith("the GPU is NVIDIA T4, but");
  }

  /** The GPU of a node may fail while trials run on it. */
  @Test
  void nodeThatHasLostItsGpuIsLost() throws Exception {
    LeaseRequest request = request("A10G", Optional.empty());
    cloud.request(request);
    until(() -> events.has(Ready.class, LEASE));
    cloud.adopt(request);
    until(() -> events.count(Ready.class, LEASE) == 2);

    gpus.smi("echo 'Unable to determine the device handle for GPU0000:00:1E.0'; exit 15");
    cloud.adopt(request);
    until(() -> events.has(Lost.class, LEASE));
    Lost lost = events.first(Lost.class, LEASE);
    assertThat(lost.loss()).isEqualTo(LossReason.FAILED);
    assertThat(lost.message())
        .startsWith("node acceptance: nvidia-smi failed with exit code 15: Unable to determine");
    assertThat(events.count(Ready.class, LEASE)).isEqualTo(2);
  }

  /** The image is there after the setup; its containers see no GPU. */
  @Test
  void gpusAreCheckedInImageAfterSetup() {
    cloud.request(request("A10G", Optional.of("touch made")));
    PreparationFailed failed = failure();
    assertThat(failed.step()).isEqualTo(PreparationStep.ACCEPTANCE);
    assertThat(failed.message()).startsWith("in a container of trial.image trainer: ");
    assertThat(folder.resolve("made")).exists();
  }

  private PreparationFailed failure() {
    until(() -> events.has(PreparationFailed.class, LEASE));
    return events.first(PreparationFailed.class, LEASE);
  }

  private LeaseRequest request(String gpu, Optional<String> setup) {
    LeaseRequest plain =
        SampleLeaseRequests.of(LEASE, "ray/lab", "1x" + gpu, gpu, Market.ON_DEMAND);
    return setup
        .map(
            command ->
                plain.withSetup(
                    new NodeSetup(
                        command,
                        folder.toString(),
                        Map.of(),
                        folder.resolve("setup.log").toString(),
                        SecretMask.NONE,
                        Optional.of(IMAGE))))
        .orElse(plain);
  }

  private void until(BooleanSupplier condition) {
    TestWait.until(condition, events);
  }
}
