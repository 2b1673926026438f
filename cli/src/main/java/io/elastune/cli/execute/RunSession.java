package io.elastune.cli.execute;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.env.PromptAnswer;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ErrorDetail;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.inspect.FinishedDocument;
import io.elastune.cli.inspect.ReportScreen;
import io.elastune.cli.inspect.RunRecord;
import io.elastune.cli.text.EstimateBlock;
import io.elastune.cli.text.InfeasibleScreen;
import io.elastune.cli.text.MissingProfileMessage;
import io.elastune.cli.text.PlanScreen;
import io.elastune.cli.text.ProvenanceLine;
import io.elastune.cli.text.SelectionNote;
import io.elastune.cli.text.UsdFormat;
import io.elastune.core.config.Overrides;
import io.elastune.core.config.ParseResult;
import io.elastune.core.config.PlanDocument;
import io.elastune.core.config.PlanFile;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.job.Job;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import io.elastune.core.plan.Plan;
import io.elastune.executor.decision.model.RunState;
import io.elastune.executor.journal.RunFolder;
import io.elastune.inputs.FoundPlan;
import io.elastune.inputs.FrontierChoice;
import io.elastune.inputs.Inputs;
import io.elastune.inputs.InputsLoader;
import io.elastune.inputs.LoadedFile;
import io.elastune.inputs.PlanChoice;
import io.elastune.inputs.PlanFigures;
import io.elastune.inputs.SuppliedPlan;
import io.elastune.inputs.TextFileReader;
import io.elastune.plan.json.InfeasibleDocument;
import io.elastune.plan.json.PlannedGroup;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.simulator.Simulator;
import java.util.List;
import java.util.Optional;

/**
 * Implements {@code elastune run}: profiles if necessary, plans, asks for confirmation, executes
 * and reports.
 */
public final class RunSession {
  private final CliEnvironment cliEnvironment;
  private final Output output;
  private final StartOptions options;
  private final Optional<FrontierChoice> choice;
  private final RemainingLimits remainingLimits;
  private final ConfirmationPrompt confirmationPrompt;
  private Optional<String> startedRun = Optional.empty();

  /**
   * Creates a session.
   *
   * @param choice another plan of the frontier to run instead
   */
  public RunSession(
      CliEnvironment cliEnvironment,
      Output output,
      StartOptions options,
      Optional<FrontierChoice> choice) {
    this.cliEnvironment = cliEnvironment;
    this.output = output;
    this.options = options;
    this.choice = choice;
    this.remainingLimits = new RemainingLimits(cliEnvironment.clock().instant());
    this.confirmationPrompt =
        new ConfirmationPrompt(cliEnvironment, output, options.yes(), remainingLimits);
  }

  /** Runs a job file or a saved plan. */
  public ExitCode run(String file, Overrides overrides) {
    ParseResult<LoadedFile<Boolean>> kind =
        new TextFileReader(cliEnvironment)
            .read(
                cliEnvironment.path(file),
                (name, text) -> new ParseResult.ValidFile<>(PlanFile.isPlan(text)));
    ExitCode exit = kind.orThrow().value() ? runPlan(file, overrides) : runJob(file, overrides);
    return startedRun
        .map(run -> AttachSession.ofStarter(cliEnvironment, output).attach(run))
        .orElse(exit);
  }

  private RunLauncher launcher(LoadedFile<Job> job) {
    RunLauncher runLauncher = new RunLauncher(cliEnvironment, output, job.value(), job.folder());
    if (options.follow()) {
      runLauncher.continueWithoutTerminal();
    }
    return runLauncher;
  }

  private ExitCode runPlan(String file, Overrides overrides) {
    if (!overrides.equals(Overrides.NONE)) {
      throw CommandFailure.usage(
          ErrorDetail.inFile(
              file,
              0,
              "",
              "a saved plan cannot be combined with options that change the job",
              "plan again with these options"));
    }
    LoadedFile<PlanDocument> document =
        new TextFileReader(cliEnvironment)
            .read(cliEnvironment.path(file), PlanFile::parse)
            .orThrow();
    Inputs inputs = new SavedPlanInputs(cliEnvironment, document).inputs();
    PlanDocument chosen = chosen(document);
    RunLauncher runLauncher = launcher(inputs.job());
    runLauncher.check(inputs.job(), inputs.allowed());
    JobGuard guard = guard(inputs);
    try (guard) {
      return runPlan(file, chosen, inputs, runLauncher);
    }
  }

  private ExitCode runPlan(
      String file, PlanDocument document, Inputs inputs, RunLauncher runLauncher) {
    Plan plan = SuppliedPlan.validate(document, inputs.problem().orElseThrow());
    if (!SimulatedRunEnvironment.isSimulated(inputs.allowed())) {
      new FreeDevices(cliEnvironment, output).await(inputs.problem().orElseThrow(), plan);
    }
    io.elastune.core.plan.Problem problem = remaining(inputs);
    int threads = Runtime.getRuntime().availableProcessors();
    Estimate estimate =
        new Simulator(problem, PlannerOptions.DEFAULT.samples(), threads).simulate(plan);
    PlanFigures figures = new PlanFigures(problem, plan, estimate);
    new PlanningProgress(cliEnvironment, output).prepareSpendingGuard(figures);
    if (choice.isPresent()) {
      int number = choice.get().number().orElse(0);
      var unused =
          ChoiceRefusal.explained(
              () -> PlanChoice.requireLimits(estimate, problem.limits(), number, List.of()));
    }
    show(List.of(ProvenanceLine.line("Plan of " + file, inputs, cliEnvironment.clock().instant())));
    show(new EstimateBlock(inputs, problem, plan, estimate, figures).lines());
    return confirm(
        new ApprovedPlan(inputs, problem, plan, estimate, figures), Optional.empty(), runLauncher);
  }

  /** Returns the saved plan, or the requested plan of the frontier saved with it. */
  private PlanDocument chosen(LoadedFile<PlanDocument> document) {
    if (choice.isEmpty()) {
      return document.value();
    }
    int plans = document.value().frontier().size();
    if (plans == 0) {
      throw CommandFailure.invalid(
          "--choice",
          document.name() + " contains no other plans",
          "save it with 'elastune plan --frontier -o " + document.name() + "'");
    }
    int number = choice.get().number().orElseGet(() -> SavedKnee.number(document));
    return document.value().choose(PlanChoice.inRange(number, plans));
  }

  /** Returns the planning problem with the limits left, and with the devices that are free. */
  private io.elastune.core.plan.Problem problem(Inputs inputs) {
    io.elastune.core.plan.Problem problem = remaining(inputs);
    return problem.withLimits(
        problem
            .limits()
            .withQuotas(new FreeDevices(cliEnvironment, output).await(problem.offers())));
  }

  /** Returns the planning problem with the limits left at this moment. */
  private io.elastune.core.plan.Problem remaining(Inputs inputs) {
    io.elastune.core.plan.Problem asked =
        inputs.problem().orElseThrow(() -> new IllegalStateException("no profile is loaded"));
    Job job = inputs.job().value();
    return asked.withLimits(
        SimulatedRunEnvironment.isSimulated(asked.offers())
            ? remainingLimits.virtualLimits(asked.limits(), job)
            : remainingLimits.limits(asked.limits(), job, cliEnvironment.clock().instant()));
  }

  private ExitCode runJob(String file, Overrides overrides) {
    Inputs inputs = new InputsLoader(cliEnvironment).load(file, overrides);
    RunLauncher runLauncher = launcher(inputs.job());
    runLauncher.check(inputs.job(), inputs.allowed());
    JobGuard guard = guard(inputs);
    try (guard) {
      return runJob(file, overrides, inputs, runLauncher);
    }
  }

  /** A simulated run uses no instances, so any number may be in progress. */
  private JobGuard guard(Inputs inputs) {
    if (!SimulatedRunEnvironment.isSimulated(inputs.allowed())) {
      return JobGuard.acquire(
          cliEnvironment, output, inputs.job().value().name(), Optional.empty(), options);
    }
    if (options.detach() && !options.follow()) {
      throw CommandFailure.invalid(
          "--detach",
          "a simulated run ends in seconds and is not executed in the background",
          "omit --detach");
    }
    return JobGuard.none();
  }

  private ExitCode runJob(
      String file, Overrides overrides, Inputs inputs, RunLauncher runLauncher) {
    if (SimulatedRunEnvironment.isSimulated(inputs.allowed())) {
      if (inputs.problem().isEmpty()) {
        throw MissingProfileMessage.failure(inputs, output);
      }
      return plan(
          inputs,
          runLauncher); // offers without a profile are left out: a simulated run cannot profile
    }
    List<Offer> withoutProfile = ProfilingRun.offersWithoutProfile(inputs);
    if (inputs.problem().isEmpty() || !withoutProfile.isEmpty()) {
      new HypotheticalPlans(inputs, ProfilingRun.known(inputs)).requirePossible();
    }
    new FreeDevices(cliEnvironment, output).await(inputs.allowed());
    ProfilingRun profilingRun =
        new ProfilingRun(cliEnvironment, output, remainingLimits, runLauncher);
    List<Offer> unmeasured =
        profilingRun.worthMeasuring(inputs, withoutProfile, ProfilingRun.known(inputs));
    if (!unmeasured.isEmpty()) {
      profilingRun.requireTimeLeft(inputs.job().value());
      if (!confirmationPrompt.canConfirm()) {
        throw notConfirmed("the plan will require confirmation, and no terminal is attached");
      }
      output.text().println("No profile of this program is available yet.");
      inputs.remarks().forEach(output.text()::println);
      output.text().println(profilingRun.announcement(inputs, unmeasured));
      boolean charged = unmeasured.stream().anyMatch(o -> o.price() != PriceKind.NOTIONAL);
      if (charged && !confirmationPrompt.confirm("Start profiling? Type 'yes' to confirm:")) {
        throw notConfirmed("not started");
      }
      profilingRun.measureAll(inputs, unmeasured);
    }
    return plan(unmeasured.isEmpty() ? inputs : reload(file, overrides), runLauncher);
  }

  private Inputs reload(String file, Overrides overrides) {
    return new InputsLoader(cliEnvironment).load(file, overrides);
  }

  private ExitCode plan(Inputs inputs, RunLauncher runLauncher) {
    // With --choice, the frontier is that of 'plan', so that the numbers agree.
    io.elastune.core.plan.Problem problem =
        choice.isPresent() ? inputs.problem().orElseThrow() : problem(inputs);
    int threads = Runtime.getRuntime().availableProcessors();
    PlannerOptions options =
        PlannerOptions.DEFAULT.withThreads(threads).forSearch(inputs.job().value().search());
    PlanningProgress planningProgress = new PlanningProgress(cliEnvironment, output);
    PlanResult result = planningProgress.plan(problem, options, () -> false);
    return result.match(
        found ->
            found(
                ChoiceRefusal.explained(
                    () ->
                        new PlanChoice()
                            .of(new FoundPlan(inputs, remaining(inputs), found), choice)),
                runLauncher),
        infeasible -> {
          InfeasibleScreen screen = new InfeasibleScreen(inputs, cliEnvironment.clock().instant());
          show(planningProgress.lines(progress -> screen.lines(problem, infeasible, progress)));
          output.jsonLine(() -> InfeasibleDocument.of(inputs, infeasible));
          return ExitCode.INFEASIBLE;
        },
        impossible -> {
          show(new InfeasibleScreen(inputs, cliEnvironment.clock().instant()).lines(impossible));
          output.jsonLine(() -> InfeasibleDocument.of(inputs, impossible));
          return ExitCode.INFEASIBLE;
        });
  }

  private void show(List<String> lines) {
    lines.forEach(output.text()::println);
  }

  private ExitCode found(FoundPlan answer, RunLauncher runLauncher) {
    showScreen(answer);
    return confirm(ApprovedPlan.of(answer), Optional.of(answer), runLauncher);
  }

  private void showScreen(FoundPlan answer) {
    PlanningProgress planningProgress = new PlanningProgress(cliEnvironment, output);
    planningProgress.prepareSpendingGuard(answer.figures());
    PlanScreen screen = new PlanScreen(answer, cliEnvironment.clock().instant(), output.verbose());
    show(planningProgress.lines(progress -> screen.lines(false, progress)));
  }

  /**
   * Asks for confirmation, and executes the plan or, if the user prefers it, the knee.
   *
   * @param answer the frontier of the plan, if it has one
   */
  private ExitCode confirm(
      ApprovedPlan approved, Optional<FoundPlan> answer, RunLauncher runLauncher) {
    if (remainingLimits.profilingUsd() > 0) {
      output
          .text()
          .println(
              " profiling already used "
                  + UsdFormat.format(remainingLimits.profilingUsd())
                  + approved
                      .job()
                      .budget()
                      .map(budget -> " of the " + UsdFormat.format(budget.usd()) + " budget")
                      .orElse(""));
    }
    output.text().println(" " + HangLimitLine.of(approved));
    Optional<FoundPlan> offered = answer.filter(it -> it.otherKnee().isPresent());
    String reply =
        confirmationPrompt.ask(
            offered
                .map(it -> new SelectionNote(it).question())
                .orElse("Start this plan? Type 'yes' to confirm:"));
    if (offered.isPresent() && reply.equalsIgnoreCase(FrontierChoice.KNEE)) {
      FoundPlan knee = ChoiceRefusal.explained(() -> new PlanChoice().knee(offered.get()));
      showScreen(knee);
      return start(ApprovedPlan.of(knee), runLauncher);
    }
    if (!PromptAnswer.isYes(reply)) {
      throw notConfirmed(
          options.yes() || cliEnvironment.terminal() ? "not started" : "no terminal is attached");
    }
    return start(approved, runLauncher);
  }

  private ExitCode start(ApprovedPlan approved, RunLauncher runLauncher) {
    String run =
        new RunIdGenerator(cliEnvironment.home())
            .nextId(approved.job().name(), cliEnvironment.clock().instant());
    if (options.detach() && !SimulatedRunEnvironment.isSimulated(approved.inputs().allowed())) {
      return detach(run, approved, runLauncher);
    }
    output
        .text()
        .println(
            "Run "
                + run
                + " started. 'elastune status "
                + run
                + "' shows its state; Ctrl-C "
                + (cliEnvironment.terminal() ? "asks whether to stop it." : "stops it."));
    output.jsonLine(
        () -> FirstDocument.started(run, PlannedGroup.of(approved.problem(), approved.plan())));
    RunState end =
        new TuningRun(cliEnvironment, output, remainingLimits, runLauncher).execute(approved, run);
    report(run);
    return ExitCode.of(end.ending().outcome());
  }

  private ExitCode detach(String run, ApprovedPlan approved, RunLauncher runLauncher) {
    new TuningRun(cliEnvironment, output, remainingLimits, runLauncher).write(approved, run);
    RunFolder folder = RunFolder.of(cliEnvironment.home(), run);
    BackgroundController controller = new BackgroundController(cliEnvironment, output);
    if (!options.follow()) {
      return controller.start(
          folder,
          false,
          FirstDocument.started(run, PlannedGroup.of(approved.problem(), approved.plan())));
    }
    controller.start(folder, false);
    startedRun = Optional.of(run);
    return ExitCode.DONE;
  }

  private void report(String run) {
    RunFolder folder = RunFolder.of(cliEnvironment.home(), run);
    RunRecord record = RunRecord.read(folder);
    show(ReportScreen.finished(record));
    output.jsonLine(() -> FinishedDocument.of(record));
  }

  private static CommandFailure notConfirmed(String why) {
    return CommandFailure.of(
        ExitCode.NOT_CONFIRMED, "", why, "answer 'yes' to start; -y starts without a prompt");
  }
}
