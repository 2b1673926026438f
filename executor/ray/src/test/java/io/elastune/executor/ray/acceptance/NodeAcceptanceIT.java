package io.elastune.executor.ray.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferBuilder;
import io.elastune.executor.engine.FakeDocker;
import io.elastune.executor.ray.link.BridgeSettings;
import io.elastune.executor.ray.link.Frame;
import io.elastune.executor.ray.link.RayConnection;
import io.elastune.executor.ray.link.RayLink;
import io.elastune.executor.ray.link.Request;
import io.elastune.provisioner.SampleLeaseRequests;
import io.elastune.provisioner.process.ProcessTable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks nodes that are folders of this machine, with substitutes for the programs of the driver.
 */
@EnabledOnOs(OS.LINUX)
class NodeAcceptanceIT {
  private static final String LEASE = "acceptance-1";
  private static final String A10G = "NVIDIA A10G";
  private static final RayLink.Listener IGNORED =
      new RayLink.Listener() {
        @Override
        public void connected() {}

        @Override
        public void event(Frame event) {}
      };

  @TempDir private Path folder;
  private StandInGpus node;
  private RayConnection connection;
  private CheckedNodes nodes = CheckedNodes.RENTED;
  private InstantSource time = InstantSource.system();
  private AcceptanceSettings settings = settings(Duration.ZERO, List.of());

  @BeforeEach
  void connect() throws Exception {
    node = StandInGpus.in(folder.resolve("driver")).listing(A10G, A10G).cuda("GPUS=2");
    FakeDocker docker = FakeDocker.in(folder.resolve("docker")).with("trainer");
    List<String> python = new ArrayList<>(node.python());
    python.replaceAll(
        word -> word.startsWith("PATH=") ? word.replace("=", "=" + docker.folder() + ":") : word);
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
    connection = RayConnection.open(bridge, InstantSource.system());
    connection.add(IGNORED);
    var unused =
        request(
            () ->
                connection
                    .link()
                    .request(Request.of("attach", LEASE).with("create", true).with("ttl_s", 60)));
  }

  @AfterEach
  void disconnect() {
    connection.leave(IGNORED);
  }

  @Test
  void workingNodeIsAccepted() {
    AcceptanceResult result = check();
    assertThat(result.problem()).isEmpty();
    assertThat(result.copyGbPerS().orElseThrow()).isPositive();
  }

  @Test
  void nodeWithoutDriverIsRefused() throws Exception {
    node.none();
    assertThat(problem()).contains("neither nvidia-smi nor libcuda.so.1 was found");
  }

  /** An image may install its driver at the first boot. */
  @Test
  void driverThatIsBeingInstalledIsAwaited() throws Exception {
    settings = settings(Duration.ofMinutes(5), List.of());
    node.none();
    CompletableFuture<AcceptanceResult> result = begin();
    Path started = folder.resolve("nodes/acceptance-1/acceptance/acceptance.py");
    while (!Files.exists(started)) {
      Thread.onSpinWait();
    }
    assertThat(result).isNotDone();
    node.listing(A10G, A10G).cuda("GPUS=2");
    assertThat(result.join().problem()).isEmpty();
  }

  @Test
  void fewerGpusAreRefused() throws Exception {
    node.listing(A10G);
    assertThat(problem()).contains("1 GPU found, but g5.12xlarge has 2");
  }

  /** A GPU that has fallen off the bus makes the first query fail, and a second one may not. */
  @Test
  void refusalIsConfirmedByAnotherCheck() throws Exception {
    Path first = folder.resolve("first");
    node.smi("[ -e '" + first + "' ] || { touch '" + first + "'; exit 15; }; echo A10G; echo A10G");
    assertThat(check().problem()).isEmpty();
    assertThat(first).exists();
  }

  @Test
  void otherModelIsRefused() throws Exception {
    node.listing("Tesla T4", "Tesla T4");
    assertThat(problem()).contains("the GPU is Tesla T4, but", "has A10G");
  }

  @Test
  void mismatchOfDriverAndLibraryIsRefused() throws Exception {
    node.smi(StandInGpus.MISMATCH);
    assertThat(problem()).contains("Driver/library version mismatch");
  }

  @Test
  void hangingDriverIsRefusedInTime() throws Exception {
    node.smi("exec sleep 86399");
    assertThat(problem()).contains("nvidia-smi has not answered within 2 s");
    assertThat(ProcessTable.read().stream().map(ProcessTable.Entry::pid))
        .noneMatch(
            pid ->
                ProcessHandle.of(pid)
                    .flatMap(p -> p.info().commandLine())
                    .orElse("")
                    .contains("sleep 86399"));
    node.listing(A10G, A10G).cuda("GPUS=2", "HANG");
    assertThat(problem()).contains("CUDA has not answered for GPU 1 within 2 s");
  }

  /** Without persistence, the driver initializes all GPUs at each call. */
  @Test
  void slowDriverIsAwaited() throws Exception {
    settings = new AcceptanceSettings(List.of(), Duration.ZERO, Duration.ofSeconds(30), 1);
    node.smi("sleep 1; echo A10G; echo A10G");
    assertThat(check().problem()).isEmpty();
  }

  @Test
  void slowGpuIsRefused() throws Exception {
    node.cuda("GPUS=2", "COPY_US=20000");
    assertThat(problem()).contains("copies its memory at", "less than a quarter of the 600 GB/s");
    settings = settings(Duration.ZERO, List.of(NodeCheck.SPEED));
    assertThat(check().problem()).isEmpty();
  }

  @Test
  void everyGpuNeedsContext() throws Exception {
    node.cuda("GPUS=2", "CONTEXT_ERROR=214");
    assertThat(problem())
        .contains("context on GPU 1: cuDevicePrimaryCtxRetain: CUDA_ERROR_ECC_UNCORRECTABLE");
    node.cuda("GPUS=2", "INIT_ERROR=802");
    assertThat(problem()).contains("cuInit: CUDA_ERROR_SYSTEM_NOT_READY", "fabricmanager");
    node.cuda("GPUS=2", "CRASH");
    assertThat(problem()).contains("the process that called CUDA has crashed");
  }

  /** Lines as NVIDIA's driver writes them, the second one of a MIG instance. */
  @Test
  void xidThatNeedsResetIsRefused() throws Exception {
    String program =
        "[ 97.1] NVRM: Xid (PCI:0000:00:1e): 31, pid=1953, name=python, Ch 00000008, MMU Fault";
    node.kernelLog("echo '" + program + "'");
    assertThat(check().problem()).as("an error of a program").isEmpty();
    node.kernelLog(
        "echo '"
            + program
            + "'; echo '[ 98.5] NVRM: GPU at PCI:0000:00:1f: GPU-4d2c'; echo '[ 98.6] NVRM: Xid"
            + " (PCI:0000:00:1f GPU-I:05): 95, pid=1953, Uncontained: LTC TAG (0x2,0x0)'");
    assertThat(problem())
        .startsWith("the kernel's log has Xid 95 of GPU PCI:0000:00:1f GPU-I:05: an uncontained");
    settings = settings(Duration.ZERO, List.of(NodeCheck.HEALTH));
    assertThat(check().problem()).isEmpty();
  }

  /** Without rights, dmesg fails; it might also hang. */
  @Test
  void protectedKernelLogRefusesNoNode() throws Exception {
    node.kernelLog("echo 'dmesg: read kernel buffer failed: Operation not permitted' >&2; exit 1");
    assertThat(check().problem()).isEmpty();
    Files.delete(node.folder().resolve("dmesg"));
    assertThat(check().problem()).isEmpty();
  }

  @Test
  void uncorrectedErrorsOfMemoryAreRefused() throws Exception {
    node.answering(eccOf("[N/A]"), A10G, A10G);
    assertThat(check().problem()).isEmpty();
    node.answering(eccOf("0"), A10G, A10G);
    assertThat(check().problem()).isEmpty();
    node.answering(eccOf("3"), A10G, A10G);
    assertThat(problem()).startsWith("GPU 00000000:00:1F.0 has 3 uncorrected ECC errors since");
    node.answering(
        "case $1 in --query-remapped-rows=*pending*failure) echo '00000000:00:1E.0, 1, 0';; *)"
            + " exit 2;; esac",
        A10G,
        A10G);
    assertThat(problem()).startsWith("GPU 00000000:00:1E.0 has memory rows that are remapped");
  }

  private static String eccOf(String second) {
    return "case $1 in *ecc.errors.uncorrected.volatile.total) echo '00000000:00:1E.0, 0'; echo"
        + " '00000000:00:1F.0, "
        + second
        + "';; *) exit 2;; esac";
  }

  /** The memory of a GPU on which trials run may be in use. */
  @Test
  void fullMemoryIsNoProblemAfterTrials() throws Exception {
    node.cuda("GPUS=2", "CONTEXT_ERROR=2");
    assertThat(problem()).contains("CUDA_ERROR_OUT_OF_MEMORY");
    assertThat(await(() -> acceptance().check(LEASE, offer("A10G"), true)).problem()).isEmpty();
  }

  @Test
  void clockAndDiskAreChecked() {
    time = () -> InstantSource.system().instant().minusSeconds(60);
    assertThat(problem()).contains("its clock is 60 s ahead of that of the controller");
    time = InstantSource.system();
    settings =
        new AcceptanceSettings(List.of(), Duration.ZERO, Duration.ofSeconds(2), Long.MAX_VALUE);
    assertThat(problem()).contains("of its disk are free");
  }

  @Test
  void offerWithoutGpusNeedsNoDriver() throws Exception {
    node.none();
    assertThat(await(() -> acceptance().check(LEASE, offer("cpu"), false)).problem()).isEmpty();
  }

  /** A node of a user's cluster may have more GPUs than the lease, and others work there. */
  @Test
  void onlyGpusOfLeaseAreChecked() throws Exception {
    nodes = CheckedNodes.USER_CLUSTER;
    node.listing("Tesla T4", A10G, A10G, A10G).cuda("GPUS=4", "CONTEXT_ERROR=214", "COPY_US=20000");
    AcceptanceResult result = check("1", "2");
    assertThat(result.problem()).as("GPU 3 is broken, and others use it").isEmpty();
    assertThat(result.copyGbPerS()).as("nothing is copied").isEmpty();
    assertThat(check("2", "3").problem().orElseThrow().message())
        .contains("context on GPU 1: cuDevicePrimaryCtxRetain: CUDA_ERROR_ECC_UNCORRECTABLE");
    assertThat(check("3", "4").problem().orElseThrow().message())
        .startsWith("1 GPU found, but g5.12xlarge has 2. Start Ray on the node with the number");
  }

  private AcceptanceResult check(String... devices) {
    return await(() -> acceptance().check(LEASE, offer("A10G"), false, List.of(devices)));
  }

  @Test
  void containerGetsGpusOfLease() throws Exception {
    nodes = CheckedNodes.USER_CLUSTER;
    var unused =
        await(
            () ->
                acceptance().checkImage(LEASE, offer("A10G"), false, "trainer", List.of("5", "7")));
    assertThat(Files.readString(folder.resolve("docker/calls"))).contains("device=5,7");
  }

  /** The container of the fake has the files of this machine, and none of the substitutes. */
  @Test
  void containerWithoutGpusIsRefused() throws Exception {
    AcceptanceResult result =
        await(() -> acceptance().checkImage(LEASE, offer("A10G"), false, "trainer"));
    assertThat(result.problem().orElseThrow().message())
        .startsWith("in a container of trial.image trainer: ");
    assertThat(Files.readString(folder.resolve("docker/calls")))
        .contains("device=0,1", "elastune-lease=acceptance-1", "elastune-attempt=acceptance");

    AcceptanceResult absent =
        await(() -> acceptance().checkImage(LEASE, offer("A10G"), false, "absent"));
    assertThat(absent.problem().orElseThrow().message())
        .startsWith(
            "no container of trial.image absent can use the GPUs: exit code 1: fake docker:")
        .contains("NVIDIA Container Toolkit");
  }

  /** An image with the driver's files, and Python or not. */
  @Test
  void containerWithGpusIsAccepted() throws Exception {
    StandInGpus image = StandInGpus.in(folder.resolve("image")).listing(A10G, A10G);
    image.cuda("GPUS=2");
    StandInGpus.program(
        folder.resolve("docker/docker"),
        "for script; do :; done; cd ../acceptance; export LD_LIBRARY_PATH='%1$s'; PATH='%1$s' exec /bin/sh -c \"$script\""
            .formatted(image.folder()));
    Supplier<CompletableFuture<AcceptanceResult>> check =
        () -> acceptance().checkImage(LEASE, offer("A10G"), false, "trainer");
    assertThat(await(check).problem()).as("nvidia-smi only").isEmpty();
    image.listing(A10G);
    assertThat(await(check).problem().orElseThrow().message()).contains("1 GPU found");
    Files.createSymbolicLink(image.folder().resolve("python3"), python());
    image.listing(A10G, A10G);
    assertThat(await(check).problem()).as("Python").isEmpty();
    image.cuda("GPUS=2", "CONTEXT_ERROR=214");
    assertThat(await(check).problem().orElseThrow().message())
        .contains("in a container of trial.image trainer: CUDA cannot create a context on GPU 1");
  }

  private static Path python() throws Exception {
    Process process =
        new ProcessBuilder("python3", "-c", "import sys; print(sys.executable)").start();
    return Path.of(
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip());
  }

  private static AcceptanceSettings settings(Duration wait, List<NodeCheck> skip) {
    return new AcceptanceSettings(skip, wait, Duration.ofSeconds(2), 1);
  }

  private static Offer offer(String gpu) {
    Offer one =
        SampleLeaseRequests.of(LEASE, "aws/us-east-1", "g5.12xlarge", gpu, Market.ON_DEMAND)
            .offer();
    return OfferBuilder.builder(one).gpus(2).build();
  }

  private NodeAcceptance acceptance() {
    return new NodeAcceptance(connection, time, settings, nodes, Map.of(), Duration.ofMillis(50));
  }

  private CompletableFuture<AcceptanceResult> begin() {
    return request(() -> acceptance().check(LEASE, offer("A10G"), false));
  }

  private AcceptanceResult check() {
    return begin().join();
  }

  private String problem() {
    return check().problem().orElseThrow().message();
  }

  private <T> T await(Supplier<CompletableFuture<T>> task) {
    return request(task).join();
  }

  private <T> CompletableFuture<T> request(Supplier<CompletableFuture<T>> task) {
    return connection.link().onLoop(task);
  }
}
