package io.elastune.executor.ray.cloud;

import io.elastune.core.Spread;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import io.elastune.executor.ray.acceptance.AcceptanceSettings;
import io.elastune.executor.ray.acceptance.NodeCheck;
import io.elastune.executor.ray.link.BridgeSettings;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.CloudContract;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.LeaseRequest;
import io.elastune.provisioner.NodeSetup;
import io.elastune.provisioner.RunContext;
import io.elastune.provisioner.TestWait;
import io.elastune.provisioner.process.EventLoop;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the contract suite on a Ray cluster. A request stays pending if no node has as many CPUs,
 * and an instance boots for as long as its setup runs.
 */
abstract class RayCloudContract extends CloudContract {
  private static final int LONG_S = 100;

  @TempDir Path folder;
  private int epoch;

  /** Returns how the bridge of the next controller is started. */
  abstract BridgeSettings bridge(int number) throws Exception;

  @Override
  protected Cloud open(Consumer<CloudEvent> consumer) throws Exception {
    return open(consumer, settings(Duration.ofSeconds(30), Duration.ofSeconds(60)));
  }

  /** Returns the settings of a cluster without an autoscaler and with simulated GPUs. */
  static RayCloudSettings settings(Duration queueLimit, Duration lostAfter) {
    AcceptanceSettings plain = AcceptanceSettings.OF_USER_CLUSTER;
    return new RayCloudSettings(
        queueLimit,
        false,
        lostAfter,
        new AcceptanceSettings(
            List.of(NodeCheck.GPUS, NodeCheck.CUDA, NodeCheck.MODEL),
            plain.driverWait(),
            plain.timeLimit(),
            1));
  }

  RayCloud open(Consumer<CloudEvent> consumer, RayCloudSettings settings) throws Exception {
    return open(consumer, settings, EventLoop.Faults.NONE);
  }

  RayCloud open(Consumer<CloudEvent> consumer, RayCloudSettings settings, EventLoop.Faults faults)
      throws Exception {
    epoch++;
    CloudContext context =
        new CloudContext(folder, folder.resolve("clouds.yaml"), InstantSource.system());
    RunContext run =
        new RunContext(
            context,
            RUN,
            folder.resolve("run"),
            epoch,
            Duration.ofSeconds(20),
            List.of(),
            Map.of());
    return new RayCloud(run, bridge(epoch), consumer, settings, faults);
  }

  @Override
  protected void advance(Duration time) {
    TestWait.pause(time);
  }

  @Override
  protected String infra() {
    return "ray/auto";
  }

  @Override
  protected NodeSetup setup(String output, int exit) {
    String command = "echo '" + output + "'; exit " + exit;
    return new NodeSetup(
        command, folder.toString(), Map.of(), folder.resolve("setup.log").toString());
  }

  @Override
  protected LeaseRequest request(
      String lease, double queueS, double bootS, Optional<NodeSetup> setup) {
    boolean boots = bootS > LONG_S;
    LeaseRequest given =
        super.request(
            lease,
            queueS,
            bootS,
            boots
                ? Optional.of(
                    new NodeSetup(
                        "sleep " + bootS,
                        folder.toString(),
                        Map.of(),
                        folder.resolve("setup.log").toString()))
                : setup);
    return queueS > LONG_S ? with(given, offer("cpu", GPUS, 1000)) : given;
  }

  static LeaseRequest with(LeaseRequest given, Offer offer) {
    return new LeaseRequest(
        given.run(), given.lease(), offer, given.setup(), given.tags(), given.deadMan());
  }

  Offer offer(String gpu, int gpus, int coresPerGpu) {
    return new Offer(
        infra(),
        "contract",
        gpu,
        gpus,
        Market.ON_DEMAND,
        0.1,
        PriceKind.NOTIONAL,
        BillingTerms.BY_THE_SECOND,
        Spread.NONE,
        Spread.NONE,
        0,
        0,
        coresPerGpu);
  }
}
