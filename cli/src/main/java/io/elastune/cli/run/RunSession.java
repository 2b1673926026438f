package io.elastune.cli.run;

import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.failure.Problem;
import io.elastune.cli.json.PlanJson;
import io.elastune.cli.runs.FinishedDocument;
import io.elastune.cli.runs.ReportScreen;
import io.elastune.cli.runs.RunRecord;
import io.elastune.cli.screen.EstimateBlock;
import io.elastune.cli.screen.InfeasibleScreen;
import io.elastune.cli.screen.PlanScreen;
import io.elastune.cli.screen.Provenance;
import io.elastune.cli.screen.Unmeasured;
import io.elastune.cli.screen.Usd;
import io.elastune.cli.wiring.GivenPlan;
import io.elastune.cli.wiring.Inputs;
import io.elastune.cli.wiring.InputsLoader;
import io.elastune.cli.wiring.Loaded;
import io.elastune.cli.wiring.PlanAnswer;
import io.elastune.cli.wiring.TextFiles;
import io.elastune.cli.world.Output;
import io.elastune.cli.world.World;
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
import io.elastune.planner.Planner;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import io.elastune.simulator.Simulator;
import java.util.List;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Implements {@code elastune run}: profiles if necessary, plans, asks for confirmation, executes
 * and reports.
 */
public final class RunSession {
  private final World world;
  private final Output output;
  private final boolean yes;
  private final Account account;
  private final Question question;

  /** {@code yes}: whether the plan is confirmed on the command line. */
  public RunSession(World world, Output output, boolean yes) {
    this.world = world;
    this.output = output;
    this.yes = yes;
    this.account = new Account(world.clock().instant());
    this.question = new Question(world, output, yes, account);
  }

  /** Runs a job file or a saved plan. */
  public ExitCode run(String file, Overrides overrides) {
    ParseResult<Loaded<Boolean>> kind =
        new TextFiles(world)
            .read(
                world.path(file),
                (name, text) -> new ParseResult.ValidFile<>(PlanFile.isPlan(text)));
    return kind.orThrow().value() ? runPlan(file, overrides) : runJob(file, overrides);
  }

  private ExitCode runPlan(String file, Overrides overrides) {
    if (!overrides.equals(Overrides.NONE)) {
      throw CommandFailure.usage(
          Problem.in(
              file,
              0,
              "",
              "a saved plan cannot be combined with options that change the job",
              "plan again with these options"));
    }
    Loaded<PlanDocument> document =
        new TextFiles(world).read(world.path(file), PlanFile::parse).orThrow();
    Inputs inputs = new SavedRun(world, document).inputs();
    Carrier carrier = new Carrier(world, output, inputs.job().value(), inputs.job().folder());
    carrier.check(inputs.job().name(), inputs.allowed());
    io.elastune.core.plan.Problem problem = problem(inputs);
    Plan plan = GivenPlan.checked(document.value(), problem);
    Estimate estimate = new Simulator(problem, PlannerOptions.DEFAULT.samples()).simulate(plan);
    show(List.of(Provenance.line("Plan of " + file, inputs, world.clock().instant())));
    show(new EstimateBlock(inputs, problem, plan, estimate).lines());
    return confirm(new Approval(inputs, problem, plan, estimate), carrier);
  }

  /** Returns the planning problem with the limits left at this moment. */
  private io.elastune.core.plan.Problem problem(Inputs inputs) {
    io.elastune.core.plan.Problem asked =
        inputs.problem().orElseThrow(() -> new IllegalStateException("no profile is loaded"));
    Job job = inputs.job().value();
    return asked.withLimits(account.limits(asked.limits(), job, world.clock().instant()));
  }

  private ExitCode runJob(String file, Overrides overrides) {
    Inputs inputs = new InputsLoader(world).load(file, overrides);
    Job job = inputs.job().value();
    Carrier carrier = new Carrier(world, output, job, inputs.job().folder());
    carrier.check(inputs.job().name(), inputs.allowed());
    if (SimulatedGround.isMeant(inputs.allowed())) {
      if (inputs.problem().isEmpty()) {
        throw Unmeasured.failure(inputs, output);
      }
      return plan(
          inputs, carrier); // offers without a profile are left out: a simulated run cannot profile
    }
    List<Offer> unmeasured = Measuring.missing(inputs);
    if (!unmeasured.isEmpty()) {
      Measuring measuring = new Measuring(world, output, account, carrier);
      output.people().println("No profile of this program is available yet.");
      output.people().println(measuring.announcement(inputs, unmeasured));
      if (!question.canAsk()) {
        throw notConfirmed("the plan will require confirmation, and no terminal is attached");
      }
      boolean charged = unmeasured.stream().anyMatch(o -> o.price() != PriceKind.NOTIONAL);
      if (charged && !question.confirmed("Start profiling? Type 'yes' to confirm:")) {
        throw notConfirmed("not started");
      }
      unmeasured.forEach(offer -> measuring.measure(inputs, offer));
    }
    return plan(unmeasured.isEmpty() ? inputs : reload(file, overrides), carrier);
  }

  private Inputs reload(String file, Overrides overrides) {
    return new InputsLoader(world).load(file, overrides);
  }

  private ExitCode plan(Inputs inputs, Carrier carrier) {
    io.elastune.core.plan.Problem problem = problem(inputs);
    int threads = Runtime.getRuntime().availableProcessors();
    PlanResult result = new Planner(problem, PlannerOptions.DEFAULT.withThreads(threads)).plan();
    return result.match(
        found -> found(new PlanAnswer(inputs, problem, found), carrier),
        infeasible -> {
          show(
              new InfeasibleScreen(inputs, world.clock().instant())
                  .lines(problem, infeasible, false));
          output.line(() -> PlanJson.infeasible(inputs, infeasible, false));
          return ExitCode.INFEASIBLE;
        },
        impossible -> {
          show(new InfeasibleScreen(inputs, world.clock().instant()).lines(impossible));
          output.line(() -> PlanJson.impossible(inputs, impossible));
          return ExitCode.INFEASIBLE;
        });
  }

  private void show(List<String> lines) {
    lines.forEach(output.people()::println);
  }

  private ExitCode found(PlanAnswer answer, Carrier carrier) {
    show(new PlanScreen(answer, world.clock().instant()).lines(false));
    return confirm(Approval.of(answer), carrier);
  }

  private ExitCode confirm(Approval approved, Carrier carrier) {
    if (account.profilingUsd() > 0) {
      output
          .people()
          .println(
              " profiling has already used "
                  + Usd.format(account.profilingUsd())
                  + " of the budget");
    }
    if (!question.confirmed("Start this plan? Type 'yes' to confirm:")) {
      throw notConfirmed(yes || world.terminal() ? "not started" : "no terminal is attached");
    }
    String run = new RunIds(world.home()).next(approved.job().name(), world.clock().instant());
    output
        .people()
        .println(
            "Run "
                + run
                + " started. 'elastune status "
                + run
                + "' shows its state; Ctrl-C stops it.");
    started(run, approved);
    RunState end = new Tuning(world, output, account, carrier).carry(approved, run);
    report(run);
    return ExitCode.of(end.ending().exitCode());
  }

  private void started(String run, Approval approved) {
    if (output.json()) {
      ObjectNode started =
          JsonNodeFactory.instance.objectNode().put("event", "started").put("run", run);
      started.set("plan", PlanJson.rows(approved.problem(), approved.plan()));
      world.out().println(started);
    }
  }

  private void report(String run) {
    RunFolder folder = RunFolder.of(world.home(), run);
    RunRecord record = RunRecord.read(folder);
    show(ReportScreen.finished(record));
    if (output.json()) {
      world.out().println(FinishedDocument.of(record));
    }
  }

  private static CommandFailure notConfirmed(String why) {
    return new CommandFailure(
        ExitCode.NOT_CONFIRMED,
        List.of(Problem.of("", why, "answer 'yes' to start; -y starts without a prompt")));
  }
}
