package io.elastune.cli.action;

import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.json.PlanJson;
import io.elastune.cli.screen.FrontierChart;
import io.elastune.cli.screen.InfeasibleScreen;
import io.elastune.cli.screen.PlanScreen;
import io.elastune.cli.screen.Unmeasured;
import io.elastune.cli.wiring.Inputs;
import io.elastune.cli.wiring.InputsLoader;
import io.elastune.cli.wiring.PlanAnswer;
import io.elastune.cli.wiring.WholeFiles;
import io.elastune.cli.world.Output;
import io.elastune.cli.world.World;
import io.elastune.core.config.Overrides;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.planner.Planner;
import io.elastune.planner.api.Baseline;
import io.elastune.planner.api.FrontierPoint;
import io.elastune.planner.api.PlanResult;
import io.elastune.planner.api.PlannerOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Implements the command {@code plan}: finds the best plan and shows it. Starts nothing. */
public final class Planning {
  private final World world;
  private final Output output;

  public Planning(World world, Output output) {
    this.world = world;
    this.output = output;
  }

  /**
   * The arguments of the command.
   *
   * @param kind the planner
   * @param frontier whether to show the time–cost frontier
   * @param saveTo the file for the plan
   * @param drawTo the file for the chart of the frontier
   * @param timeLimit the maximum time of the search
   */
  public record Request(
      String job,
      Overrides overrides,
      PlannerOptions.Kind kind,
      boolean frontier,
      Optional<String> saveTo,
      Optional<String> drawTo,
      Optional<Duration> timeLimit) {}

  /** Plans and shows the result. */
  public ExitCode plan(Request request) {
    Inputs inputs = new InputsLoader(world).load(request.job(), request.overrides());
    Problem problem = inputs.problem().orElseThrow(() -> Unmeasured.failure(inputs, output));
    int threads = Runtime.getRuntime().availableProcessors();
    PlannerOptions options = PlannerOptions.DEFAULT.withKind(request.kind()).withThreads(threads);
    PlanResult result = new Planner(problem, options, isOver(request.timeLimit())).plan();
    return result.match(
        found -> found(new PlanAnswer(inputs, problem, found), request),
        infeasible -> infeasible(inputs, problem, infeasible, request),
        impossible -> impossible(inputs, impossible));
  }

  private BooleanSupplier isOver(Optional<Duration> timeLimit) {
    if (timeLimit.isEmpty()) {
      return () -> false;
    }
    Instant end = world.clock().instant().plus(timeLimit.get());
    return () -> !world.clock().instant().isBefore(end);
  }

  private ExitCode found(PlanAnswer answer, Request request) {
    PlanResult.Found found = answer.found();
    show(new PlanScreen(answer, world.clock().instant()).lines(request.frontier()));
    request.saveTo().ifPresent(file -> save(answer, request.frontier(), file));
    draw(answer.inputs(), found.frontier(), found.baselines(), Optional.of(found.plan()), request);
    output.document(() -> PlanJson.found(answer, request.frontier()));
    return ExitCode.DONE;
  }

  private void save(PlanAnswer answer, boolean frontier, String file) {
    new SavedPlans(world).write(answer, frontier, world.path(file));
    output
        .people()
        .println("Plan saved to " + file + ". Start it with 'elastune run " + file + "'.");
    if (frontier) {
      output
          .people()
          .println(
              "To start another plan of its \"frontier\", replace the top-level \"plan\" and"
                  + " \"hold\" with those of that plan.");
    }
  }

  private ExitCode infeasible(
      Inputs inputs, Problem problem, PlanResult.Infeasible result, Request request) {
    show(
        new InfeasibleScreen(inputs, world.clock().instant())
            .lines(problem, result, request.frontier()));
    draw(inputs, result.frontier(), result.baselines(), Optional.empty(), request);
    output.document(() -> PlanJson.infeasible(inputs, result, request.frontier()));
    return ExitCode.INFEASIBLE;
  }

  private ExitCode impossible(Inputs inputs, PlanResult.Impossible result) {
    show(new InfeasibleScreen(inputs, world.clock().instant()).lines(result));
    output.document(() -> PlanJson.impossible(inputs, result));
    return ExitCode.INFEASIBLE;
  }

  private void show(List<String> lines) {
    lines.forEach(output.people()::println);
  }

  private void draw(
      Inputs inputs,
      List<FrontierPoint> frontier,
      List<Baseline> baselines,
      Optional<Plan> shown,
      Request request) {
    if (request.drawTo().isPresent() && inputs.problem().isPresent()) {
      String file = request.drawTo().get();
      String job = inputs.job().value().name();
      WholeFiles.write(
          world.path(file),
          FrontierChart.of(job, inputs.problem().get(), frontier, baselines, shown));
      output.people().println("Chart saved to " + file + ".");
    }
  }
}
