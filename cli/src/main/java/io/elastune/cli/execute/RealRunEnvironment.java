package io.elastune.cli.execute;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.core.offer.Offer;
import io.elastune.executor.engine.EngineProvider;
import io.elastune.executor.replan.PlannerReplanner;
import io.elastune.executor.runtime.Advisors;
import io.elastune.executor.runtime.RunController;
import io.elastune.executor.runtime.RunListener;
import io.elastune.executor.runtime.RunSpec;
import io.elastune.provisioner.CloudProvider;
import java.util.Collection;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Collectors;

/** A cloud provider with an engine that can run trials on its instances. */
record RealRunEnvironment(CliEnvironment cliEnvironment, CloudProvider cloud, EngineProvider engine)
    implements RunEnvironment {
  /**
   * Returns the environment for {@code offers}.
   *
   * @param jobFile the job file's name, for messages
   * @throws CommandFailure if no engine supports their provider
   */
  static RealRunEnvironment of(
      CliEnvironment cliEnvironment, String jobFile, Collection<Offer> offers) {
    Set<String> providers = offers.stream().map(Offer::provider).collect(Collectors.toSet());
    return ServiceLoader.load(CloudProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(provider -> providers.equals(Set.of(provider.name())))
        .flatMap(
            provider ->
                engine(provider)
                    .map(e -> new RealRunEnvironment(cliEnvironment, provider, e))
                    .stream())
        .findFirst()
        .orElseThrow(
            () ->
                CommandFailure.usage(
                    jobFile,
                    "resources.infra",
                    "runs on "
                        + String.join(" and ", providers)
                        + " are not yet available: use plan and simulate, or set infra: [local]"));
  }

  private static Optional<EngineProvider> engine(CloudProvider cloud) {
    return ServiceLoader.load(EngineProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(engine -> engine.supports(cloud.name()))
        .findFirst();
  }

  @Override
  public RunController createController(
      RunSpec spec, RunListener listener, Optional<Advisors.BudgetApprover> budgetApprover) {
    return new RunController(
        spec,
        events -> cloud.open(cliEnvironment.cloudContext(), events),
        events -> engine.open(cliEnvironment.home(), cliEnvironment.clock(), events),
        cliEnvironment.clock(),
        listener,
        new Advisors(
            spec.definition().planning().map(with -> new PlannerReplanner(spec.definition())),
            budgetApprover));
  }
}
