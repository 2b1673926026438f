package io.elastune.executor.ray.provider;

import io.elastune.core.config.FileProblem;
import io.elastune.core.offer.Offer;
import io.elastune.executor.engine.Engine;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.engine.EngineProvider;
import io.elastune.executor.engine.NodeRuntimes;
import io.elastune.executor.ray.RayEngine;
import io.elastune.executor.ray.RayEngineSettings;
import io.elastune.executor.ray.RayRun;
import io.elastune.executor.ray.link.BridgeSettings;
import io.elastune.executor.ray.rented.RegionCheck;
import io.elastune.executor.ray.rented.RentedCheck;
import io.elastune.executor.ray.rented.RentedCluster;
import io.elastune.provisioner.CheckResult;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.CloudProvider;
import io.elastune.provisioner.RunContext;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Opens the engine that runs trials on the nodes of Ray clusters: those of the user, and those that
 * rented instances form for one run.
 */
public final class RayEngineProvider implements EngineProvider {
  @Override
  public boolean supports(String cloud) {
    return cloud.equals(RayRun.PROVIDER) || isRented(cloud);
  }

  private static boolean isRented(String cloud) {
    return RentedCluster.PROVIDERS.contains(cloud);
  }

  @Override
  public Optional<String> refusal(CloudContext context, String cloud, String architecture) {
    return isRented(cloud) ? RentedCheck.refusal(context, architecture) : Optional.empty();
  }

  @Override
  public boolean usesBuckets() {
    return true;
  }

  @Override
  public Cloud openCloud(CloudProvider provider, RunContext context, Consumer<CloudEvent> events) {
    return isRented(provider.name())
        ? RentedCluster.open(context, provider, events)
        : provider.open(context, events);
  }

  @Override
  public Engine open(RunContext context, Consumer<EngineEvent> events) {
    boolean isRented = context.offers().stream().allMatch(offer -> isRented(offer.provider()));
    BridgeSettings bridge = isRented ? RentedCluster.bridge(context) : RayRun.bridge(context);
    return new RayEngine(
        RayEngineSettings.of(context.deadMan()), bridge, context.cloud().time(), events);
  }

  @Override
  public Optional<NodeRuntimes> runtimes(CloudContext context) {
    return Optional.of(RentedCluster.runtimes(context));
  }

  @Override
  public List<FileProblem> settingsProblems(CloudContext context) {
    return RentedCheck.settingsProblems(context);
  }

  @Override
  public Optional<CheckResult> problem(CloudContext context, Collection<Offer> offers) {
    return offers.stream().allMatch(offer -> isRented(offer.provider()))
        ? RegionCheck.problem(context, offers)
        : Optional.empty();
  }

  @Override
  public List<CheckResult> check(CloudContext context, CloudProvider cloud, List<String> places) {
    return isRented(cloud.name()) ? RentedCheck.check(context, cloud, places) : List.of();
  }
}
