package io.elastune.executor.ray.rented;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.ray.acceptance.AcceptanceSettings;
import io.elastune.executor.ray.link.BridgeSettings;
import io.elastune.executor.ray.link.Frame;
import io.elastune.executor.ray.link.RayConnection;
import io.elastune.executor.ray.link.RayLink;
import io.elastune.executor.ray.link.Request;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudContract;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.CloudEvent.Leaving;
import io.elastune.provisioner.CloudEvent.Lost;
import io.elastune.provisioner.CloudEvent.PreparationFailed;
import io.elastune.provisioner.CloudEvent.Ready;
import io.elastune.provisioner.CloudEvent.Refused;
import io.elastune.provisioner.CloudEvent.Running;
import io.elastune.provisioner.CloudEvent.Terminated;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.LossReason;
import io.elastune.provisioner.NodeSetup;
import io.elastune.provisioner.RecordedEvents;
import io.elastune.provisioner.SecretMask;
import io.elastune.provisioner.TestWait;
import io.elastune.provisioner.process.EventLoop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The contract of clouds, and bootstrapping, on a fake cloud and agents without Ray. */
@EnabledOnOs(OS.LINUX)
@ResourceLock("the run of CloudContract")
class BootstrappedCloudIT extends CloudContract {
  private static final String SECRET = "secret-value-of-the-job";

  @TempDir private Path folder;
  private final FakeInstances instances = new FakeInstances();
  private Duration timeToLive = Duration.ofMinutes(5);
  private Duration joinTimeout = Duration.ofMinutes(5);
  private boolean hasCluster = true;
  private int epoch;
  private Optional<Boolean> noneLeft = Optional.empty();
  private RayConnection connection;

  @Override
  protected Cloud open(Consumer<CloudEvent> consumer) throws IOException {
    return open(consumer, EventLoop.Faults.NONE);
  }

  @Override
  protected Optional<Cloud> openWithFaults(Runnable beforeTask, Consumer<CloudEvent> consumer)
      throws IOException {
    return Optional.of(open(consumer, beforeTask::run));
  }

  private Cloud open(Consumer<CloudEvent> consumer, EventLoop.Faults faults) throws IOException {
    Files.createDirectories(folder.resolve("nodes"));
    BridgeSettings bridge =
        new BridgeSettings(
            List.of("python3"),
            BridgeSettings.LOOPBACK,
            folder.resolve("nodes").toString(),
            RUN,
            ++epoch,
            folder.resolve("ray.log"),
            Map.of(),
            Duration.ofSeconds(2));
    connection = RayConnection.open(bridge, InstantSource.system(), faults);
    if (!hasCluster) {
      silenceAgents();
    }
    BootstrapContext context =
        BootstrapContext.of(
            connection,
            "10.0.0.1:6379",
            timeToLive,
            settings(joinTimeout),
            Map.of(),
            InstantSource.system(),
            consumer);
    return new BootstrappedCloud(
        context,
        request -> new NodeSetup("join " + request.lease(), "/var/lib/elastune-ray", Map.of(), ""),
        instances::open,
        none -> noneLeft = Optional.of(none));
  }

  /** Returns settings for nodes of this machine, whose disk may be full. */
  static RentedSettings settings(Duration joinTimeout) {
    RentedSettings all = RentedSettings.DEFAULT;
    return new RentedSettings(
        all.headAddress(),
        all.headPort(),
        all.headPython(),
        all.python(),
        all.folder(),
        all.connectedRegions(),
        joinTimeout,
        new AcceptanceSettings(List.of(), Duration.ZERO, Duration.ofSeconds(20), 1));
  }

  /** Lets all agents fail to describe themselves from now on. */
  private void silenceAgents() {
    Request fault = Request.of("fault");
    fault.object("fail").put("describe", Integer.MAX_VALUE);
    RayConnection open = connection;
    open.loop()
        .execute(
            () -> {
              var unused = open.link().request(fault);
            });
  }

  @Override
  protected void advance(Duration time) {
    TestWait.pause(time);
  }

  @Override
  protected String infra() {
    return "aws/us-east-1";
  }

  @Override
  protected NodeSetup setup(String output, int exit) {
    return setup("echo '" + output + "'; exit " + exit);
  }

  private NodeSetup setup(String command) {
    return new NodeSetup(
        command,
        folder.toString(),
        Map.of("JOB_SECRET", SECRET),
        folder.resolve("setup.log").toString(),
        SecretMask.of(List.of(SECRET)));
  }

  /** User data is readable on the instance, and stored by the cloud. */
  @Test
  void setupRunsOnNodeWithSecretsThatUserDataLacks() throws IOException {
    NodeSetup setup = setup("echo using $JOB_SECRET; printf %s \"$JOB_SECRET\" >made");
    cloud.request(request(LEASE, 0, 0, Optional.of(setup)));
    until(() -> events.has(Ready.class, LEASE));

    NodeSetup rented = instances.request(LEASE).setup().orElseThrow();
    assertThat(rented.command()).isEqualTo("join " + LEASE);
    assertThat(rented.environment()).isEmpty();
    assertThat(folder.resolve("made")).hasContent(SECRET);
    assertThat(folder.resolve("setup.log")).content().isEqualTo("using ***\n");
  }

  @Test
  void readyNodeHasAddressInCluster() {
    cloud.request(request(LEASE, 0, 0, Optional.empty()));
    until(() -> events.has(Ready.class, LEASE));
    assertThat(events.first(Ready.class, LEASE).node().address()).isEqualTo("127.0.0.1");
    assertThat(folder.resolve("nodes").resolve(LEASE)).isDirectory();
  }

  @Test
  void releaseEndsAgent() {
    cloud.request(request(LEASE, 0, 0, Optional.empty()));
    until(() -> events.has(Ready.class, LEASE));
    cloud.release(LEASE);
    until(() -> events.has(Terminated.class, LEASE) && !Files.exists(agent(LEASE)));
    cloud.close();
    assertThat(noneLeft).contains(true);
  }

  @Test
  void releaseDuringSetupIsNeverReady() {
    cloud.request(request(LEASE, 0, 0, Optional.of(setup("touch begun; sleep 600"))));
    until(() -> Files.exists(folder.resolve("begun")));
    cloud.release(LEASE);
    until(() -> events.has(Terminated.class, LEASE));
    assertThat(events.types(LEASE)).containsExactly(Running.class, Terminated.class);
  }

  @Test
  void preemptionDuringSetupIsNeverReady() {
    cloud.request(request(LEASE, 0, 0, Optional.of(setup("touch begun; sleep 600"))));
    until(() -> Files.exists(folder.resolve("begun")));
    instances.announce(LEASE);
    instances.preempt(LEASE);
    until(() -> events.has(Terminated.class, LEASE));
    assertThat(events.types(LEASE))
        .containsExactly(Running.class, Leaving.class, Lost.class, Terminated.class);
  }

  /** A controller ends while the setup runs; the next one waits for its end. */
  @Test
  void laterControllerWaitsForSetup() throws Exception {
    LeaseRequest request =
        request(
            LEASE,
            0,
            0,
            Optional.of(setup("echo x >>runs; while [ ! -e go ]; do sleep 0.1; done")));
    cloud.request(request);
    until(() -> Files.exists(folder.resolve("runs")));
    RecordedEvents later = reopen();
    cloud.adopt(request);
    until(() -> later.has(Running.class, LEASE));
    assertThat(later.has(Ready.class, LEASE)).isFalse();
    Files.createFile(folder.resolve("go"));
    until(() -> later.has(Ready.class, LEASE));
    assertThat(later.types(LEASE)).containsExactly(Running.class, Ready.class);
    assertThat(noneLeft).contains(false);
    release(later);
  }

  /** A controller is killed after the instance was requested, and before it has booted. */
  @Test
  void laterControllerBootstrapsBootingInstance() throws Exception {
    LeaseRequest request = request(LEASE, 0, 600, Optional.of(setup("touch made")));
    cloud.request(request);
    until(() -> events.has(Running.class, LEASE));
    RecordedEvents later = reopen();
    cloud.adopt(request);
    until(() -> later.has(Ready.class, LEASE));
    assertThat(later.types(LEASE)).containsExactly(Running.class, Ready.class);
    assertThat(folder.resolve("made")).exists();
    release(later);
  }

  @Test
  void refusalPasses() throws Exception {
    instances.refuses = true;
    cloud.request(request(LEASE, 0, 0, Optional.empty()));
    until(() -> events.has(Refused.class, LEASE));
    var unused = reopen();
    assertThat(noneLeft).contains(true);
  }

  @Test
  void failedJoinScriptIsExplained() {
    instances.failure = "exit code 1; end of its output: no python3";
    cloud.request(request(LEASE, 0, 0, Optional.of(setup("touch made"))));
    until(() -> events.has(PreparationFailed.class, LEASE));
    assertThat(events.first(PreparationFailed.class, LEASE).message())
        .contains("cannot join", "no python3");
    assertThat(folder.resolve("made")).doesNotExist();
    assertThat(instances.existing()).containsExactly(LEASE);
  }

  @Test
  void instanceThatDoesNotJoinIsExplained() throws Exception {
    hasCluster = false;
    joinTimeout = Duration.ofSeconds(1);
    RecordedEvents later = reopen();
    cloud.request(request(LEASE, 0, 0, Optional.empty()));
    until(() -> later.has(PreparationFailed.class, LEASE));
    assertThat(later.first(PreparationFailed.class, LEASE).message())
        .contains("did not join the Ray cluster at 10.0.0.1:6379", "TCP ports");
    release(later);
  }

  /** The console of an instance may be late, or lose the report. */
  @Test
  void instanceThatHasJoinedIsReadyWithoutItsReport() {
    cloud.request(request(LEASE, 0, 600, Optional.of(setup("touch made"))));
    until(() -> events.has(Running.class, LEASE));
    assertThat(events.has(Ready.class, LEASE)).isFalse();
    join(LEASE);
    until(() -> events.has(Ready.class, LEASE));
    assertThat(events.types(LEASE)).containsExactly(Running.class, Ready.class);
    assertThat(folder.resolve("made")).exists();
  }

  private void join(String lease) {
    Request fault = Request.of("fault").with("join", List.of(lease));
    RayConnection open = connection;
    var unused = open.link().onLoop(() -> open.link().request(fault)).join();
  }

  /** The instance runs, so the cloud reports it neither as lost nor as terminated. */
  @Test
  void instanceWithoutAnswerIsLost() throws Exception {
    timeToLive = Duration.ofSeconds(3);
    RecordedEvents later = reopen();
    LeaseRequest request = request(LEASE, 0, 0, Optional.empty());
    cloud.request(request);
    until(() -> later.has(Ready.class, LEASE));
    silenceAgents();
    cloud.adopt(request);
    until(() -> later.has(Lost.class, LEASE));

    assertThat(later.first(Lost.class, LEASE).loss()).isEqualTo(LossReason.LOST_CONTACT);
    assertThat(later.first(Lost.class, LEASE).message()).contains("has not answered", "3 s");
    assertThat(later.count(Ready.class, LEASE)).isEqualTo(1);
    cloud.release(LEASE);
    until(() -> later.has(Terminated.class, LEASE));
  }

  @Test
  void instanceThatLosesTrialsAgainAndAgainIsLost() {
    LeaseRequest request = request(LEASE, 0, 0, Optional.of(setup("echo x >>runs")));
    cloud.request(request);
    for (int times = 1; times <= 4; times++) {
      int ready = times;
      until(() -> events.count(Ready.class, LEASE) == ready);
      cloud.adopt(request);
    }
    until(() -> events.has(Lost.class, LEASE));

    assertThat(events.first(Lost.class, LEASE).message()).contains("lost on this instance 4 times");
    assertThat(events.count(Ready.class, LEASE)).isEqualTo(4);
    assertThat(folder.resolve("runs")).content().isEqualTo("x\n");
  }

  @Test
  void lostInstanceIsNotReadyAgain() {
    LeaseRequest request = request(LEASE, 0, 0, Optional.empty());
    cloud.request(request);
    until(() -> events.has(Ready.class, LEASE));
    List<String> ended = new CopyOnWriteArrayList<>();
    connection.add(
        new RayLink.Listener() {
          @Override
          public void connected() {}

          @Override
          public void event(Frame event) {}

          @Override
          public void instanceEnded(String lease) {
            ended.add(lease);
          }
        });
    instances.preempt(LEASE);
    until(() -> events.has(Terminated.class, LEASE));
    assertThat(ended).as("the engine does not wait for its attempts").containsExactly(LEASE);
    cloud.adopt(request);
    until(() -> events.count(Terminated.class, LEASE) == 2);
    assertThat(events.count(Ready.class, LEASE)).isEqualTo(1);
  }

  /** Agents end without a renewal. An instance that waits for trials is renewed by the cloud. */
  @Test
  void waitingInstanceIsRenewed() throws Exception {
    timeToLive = Duration.ofSeconds(3);
    RecordedEvents later = reopen();
    cloud.request(request(LEASE, 0, 0, Optional.empty()));
    until(() -> later.has(Ready.class, LEASE));
    String first = Files.readString(agent(LEASE).resolve("lease"));
    double end = Double.parseDouble(first) + 3;
    until(() -> expiry() > end);
    release(later);
  }

  private double expiry() {
    try {
      return Double.parseDouble(Files.readString(agent(LEASE).resolve("lease")));
    } catch (IOException e) {
      throw new AssertionError("the agent has ended", e);
    }
  }

  private Path agent(String lease) {
    return folder.resolve("nodes").resolve(lease);
  }

  private void release(RecordedEvents later) {
    cloud.release(LEASE);
    until(() -> later.has(Terminated.class, LEASE) && !Files.exists(agent(LEASE)));
    try (Stream<Path> left = Files.list(folder.resolve("nodes"))) {
      assertThat(left).isEmpty();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
