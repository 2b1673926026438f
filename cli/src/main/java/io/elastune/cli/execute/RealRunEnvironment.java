package io.elastune.cli.execute;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.core.offer.Offer;
import io.elastune.executor.engine.EngineProvider;
import io.elastune.executor.journal.ControllerCount;
import io.elastune.executor.replan.PlannerReplanner;
import io.elastune.executor.runtime.Advisors;
import io.elastune.executor.runtime.RunController;
import io.elastune.executor.runtime.RunListener;
import io.elastune.executor.runtime.RunSpec;
import io.elastune.provisioner.CloudProvider;
import io.elastune.provisioner.RunContext;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** A cloud provider with an engine that can run trials on its instances. */
public record RealRunEnvironment(
    CliEnvironment cliEnvironment, CloudProvider cloud, EngineProvider engine)
    implements RunEnvironment {
  /**
   * Returns the environment for {@code offers}.
   *
   * @param jobFile the job file's name, for messages
   * @throws CommandFailure if no engine supports their provider
   */
  static RealRunEnvironment of(
      CliEnvironment cliEnvironment, String jobFile, Collection<Offer> offers) {
    return find(cliEnvironment, offers)
        .orElseThrow(
            () ->
                CommandFailure.usage(
                    jobFile,
                    "resources.infra",
                    unavailable(offers) + ": use plan and simulate, or set infra: [local]"));
  }

  /** Returns whether a run can use {@code offers}: for now, only local and simulated ones. */
  public static boolean isAvailable(CliEnvironment cliEnvironment, Collection<Offer> offers) {
    return SimulatedRunEnvironment.isSimulated(offers) || find(cliEnvironment, offers).isPresent();
  }

  /** Returns the statement that no run can use {@code offers}. */
  public static String unavailable(Collection<Offer> offers) {
    return "runs on " + String.join(" and ", providers(offers)) + " are not yet available";
  }

  private static Set<String> providers(Collection<Offer> offers) {
    return offers.stream().map(Offer::provider).collect(Collectors.toCollection(TreeSet::new));
  }

  private static Optional<RealRunEnvironment> find(
      CliEnvironment cliEnvironment, Collection<Offer> offers) {
    Set<String> providers = providers(offers);
    return ServiceLoader.load(CloudProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(provider -> providers.equals(Set.of(provider.name())))
        .flatMap(
            provider ->
                engine(provider)
                    .map(e -> new RealRunEnvironment(cliEnvironment, provider, e))
                    .stream())
        .findFirst();
  }

  private static Optional<EngineProvider> engine(CloudProvider cloud) {
    return engine(cloud.name());
  }

  /** Returns the engine for instances of a cloud provider, e.g. {@code aws}. */
  public static Optional<EngineProvider> engine(String cloud) {
    return ServiceLoader.load(EngineProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(engine -> engine.supports(cloud))
        .findFirst();
  }

  @Override
  public RunController createController(
      RunSpec spec, RunListener listener, Optional<Advisors.BudgetApprover> budgetApprover) {
    LazyContext context = new LazyContext(() -> context(spec));
    return new RunController(
        spec,
        events -> engine.openCloud(cloud, context.get(), events),
        events -> engine.open(context.get(), events),
        cliEnvironment.clock(),
        listener,
        new Advisors(
            spec.definition().planning().map(with -> new PlannerReplanner(spec.definition())),
            budgetApprover));
  }

  /** Counts the controller: call it only once the controller holds the run's lock. */
  private RunContext context(RunSpec spec) {
    return new RunContext(
        cliEnvironment.cloudContext(),
        spec.definition().run(),
        spec.folder().path(),
        ControllerCount.next(spec.folder()),
        spec.job().deadMan(),
        List.copyOf(spec.definition().offers().values()));
  }

  /** Creates the context when the controller opens the cloud, and gives the engine the same one. */
  private static final class LazyContext implements Supplier<RunContext> {
    private final Supplier<RunContext> source;
    private Optional<RunContext> context = Optional.empty();

    LazyContext(Supplier<RunContext> source) {
      this.source = source;
    }

    @Override
    public RunContext get() {
      if (context.isEmpty()) {
        context = Optional.of(source.get());
      }
      return context.get();
    }
  }
}
