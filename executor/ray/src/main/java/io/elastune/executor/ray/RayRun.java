package io.elastune.executor.ray;

import io.elastune.core.offer.Offer;
import io.elastune.executor.ray.link.BridgeSettings;
import io.elastune.executor.ray.settings.BridgeCommand;
import io.elastune.executor.ray.settings.ClusterSettings;
import io.elastune.executor.ray.settings.UserClusters;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.RunContext;
import java.time.Duration;
import java.util.List;

/** The connection settings of a run on a Ray cluster of the user: the same for cloud and engine. */
public final class RayRun {
  /** The provider of offers on Ray clusters of the user: {@code ray/auto}, {@code ray/NAME}. */
  public static final String PROVIDER = UserClusters.PROVIDER;

  /** A restarted raylet or head takes 5 to 45 s until its nodes answer again. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private RayRun() {}

  /**
   * Returns how the bridge of a run is started.
   *
   * @throws CloudException if the run uses several clusters, or its cluster cannot be reached
   */
  public static BridgeSettings bridge(RunContext context) {
    return new BridgeCommand(cluster(context))
        .settings(
            context.run(),
            context.epoch(),
            context.folder().resolve("logs").resolve("ray.log"),
            PATIENCE);
  }

  /**
   * Returns the settings of the cluster of a run.
   *
   * @throws CloudException if there is no such cluster, or several
   */
  public static ClusterSettings cluster(RunContext context) {
    List<String> places = context.offers().stream().map(Offer::infra).distinct().toList();
    if (places.size() != 1) {
      throw new CloudException(
          new CloudFailure.Invalid("a run uses one Ray cluster, and this one uses " + places));
    }
    return UserClusters.read(context.cloud().settings()).find(places.get(0));
  }
}
