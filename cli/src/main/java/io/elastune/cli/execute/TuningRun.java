package io.elastune.cli.execute;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.env.Version;
import io.elastune.cli.inspect.FaultReasons;
import io.elastune.cli.inspect.PlanDecision;
import io.elastune.core.config.JobFile;
import io.elastune.core.config.PlanDocument;
import io.elastune.core.config.PlanFile;
import io.elastune.core.job.Job;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import io.elastune.core.plan.Plan;
import io.elastune.executor.decision.model.FailureRule;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunDefinitionFactory;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.RunMeta;
import io.elastune.inputs.AssumedNumbers;
import io.elastune.inputs.Inputs;
import io.elastune.simulator.Contributions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/** Executes a confirmed plan. */
final class TuningRun {
  private final CliEnvironment cliEnvironment;
  private final Output output;
  private final RemainingLimits remainingLimits;
  private final RunLauncher runLauncher;

  TuningRun(
      CliEnvironment cliEnvironment,
      Output output,
      RemainingLimits remainingLimits,
      RunLauncher runLauncher) {
    this.cliEnvironment = cliEnvironment;
    this.output = output;
    this.remainingLimits = remainingLimits;
    this.runLauncher = runLauncher;
  }

  /** Executes the plan as run {@code run}. */
  RunState execute(ApprovedPlan approved, String run) {
    RunDefinition definition = definition(approved, run);
    ProgressReporter progressReporter =
        new ProgressReporter(
            cliEnvironment,
            output,
            definition,
            approved.job().search().resource().unit(),
            remainingLimits.profilingUsd());
    try {
      return execute(approved, definition, progressReporter);
    } finally {
      progressReporter.close();
    }
  }

  /** Writes the plan as run {@code run}, for a controller in the background. */
  void write(ApprovedPlan approved, String run) {
    RunDefinition definition = definition(approved, run);
    runLauncher.write(definition, meta(approved, definition));
  }

  private RunState execute(
      ApprovedPlan approved, RunDefinition definition, ProgressReporter progressReporter) {
    RunMeta meta = meta(approved, definition);
    if (!SimulatedRunEnvironment.isSimulated(definition.offers().values())) {
      return runLauncher.execute(definition, meta, progressReporter);
    }
    SimulatedRunEnvironment environment =
        new SimulatedRunEnvironment(
            approved.problem(),
            approved.estimate().completionS().mean(),
            cliEnvironment.clock().instant());
    progressReporter.printNote(environment.notice());
    return runLauncher.simulate(environment, definition, meta, progressReporter);
  }

  private RunDefinition definition(ApprovedPlan approved, String run) {
    RunDefinition definition =
        RunDefinitionFactory.of(
            run,
            approved.job(),
            approved.problem(),
            approved.plan(),
            approved.estimate(),
            remainingLimits.deadlineS(approved.job(), cliEnvironment.clock().instant()),
            budgetUsd(approved));
    if (!SimulatedRunEnvironment.isSimulated(definition.offers().values())) {
      return definition.withFailures(FailureRule.DEFAULT);
    }
    // A simulated run shows the plan as confirmed, and its metrics teach a sampler nothing.
    RunDefinition simulated =
        definition
            .withSampler(Optional.empty())
            .withLimits(
                definition.budget(),
                definition.budgetLeftUsd(),
                remainingLimits.virtualDeadlineS(approved.job()));
    return SimulatedRunEnvironment.mayReplan(approved.job(), approved.problem())
        ? simulated
        : simulated.withoutReplanning();
  }

  /** Returns the budget in USD. Without one, the spending guard applies if prices are charged. */
  private OptionalDouble budgetUsd(ApprovedPlan approved) {
    OptionalDouble given = remainingLimits.budgetUsd(approved.job());
    return given.isPresent() ? given : approved.figures().spendingGuardUsd();
  }

  private static boolean isNotional(Map<String, Offer> offers) {
    return offers.values().stream().allMatch(offer -> offer.price() == PriceKind.NOTIONAL);
  }

  /** Returns the plan as a plan file, with the reasons for it. */
  private static String plan(ApprovedPlan approved, RunDefinition definition) {
    Plan plan = approved.plan();
    Map<String, Object> kept =
        new LinkedHashMap<>(
            PlanFile.tree(PlanDocument.of(plan, definition.workload(), Optional.empty())));
    kept.put(
        PlanDecision.FIELD,
        PlanDecision.of(
            approved.estimate(),
            Contributions.of(approved.problem(), plan),
            reasons(approved),
            new AssumedNumbers(approved.inputs(), approved.problem()).mark(Stream.of(plan))));
    return JsonMapper.shared().writeValueAsString(kept);
  }

  private static Map<String, Map<String, Double>> reasons(ApprovedPlan approved) {
    Map<String, Map<String, Double>> reasons = new LinkedHashMap<>(approved.choice());
    reasons.putAll(
        new FaultReasons(
                approved.problem(), approved.plan(), approved.figures(), approved.preferred())
            .reasons());
    return reasons;
  }

  private RunMeta meta(ApprovedPlan approved, RunDefinition definition) {
    Inputs inputs = approved.inputs();
    Job job = inputs.job().value();
    RunFolder folder = RunFolder.of(cliEnvironment.home(), definition.run());
    return RunMeta.builder()
        .kind(RunMeta.Kind.TUNE)
        .version(Version.text())
        .jobFile(inputs.job().name())
        .job(JobFile.write(job))
        .plan(plan(approved, definition))
        .unit(job.search().resource().unit())
        .metric(job.search().metric())
        .budgetUsd(
            job.budget()
                .map(budget -> OptionalDouble.of(budget.usd()))
                .orElse(OptionalDouble.empty()))
        .notional(isNotional(definition.offers()))
        .profilingRun(remainingLimits.profilingRun())
        .profilingUsd(remainingLimits.profilingUsd())
        .predicted(Optional.of(RunMeta.Predicted.of(approved.estimate())))
        .jobFolder(inputs.job().folder().toString())
        .checkpoints(runLauncher.checkpoints(folder).text())
        .jobText(JobPlace.textOf(inputs.job().path()))
        .build();
  }
}
