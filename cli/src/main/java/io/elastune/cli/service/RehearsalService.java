package io.elastune.cli.service;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.env.ProgressLine;
import io.elastune.cli.execute.PlanningProgress;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.json.RehearsalDocument;
import io.elastune.cli.text.InfeasibleScreen;
import io.elastune.cli.text.MissingProfileMessage;
import io.elastune.cli.text.RehearsalScreen;
import io.elastune.core.config.Overrides;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.job.Job;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.core.profile.Profile;
import io.elastune.core.search.LearningCurves;
import io.elastune.core.time.Seconds;
import io.elastune.executor.decision.model.RunDefinition;
import io.elastune.executor.decision.model.RunDefinitionFactory;
import io.elastune.executor.rehearsal.ParallelRehearsals;
import io.elastune.executor.rehearsal.Rehearsal;
import io.elastune.executor.rehearsal.RehearsalSummary;
import io.elastune.executor.rehearsal.RehearsedJob;
import io.elastune.executor.rehearsal.RehearsedRun;
import io.elastune.inputs.CurvesSource;
import io.elastune.inputs.FoundPlan;
import io.elastune.inputs.Inputs;
import io.elastune.inputs.InputsLoader;
import io.elastune.inputs.JobLoader;
import io.elastune.inputs.PreferredPlan;
import io.elastune.inputs.SpendingGuards;
import io.elastune.plan.json.InfeasibleDocument;
import io.elastune.planner.api.PlanResult;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** Implements the command {@code rehearse}: plans, then executes the plan many times. */
public final class RehearsalService {
  private final CliEnvironment cliEnvironment;
  private final Output output;

  public RehearsalService(CliEnvironment cliEnvironment, Output output) {
    this.cliEnvironment = cliEnvironment;
    this.output = output;
  }

  /**
   * The arguments of the command.
   *
   * @param overrides its seed is that of the first run; the plan uses the job's own seed
   * @param seeds the number of runs
   * @param slower the factor by which trials take longer than profiled
   * @param replan whether runs may re-plan
   * @param curves the file of the learning curves that trials follow
   */
  public record Request(
      String job,
      Overrides overrides,
      int seeds,
      FaultLevel trouble,
      double slower,
      boolean replan,
      Optional<String> curves) {}

  /** Executes the rehearsal and shows its results. */
  public ExitCode rehearse(Request request) {
    Overrides given = request.overrides();
    long first =
        given.seed().isPresent()
            ? new JobLoader(cliEnvironment).load(request.job(), given).value().search().seed()
            : 1;
    Inputs inputs = new InputsLoader(cliEnvironment).load(request.job(), given.withoutSeed());
    Problem problem =
        inputs.problem().orElseThrow(() -> MissingProfileMessage.failure(inputs, output));
    Optional<LearningCurves> curves = curves(request, inputs, problem);
    RehearsalPlanner.Planned planned =
        new RehearsalPlanner(problem, inputs.job().value().search(), request.trouble()).plan();
    return planned
        .result()
        .match(
            found ->
                execute(
                    inputs,
                    problem,
                    preferred(inputs, request.trouble().planned(problem), found),
                    planned.withoutFaults(),
                    first,
                    request,
                    curves),
            infeasible -> {
              InfeasibleScreen screen =
                  new InfeasibleScreen(inputs, cliEnvironment.clock().instant());
              show(
                  new PlanningProgress(cliEnvironment, output)
                      .lines(progress -> screen.lines(problem, infeasible, progress)));
              output.jsonDocument(() -> InfeasibleDocument.of(inputs, infeasible));
              return ExitCode.INFEASIBLE;
            },
            impossible -> {
              show(
                  new InfeasibleScreen(inputs, cliEnvironment.clock().instant()).lines(impossible));
              output.jsonDocument(() -> InfeasibleDocument.of(inputs, impossible));
              return ExitCode.INFEASIBLE;
            });
  }

  /** Returns the plan that the job prefers; a plan that misses a limit is used as it is. */
  private static PlanResult.Found preferred(
      Inputs inputs, Problem predicted, PlanResult.Found found) {
    return new PreferredPlan(1).of(new FoundPlan(inputs, predicted, found)).found();
  }

  private Optional<LearningCurves> curves(Request request, Inputs inputs, Problem problem) {
    Optional<LearningCurves> curves =
        request.curves().map(file -> new CurvesSource(cliEnvironment).load(file, inputs, problem));
    if (request.slower() != 1 && curves.filter(LearningCurves::hasSeconds).isPresent()) {
      throw CommandFailure.invalid(
          "--slower", "the learning curves have durations of their own", "leave it out");
    }
    return curves;
  }

  private ExitCode execute(
      Inputs inputs,
      Problem problem,
      PlanResult.Found found,
      boolean withoutFaults,
      long first,
      Request request,
      Optional<LearningCurves> curves) {
    Job job = inputs.job().value();
    Problem predicted = request.trouble().planned(problem);
    Problem injected = request.trouble() == FaultLevel.HEAVY ? problem.withoutFaults() : predicted;
    RunDefinition planned = definition(job, injected, found.plan(), found.estimate());
    RunDefinition definition = request.replan() ? planned : planned.withoutReplanning();
    RehearsedJob rehearsed =
        new RehearsedJob(
            definition,
            slowed(injected, request.slower()),
            job.trial().checkpoints().keep(),
            request.trouble().added());
    Instant start = cliEnvironment.clock().instant();
    Rehearsal rehearsal =
        curves
            .map(known -> Rehearsal.withCurves(rehearsed, known))
            .orElseGet(() -> new Rehearsal(rehearsed));
    List<RehearsedRun> runs = execute(rehearsal, first, request.seeds());
    double tookS = Math.max(1e-3, Seconds.between(start, cliEnvironment.clock().instant()));
    RehearsalSummary rehearsalSummary =
        RehearsalSummary.of(runs, definition.deadlineS(), definition.budgetLeftUsd());
    Estimate promised =
        RehearsalPlanner.promised(predicted, definition.budgetLeftUsd(), found.plan());
    show(
        new RehearsalScreen(
                inputs, definition, found.estimate(), promised, withoutFaults, rehearsalSummary)
            .lines(request.trouble().word(), first, tookS, command(request)));
    output.jsonDocument(
        () ->
            RehearsalDocument.of(
                found.estimate(), promised, rehearsalSummary, tookS, withoutFaults));
    return rehearsalSummary.failingRuns().isEmpty() ? ExitCode.DONE : ExitCode.INTERNAL_ERROR;
  }

  /** Returns the problem with slower trials, which the plan does not include. */
  private static Problem slowed(Problem problem, double slower) {
    Map<String, Profile> profiles = new TreeMap<>();
    problem.profiles().forEach((gpu, profile) -> profiles.put(gpu, profile.withSlowdown(slower)));
    return problem.with(problem.offers(), profiles);
  }

  private static RunDefinition definition(Job job, Problem problem, Plan plan, Estimate estimate) {
    OptionalDouble budget = problem.limits().budgetUsd();
    return RunDefinitionFactory.of(
            "rehearsal",
            job,
            problem,
            plan,
            estimate,
            problem.limits().deadlineS(),
            budget.isPresent()
                ? budget
                : OptionalDouble.of(SpendingGuards.sampledUsd(problem, plan)))
        .withSampler(Optional.empty());
  }

  private List<RehearsedRun> execute(Rehearsal rehearsal, long first, int count) {
    int threads = Runtime.getRuntime().availableProcessors();
    try (ProgressLine progressLine =
        new ProgressLine(cliEnvironment, output, "%d of %d runs executed")) {
      return ParallelRehearsals.runAll(rehearsal, first, count, threads, progressLine.of(count));
    }
  }

  /** Returns the command that repeats one run, without its seed. */
  private static String command(Request request) {
    Overrides given = request.overrides();
    StringBuilder command = new StringBuilder("elastune rehearse " + request.job());
    option(command, "--deadline", given.deadline());
    option(command, "--budget", given.budget());
    option(command, "--confidence", given.confidence());
    option(command, "--prefer", given.prefer());
    list(command, "--infra", given.infra());
    given.profiles().forEach(profile -> option(command, "--profile", Optional.of(profile)));
    option(command, "--offers", given.offers());
    option(command, "--trials", given.trials());
    option(command, "--market", given.market());
    list(command, "--gpu", given.gpus());
    list(command, "--instance-types", given.instanceTypes());
    option(command, "--max-instances", given.maxInstances());
    if (request.slower() != 1) {
      option(command, "--slower", Optional.of(Double.toString(request.slower())));
    }
    option(command, "--curves", request.curves());
    if (request.replan()) {
      command.append(" --replan");
    }
    return command + " --faults " + request.trouble().word() + " --seeds 1 --seed ";
  }

  private static void option(StringBuilder command, String name, Optional<String> value) {
    value.ifPresent(some -> command.append(' ').append(name).append(' ').append(some));
  }

  private static void list(StringBuilder command, String name, List<String> values) {
    option(command, name, Optional.of(String.join(",", values)).filter(some -> !some.isEmpty()));
  }

  private void show(List<String> lines) {
    lines.forEach(output.text()::println);
  }
}
