package io.elastune.executor.ray.cloud;

import io.elastune.executor.ray.RayEngineSettings;
import io.elastune.executor.ray.RayRun;
import io.elastune.executor.ray.acceptance.AcceptanceSettings;
import io.elastune.executor.ray.settings.ClusterSettings;
import io.elastune.provisioner.RunContext;
import java.time.Duration;

/**
 * How a run uses the nodes of a Ray cluster of the user.
 *
 * @param queueLimit how long a request stays pending before it is refused
 * @param addsNodes whether an autoscaler adds nodes for pending requests
 * @param lostAfter the time without an answer of a node after which it is lost
 * @param acceptance the checks of a node before trials use it
 */
record RayCloudSettings(
    Duration queueLimit, boolean addsNodes, Duration lostAfter, AcceptanceSettings acceptance) {
  static RayCloudSettings of(RunContext run) {
    ClusterSettings cluster = RayRun.cluster(run);
    return new RayCloudSettings(
        cluster.queueLimit(),
        cluster.nodeStart().isPresent(),
        RayEngineSettings.lostAfter(run.deadMan()),
        cluster.acceptance());
  }
}
