package io.elastune.cli.service;

import io.elastune.cli.env.AtomicFileWriter;
import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.execute.ChoiceRefusal;
import io.elastune.cli.execute.PlanningProgress;
import io.elastune.cli.execute.RealRunEnvironment;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.html.HtmlFile;
import io.elastune.cli.html.PlanPage;
import io.elastune.cli.text.FrontierChart;
import io.elastune.cli.text.FrontierTable;
import io.elastune.cli.text.InfeasibleScreen;
import io.elastune.cli.text.MissingProfileMessage;
import io.elastune.cli.text.PlanScreen;
import io.elastune.core.ShellWord;
import io.elastune.core.config.Overrides;
import io.elastune.core.job.Job;
import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Problem;
import io.elastune.inputs.FoundPlan;
import io.elastune.inputs.FrontierChoice;
import io.elastune.inputs.Inputs;
import io.elastune.inputs.InputsLoader;
import io.elastune.inputs.LoadedFile;
import io.elastune.inputs.PlanChoice;
import io.elastune.plan.MostTrials;
import io.elastune.plan.PlanOptions;
import io.elastune.plan.estimate.AffordableTrials;
import io.elastune.plan.json.FoundPlanDocument;
import io.elastune.plan.json.InfeasibleDocument;
import io.elastune.planner.api.FrontierPoint;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Implements the command {@code plan}: finds the best plan and shows it. Starts nothing. */
public final class PlanService {
  private final CliEnvironment cliEnvironment;
  private final Output output;
  private final EffortReport effort;

  public PlanService(CliEnvironment cliEnvironment, Output output) {
    this.effort = new EffortReport(cliEnvironment);
    this.cliEnvironment = cliEnvironment;
    this.output = output;
  }

  /**
   * The arguments of the command.
   *
   * @param kind the planner
   * @param frontier whether to show the time–cost frontier
   * @param saveTo the file for the plan
   * @param drawTo the file for the chart of the frontier
   * @param html the file for the plan as HTML
   * @param timeLimit the maximum time of the search
   * @param choice another plan of the frontier to show instead
   * @param runOptions the given options that a run of this job needs too, except its locations
   */
  public record Request(
      String job,
      Overrides overrides,
      PlannerOptions.Kind kind,
      boolean frontier,
      Optional<String> saveTo,
      Optional<String> drawTo,
      Optional<HtmlFile> html,
      Optional<Duration> timeLimit,
      Optional<FrontierChoice> choice,
      String runOptions) {}

  /** Plans and shows the result. */
  public ExitCode plan(Request request) {
    Inputs inputs = new InputsLoader(cliEnvironment).load(request.job(), request.overrides());
    Problem problem =
        inputs.problem().orElseThrow(() -> MissingProfileMessage.failure(inputs, output));
    PlannerOptions options = PlanOptions.of(inputs, request.kind());
    PlanResult result =
        effort.of(
            "plan",
            () ->
                new PlanningProgress(cliEnvironment, output)
                    .plan(problem, options, isOver(request.timeLimit())));
    ExitCode exit =
        result.match(
            found ->
                found(
                    ChoiceRefusal.explained(
                        () ->
                            new PlanChoice()
                                .of(new FoundPlan(inputs, problem, found), request.choice())),
                    request),
            infeasible -> infeasible(inputs, problem, infeasible, request),
            impossible -> impossible(inputs, impossible, request));
    effort.write();
    return exit;
  }

  private BooleanSupplier isOver(Optional<Duration> timeLimit) {
    return PlanOptions.isOver(timeLimit, cliEnvironment.clock());
  }

  private ExitCode found(FoundPlan answer, Request request) {
    PlanResult.Found found = answer.found();
    effort.of(
        "guard",
        () -> new PlanningProgress(cliEnvironment, output).prepareSpendingGuard(answer.figures()));
    PlanScreen screen = new PlanScreen(answer, cliEnvironment.clock().instant(), output.verbose());
    List<String> notes = new PlanningProgress(cliEnvironment, output).lines(screen::notes);
    show(screen.lines(request.frontier(), notes));
    moreTrials(answer, request).ifPresent(output.text()::println);
    unavailable(answer.inputs(), request).ifPresent(output.text()::println);
    request.saveTo().ifPresent(file -> save(answer, request.frontier(), file));
    FrontierChart.Marks marks =
        new FrontierChart.Marks(Optional.of(found.plan()), answer.knee().map(FrontierPoint::plan));
    Supplier<String> chart =
        () ->
            FrontierChart.of(
                answer.inputs(), answer.problem(), found.frontier(), found.baselines(), marks);
    draw(chart, request);
    savePage(
        () ->
            new PlanPage(
                screen.title(),
                screen.sources(),
                screen.totals(),
                Optional.of(screen.groups()),
                chart.get(),
                notes,
                request.frontier() ? Optional.of(screen.frontier()) : Optional.empty()),
        request);
    output.jsonDocument(() -> FoundPlanDocument.of(answer, request.frontier()));
    return ExitCode.DONE;
  }

  /** Returns a line if no run can execute plans with these offers. */
  private Optional<String> unavailable(Inputs inputs, Request request) {
    return RealRunEnvironment.problem(cliEnvironment, inputs.job(), inputs.allowed())
        .map(
            problem ->
                "This plan cannot be started: "
                    + problem
                    + ". Execute it in simulated time with 'elastune run "
                    + inputs.job().name()
                    + (request.runOptions().isEmpty() ? "" : " " + request.runOptions())
                    + " --infra "
                    + simulated(request.overrides().infra())
                    + "'.");
  }

  /**
   * Returns how many trials fit the budget at least, and the command that counts them: it makes
   * plans for other numbers, which takes time.
   */
  private Optional<String> moreTrials(FoundPlan answer, Request request) {
    LoadedFile<Job> job = answer.inputs().job();
    if (job.value().budget().isEmpty() || !AffordableTrials.matters(job.value())) {
      return Optional.empty();
    }
    OptionalInt trials =
        effort.of(
            "trials",
            () -> AffordableTrials.atLeast(job.value(), answer.problem(), answer.found()));
    String limits = answer.problem().limits().deadlineS().isPresent() ? "the limits" : "the budget";
    List<String> parts = new ArrayList<>();
    trials.ifPresent(
        count ->
            parts.add("At least " + count + " trials fit " + limits + " with these instances."));
    if (request.runOptions().isEmpty()) {
      double usd = job.value().budget().get().usd();
      parts.add(
          (trials.isPresent() ? "How many fit with others" : "How many trials fit the budget")
              + ", and what twice the money buys: 'elastune estimate "
              + ShellWord.of(job.name())
              + " --budget "
              + number(usd)
              + ","
              + number(2 * usd)
              + "'.");
    }
    return parts.isEmpty() ? Optional.empty() : Optional.of(String.join(" ", parts));
  }

  private static String number(double usd) {
    return BigDecimal.valueOf(usd).stripTrailingZeros().toPlainString();
  }

  /** Without {@code --infra}, simulates the locations of the job file. */
  private static String simulated(List<String> infra) {
    return infra.isEmpty()
        ? Offer.SIMULATED
        : infra.stream()
            .map(place -> Offer.SIMULATED + "/" + place)
            .collect(Collectors.joining(","));
  }

  private void save(FoundPlan answer, boolean frontier, String given) {
    new SavedPlanWriter(cliEnvironment).write(answer, frontier, cliEnvironment.path(given));
    String file = cliEnvironment.displayFile(given);
    Inputs inputs = answer.inputs();
    if (RealRunEnvironment.problem(cliEnvironment, inputs.job(), inputs.allowed()).isPresent()) {
      output.text().println("Plan saved to " + file + ".");
      return;
    }
    output.text().println("Plan saved to " + file + ". Start it with 'elastune run " + file + "'.");
    if (frontier) {
      output
          .text()
          .println(
              "Start another plan of its frontier with 'elastune run " + file + " --choice N'.");
    }
  }

  private ExitCode infeasible(
      Inputs inputs, Problem problem, PlanResult.Infeasible result, Request request) {
    OptionalInt trials = effort.of("trials", () -> mostTrials(inputs, problem, result, request));
    InfeasibleScreen screen =
        new InfeasibleScreen(inputs, cliEnvironment.clock().instant(), trials);
    List<String> reasons =
        new PlanningProgress(cliEnvironment, output)
            .lines(progress -> screen.lines(problem, result, progress));
    show(reasons);
    Optional<FrontierTable> table =
        request.frontier() ? Optional.of(screen.frontier(problem, result)) : Optional.empty();
    table.map(FrontierTable::lines).ifPresent(this::show);
    Supplier<String> chart =
        () ->
            FrontierChart.of(
                inputs, problem, result.frontier(), result.baselines(), FrontierChart.Marks.NONE);
    draw(chart, request);
    savePage(
        () -> withoutPlan(screen, reasons, result.frontier().isEmpty() ? "" : chart.get(), table),
        request);
    output.jsonDocument(() -> InfeasibleDocument.of(inputs, result, request.frontier(), trials));
    return ExitCode.INFEASIBLE;
  }

  private OptionalInt mostTrials(
      Inputs inputs, Problem problem, PlanResult.Infeasible result, Request request) {
    MostTrials trials = new MostTrials(inputs, problem, isOver(request.timeLimit()));
    return new PlanningProgress(cliEnvironment, output)
        .during(
            "most trials that meet the limits",
            "most trials that meet the limits: %,d of at most %,d numbers tried",
            line ->
                trials.find(MostTrials.overrun(problem.limits(), result.nearest()), line::show));
  }

  private ExitCode impossible(Inputs inputs, PlanResult.Impossible result, Request request) {
    InfeasibleScreen screen = new InfeasibleScreen(inputs, cliEnvironment.clock().instant());
    List<String> reasons = screen.lines(result);
    show(reasons);
    savePage(() -> withoutPlan(screen, reasons, "", Optional.empty()), request);
    output.jsonDocument(() -> InfeasibleDocument.of(inputs, result));
    return ExitCode.INFEASIBLE;
  }

  private static PlanPage withoutPlan(
      InfeasibleScreen screen, List<String> lines, String chart, Optional<FrontierTable> frontier) {
    List<String> reasons = lines.stream().skip(1).map(String::strip).toList();
    return new PlanPage(
        screen.title(), screen.sources(), reasons, Optional.empty(), chart, List.of(), frontier);
  }

  private void show(List<String> lines) {
    lines.forEach(output.text()::println);
  }

  private void draw(Supplier<String> chart, Request request) {
    request
        .drawTo()
        .ifPresent(
            file -> {
              AtomicFileWriter.write(cliEnvironment.path(file), chart.get());
              output.text().println("Chart saved to " + cliEnvironment.displayFile(file) + ".");
            });
  }

  private void savePage(Supplier<PlanPage> page, Request request) {
    request
        .html()
        .ifPresent(
            file -> file.save(cliEnvironment, output, fragment -> page.get().html(fragment)));
  }
}
