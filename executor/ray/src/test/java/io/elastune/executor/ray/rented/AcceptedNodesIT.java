package io.elastune.executor.ray.rented;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.Spread;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferBuilder;
import io.elastune.executor.engine.FakeDocker;
import io.elastune.executor.ray.acceptance.StandInGpus;
import io.elastune.executor.ray.link.BridgeSettings;
import io.elastune.executor.ray.link.RayConnection;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudEvent.Lost;
import io.elastune.provisioner.CloudEvent.PreparationFailed;
import io.elastune.provisioner.CloudEvent.Ready;
import io.elastune.provisioner.CloudEvent.Running;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.LeaseRequestBuilder;
import io.elastune.provisioner.LossReason;
import io.elastune.provisioner.NodeSetup;
import io.elastune.provisioner.PreparationStep;
import io.elastune.provisioner.RecordedEvents;
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
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Instances with an A10G, on a fake cloud and agents without Ray: which of them are ready. */
@EnabledOnOs(OS.LINUX)
class AcceptedNodesIT {
  private static final String LEASE = "accepted-1";
  private static final String A10G = "NVIDIA A10G";
  private static final String IMAGE = "trainer";

  @TempDir private Path folder;
  private final RecordedEvents events = new RecordedEvents();
  private final FakeInstances instances = new FakeInstances();
  private final Map<String, Double> usual = new ConcurrentHashMap<>();
  private StandInGpus gpus;
  private Cloud cloud;

  @BeforeEach
  void open() throws Exception {
    gpus = StandInGpus.in(folder.resolve("driver")).listing(A10G).cuda();
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
    BootstrapContext context =
        BootstrapContext.of(
            RayConnection.open(bridge, InstantSource.system()),
            "10.0.0.1:6379",
            Duration.ofMinutes(5),
            BootstrappedCloudIT.settings(Duration.ofMinutes(5)),
            usual,
            InstantSource.system(),
            events);
    cloud =
        new BootstrappedCloud(
            context,
            request -> new NodeSetup("join", "/var/lib/elastune-ray", Map.of(), ""),
            instances::open,
            none -> {});
  }

  @AfterEach
  void close() {
    cloud.release(LEASE);
    cloud.close();
  }

  @Test
  void speedOfReadyNodeIsRecorded() {
    cloud.request(request(Optional.empty()));
    until(() -> events.has(Ready.class, LEASE));
    assertThat(events.first(Ready.class, LEASE).preparation().copyGbPerS().orElseThrow())
        .isPositive();
  }

  /** A GPU that is throttled may be faster than a quarter of its data sheet. */
  @Test
  void nodeThatIsSlowerThanEarlierOnesIsNeverReady() {
    LeaseRequest request = request(Optional.empty());
    usual.put(request.offer().name(), 1e7);
    cloud.request(request);
    PreparationFailed failed = failure();
    assertThat(failed.step()).isEqualTo(PreparationStep.ACCEPTANCE);
    assertThat(failed.message())
        .contains("less than half of the 10000000 GB/s of earlier instances of aws/us-east-1/");
  }

  /** A program would train on the CPU of this node. */
  @Test
  void nodeWithoutDriverIsNeverReady() throws Exception {
    gpus.none();
    cloud.request(request(Optional.of("touch made")));
    PreparationFailed failed = failure();
    assertThat(failed.step()).isEqualTo(PreparationStep.ACCEPTANCE);
    assertThat(failed.message()).contains("no NVIDIA driver", "machine image");
    assertThat(folder.resolve("made")).doesNotExist();
    assertThat(events.types(LEASE)).containsExactly(Running.class, PreparationFailed.class);
  }

  /** The GPU of a node may fail while trials run on it. */
  @Test
  void nodeThatHasLostItsGpuIsLost() throws Exception {
    LeaseRequest request = request(Optional.empty());
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

  /** CUDA may still answer for a GPU whose memory is damaged. */
  @Test
  void nodeWhoseGpuNeedsResetIsLost() throws Exception {
    LeaseRequest request = request(Optional.empty());
    cloud.request(request);
    until(() -> events.has(Ready.class, LEASE));
    gpus.kernelLog("echo '[ 98.6] NVRM: Xid (PCI:0000:00:1e): 48, pid=1953, DBE error'");
    cloud.adopt(request);
    until(() -> events.has(Lost.class, LEASE));
    Lost lost = events.first(Lost.class, LEASE);
    assertThat(lost.loss()).isEqualTo(LossReason.FAILED);
    assertThat(lost.message())
        .startsWith("node acceptance: the kernel's log has Xid 48 of GPU PCI:0000:00:1e: ");
    assertThat(events.count(Ready.class, LEASE)).isEqualTo(1);
  }

  /** The image is there after the setup; its containers see no GPU. */
  @Test
  void gpusAreCheckedInImageAfterSetup() {
    cloud.request(request(Optional.of("touch made")));
    PreparationFailed failed = failure();
    assertThat(failed.step()).isEqualTo(PreparationStep.ACCEPTANCE);
    assertThat(failed.message()).startsWith("in a container of trial.image trainer: ");
    assertThat(folder.resolve("made")).exists();
  }

  private PreparationFailed failure() {
    until(() -> events.has(PreparationFailed.class, LEASE));
    return events.first(PreparationFailed.class, LEASE);
  }

  private LeaseRequest request(Optional<String> setup) {
    LeaseRequest plain = bootsAtOnce();
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

  /** The instances of the fake wait in real time for the queue and the boot of their offers. */
  private static LeaseRequest bootsAtOnce() {
    LeaseRequest some =
        SampleLeaseRequests.of(LEASE, "aws/us-east-1", "g5.xlarge", "A10G", Market.ON_DEMAND);
    Offer offer = OfferBuilder.builder(some.offer()).queueS(Spread.NONE).bootS(Spread.NONE).build();
    return LeaseRequestBuilder.builder(some).offer(offer).build();
  }

  private void until(BooleanSupplier condition) {
    TestWait.until(condition, events);
  }
}
