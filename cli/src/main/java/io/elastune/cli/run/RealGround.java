package io.elastune.cli.run;

import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.world.World;
import io.elastune.core.offer.Offer;
import io.elastune.executor.engine.EngineProvider;
import io.elastune.executor.replan.PlannedAnew;
import io.elastune.executor.shell.Advisers;
import io.elastune.executor.shell.RunListener;
import io.elastune.executor.shell.RunShell;
import io.elastune.executor.shell.RunSpec;
import io.elastune.provisioner.CloudProvider;
import java.util.Collection;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Collectors;

/** A kind of cloud with an engine that reaches its instances. */
record RealGround(World world, CloudProvider cloud, EngineProvider engine) implements Ground {
  /**
   * That of {@code offers}.
   *
   * @param jobFile the job file's name, for messages
   * @throws CommandFailure if there is none
   */
  static RealGround of(World world, String jobFile, Collection<Offer> offers) {
    Set<String> kinds = offers.stream().map(Offer::provider).collect(Collectors.toSet());
    return ServiceLoader.load(CloudProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(provider -> kinds.equals(Set.of(provider.name())))
        .flatMap(provider -> engine(provider).map(e -> new RealGround(world, provider, e)).stream())
        .findFirst()
        .orElseThrow(
            () ->
                CommandFailure.usage(
                    jobFile,
                    "resources.infra",
                    "runs on "
                        + String.join(" and ", kinds)
                        + " are not yet available: plan and simulate work, run takes infra:"
                        + " [local]"));
  }

  private static Optional<EngineProvider> engine(CloudProvider cloud) {
    return ServiceLoader.load(EngineProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(engine -> engine.reaches(cloud.name()))
        .findFirst();
  }

  @Override
  public RunShell shell(RunSpec spec, RunListener listener, Optional<Advisers.Payer> payer) {
    return new RunShell(
        spec,
        events -> cloud.open(world.cloudContext(), events),
        events -> engine.open(world.home(), world.clock(), events),
        world.clock(),
        listener,
        new Advisers(
            spec.definition().planning().map(with -> new PlannedAnew(spec.definition())), payer));
  }
}
