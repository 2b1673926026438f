package io.elastune.cli.execute;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ErrorDetail;
import io.elastune.cli.inspect.RunProviders;
import io.elastune.core.job.Job;
import io.elastune.core.offer.Offer;
import io.elastune.executor.engine.EngineProvider;
import io.elastune.executor.engine.EngineProviders;
import io.elastune.executor.journal.ControllerCount;
import io.elastune.executor.replan.PlannerReplanner;
import io.elastune.executor.runtime.Advisors;
import io.elastune.executor.runtime.RunController;
import io.elastune.executor.runtime.RunListener;
import io.elastune.executor.runtime.RunSpec;
import io.elastune.executor.sampler.ConfigurationSampler;
import io.elastune.executor.sampler.OptunaSampler;
import io.elastune.inputs.JobProblems;
import io.elastune.inputs.LoadedFile;
import io.elastune.inputs.ServedOffers;
import io.elastune.profiler.History;
import io.elastune.profiler.history.HistoryException;
import io.elastune.provisioner.CloudProvider;
import io.elastune.provisioner.CloudProviders;
import io.elastune.provisioner.RunContext;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cloud provider with an engine that can run trials on its instances.
 *
 * @param measurementAdvisor chooses what a profiling run measures; empty for any other run
 */
public record RealRunEnvironment(
    CliEnvironment cliEnvironment,
    CloudProvider cloud,
    EngineProvider engine,
    Optional<Advisors.MeasurementAdvisor> measurementAdvisor)
    implements RunEnvironment {
  private static final Logger LOG = LoggerFactory.getLogger(RealRunEnvironment.class);

  /**
   * Returns the environment for {@code offers}.
   *
   * @throws CommandFailure if no run can use all of them
   */
  static RealRunEnvironment of(
      CliEnvironment cliEnvironment, LoadedFile<Job> job, Collection<Offer> offers) {
    problem(cliEnvironment, job, offers)
        .ifPresent(
            problem -> {
              throw CommandFailure.usage(problem);
            });
    ServedOffers.of(cliEnvironment.cloudContext(), List.copyOf(offers)).refusals().stream()
        .findFirst()
        .ifPresent(
            refusal -> {
              throw JobProblems.usage(job, "resources", refusal);
            });
    String provider = offers.iterator().next().provider();
    return new RealRunEnvironment(
        cliEnvironment,
        CloudProviders.named(provider).orElseThrow(),
        EngineProviders.of(provider).orElseThrow(),
        Optional.empty());
  }

  /** Returns this environment for a profiling run. */
  RealRunEnvironment withMeasurements(Advisors.MeasurementAdvisor advisor) {
    return new RealRunEnvironment(cliEnvironment, cloud, engine, Optional.of(advisor));
  }

  /** Returns why no run of a job can use all of {@code offers}; empty if one can. */
  public static Optional<ErrorDetail> problem(
      CliEnvironment cliEnvironment, LoadedFile<Job> job, Collection<Offer> offers) {
    return SimulatedRunEnvironment.isSimulated(offers)
        ? Optional.empty()
        : RunProviders.problem(cliEnvironment.cloudContext(), offers)
            .map(
                problem ->
                    ErrorDetail.of(
                        JobProblems.detail(
                            job, "resources.infra", problem.reason(), problem.remedy())));
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
            budgetApprover,
            sampler(spec),
            measurementAdvisor,
            false));
  }

  private static Optional<ConfigurationSampler> sampler(RunSpec spec) {
    return spec.definition()
        .sampler()
        .map(rule -> new OptunaSampler(spec.job().search(), spec.folder().path()));
  }

  /** Counts the controller: call it only once the controller holds the run's lock. */
  private RunContext context(RunSpec spec) {
    return new RunContext(
        cliEnvironment.cloudContext(),
        spec.definition().run(),
        spec.folder().path(),
        ControllerCount.next(spec.folder()),
        spec.job().deadMan(),
        List.copyOf(spec.definition().offers().values()),
        copySpeeds());
  }

  private Map<String, Double> copySpeeds() {
    try {
      return new History(cliEnvironment.home(), cliEnvironment.clock()).copySpeeds();
    } catch (HistoryException e) {
      LOG.warn("Nodes are not compared with those of earlier runs: {}", e.getMessage());
      return Map.of();
    }
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
