package io.elastune.executor.ray.rented;

import io.elastune.core.offer.Offer;
import io.elastune.executor.engine.NodeRuntime;
import io.elastune.executor.engine.NodeRuntimes;
import io.elastune.executor.ray.head.HeadSettings;
import io.elastune.executor.ray.head.RayEnvironment;
import io.elastune.executor.ray.head.RayHead;
import io.elastune.executor.ray.head.RayPython;
import io.elastune.executor.ray.link.BridgeSettings;
import io.elastune.executor.ray.link.RayConnection;
import io.elastune.executor.ray.runtime.RuntimeBucket;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.CloudProvider;
import io.elastune.provisioner.RunContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** The Ray cluster of one run: a head beside the controller, and rented instances as its nodes. */
public final class RentedCluster {
  /** The cloud providers whose instances can join a Ray cluster of the run. */
  public static final Set<String> PROVIDERS = Set.of("aws", "gcp");

  /** The setting of the interpreter of the head, for messages. */
  static final String HEAD_PYTHON = "rented_nodes.head_python";

  /** A restarted head takes up to 45 s until all nodes answer again. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private RentedCluster() {}

  /**
   * Starts or adopts the head of a run, and opens the cloud whose instances join it. Blocks for
   * some seconds.
   *
   * @param provider opens the cloud that rents the instances
   * @param events receives all events
   * @throws io.elastune.provisioner.CloudException if this machine lacks Ray, or the head does not
   *     start; nothing was rented then
   */
  public static Cloud open(RunContext run, CloudProvider provider, Consumer<CloudEvent> events) {
    RentedSettings settings = RentedSection.read(run.cloud().settings());
    NodePython interpreters = NodePython.find(settings, run.cloud(), recordedVersion(run));
    List<String> places = run.offers().stream().map(Offer::infra).distinct().toList();
    Optional<RuntimeBucket> bucket = interpreters.bucket(run.cloud(), provider, places);
    RayPython python = RayPython.find(interpreters.head(), HEAD_PYTHON);
    RayHead head = RayHead.open(headSettings(run, settings, python), run.cloud().time());
    Optional<RuntimeDelivery> delivery = delivery(run, interpreters, bucket, head.host());
    RayConnection connection = RayConnection.open(bridge(run), run.cloud().time());
    JoinScript join = new JoinScript(head.address(), head.readToken(), python, delivery, settings);
    BootstrapContext context =
        BootstrapContext.of(
            connection,
            head.address(),
            run.deadMan(),
            settings,
            run.copyGbPerS(),
            run.cloud().time(),
            events);
    Consumer<Boolean> afterwards =
        noneLeft -> {
          delivery.ifPresent(RuntimeDelivery::close);
          close(run, head, noneLeft);
        };
    try {
      return new BootstrappedCloud(
          context, join::of, inner -> provider.open(run, inner), afterwards);
    } catch (RuntimeException e) {
      afterwards.accept(false);
      throw e;
    }
  }

  /** Starts to send the runtime. Also records its version, which this machine may use, too. */
  private static Optional<RuntimeDelivery> delivery(
      RunContext run, NodePython interpreters, Optional<RuntimeBucket> bucket, String host) {
    Path file = RunRuntime.file(folder(run));
    Optional<NodeRuntime> fetched = interpreters.fetched();
    if (fetched.isEmpty()) {
      interpreters
          .runtime()
          .ifPresent(runtime -> new RunRuntime(runtime.version(), 0, "").write(file));
    }
    return fetched.map(runtime -> RuntimeDelivery.start(runtime, bucket, file, host));
  }

  /** Returns the node runtimes of this machine. */
  public static NodeRuntimes runtimes(CloudContext context) {
    return NodePython.store(context);
  }

  private static Optional<String> recordedVersion(RunContext run) {
    return RunRuntime.read(RunRuntime.file(folder(run))).map(RunRuntime::version);
  }

  private static void close(RunContext run, RayHead head, boolean noneLeft) {
    head.close();
    if (noneLeft) {
      head.forget();
      RunRuntime.delete(RunRuntime.file(folder(run)));
    }
  }

  private static HeadSettings headSettings(
      RunContext run, RentedSettings settings, RayPython python) {
    return new HeadSettings(
        folder(run),
        python,
        settings.headAddress().orElseGet(RentedCluster::primaryAddress),
        settings.headPort(),
        run.deadMan());
  }

  private static String primaryAddress() {
    String found = PrimaryAddress.find();
    if (found.equals(PrimaryAddress.LOOPBACK)) {
      throw new CloudException(
          new CloudFailure.Invalid(
              "This machine has no address at which instances could reach the head of the Ray"
                  + " cluster. Nothing was rented. Set rented_nodes.head_address in clouds.yaml"));
    }
    return found;
  }

  private static Path folder(RunContext run) {
    return run.folder().resolve("ray").toAbsolutePath();
  }

  /** Returns how the bridge of a run is started. The head must have been started. */
  public static BridgeSettings bridge(RunContext run) {
    RentedSettings settings = RentedSection.read(run.cloud().settings());
    Map<String, String> environment = RayEnvironment.client(HeadSettings.token(folder(run)));
    return new BridgeSettings(
        List.of(NodePython.find(settings, run.cloud(), recordedVersion(run)).head()),
        RayHead.addressIn(folder(run)),
        settings.agentRoot(),
        run.run(),
        run.epoch(),
        run.folder().resolve("logs").resolve("ray.log"),
        environment,
        PATIENCE);
  }
}
