package io.elastune.cli.action;

import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.json.PlanJson;
import io.elastune.cli.screen.InfeasibleScreen;
import io.elastune.cli.screen.PlanScreen;
import io.elastune.cli.wiring.Inputs;
import io.elastune.cli.wiring.InputsLoader;
import io.elastune.cli.wiring.PlanAnswer;
import io.elastune.cli.world.Output;
import io.elastune.cli.world.World;
import io.elastune.core.files.Overrides;
import io.elastune.core.plan.Problem;
import io.elastune.planner.PlanResult;
import io.elastune.planner.Planner;
import io.elastune.planner.PlannerOptions;
import java.util.Optional;

/** The command {@code plan}: looks for the best plan and shows it. Starts nothing. */
public final class Planning {
  private final World world;
  private final Output output;

  public Planning(World world, Output output) {
    this.world = world;
    this.output = output;
  }

  /**
   * What is asked for.
   *
   * @param kind which planner
   * @param frontier whether to show all other choices too
   * @param saveTo where to save the plan
   */
  public record Request(
      String job,
      Overrides overrides,
      PlannerOptions.Kind kind,
      boolean frontier,
      Optional<String> saveTo) {}

  /** Plans, and shows what was found. */
  public ExitCode plan(Request request) {
    Inputs inputs = new InputsLoader(world).load(request.job(), request.overrides());
    Problem problem = inputs.problem().orElseThrow(() -> Unmeasured.failure(inputs, output));
    PlannerOptions options = PlannerOptions.DEFAULT.with(request.kind());
    PlanResult result = new Planner(problem, options).plan();
    return result.match(
        found -> found(new PlanAnswer(inputs, problem, found), request),
        infeasible -> infeasible(inputs, infeasible, request),
        impossible -> impossible(inputs, impossible));
  }

  private ExitCode found(PlanAnswer answer, Request request) {
    new PlanScreen(answer, world.clock().instant())
        .lines(request.frontier())
        .forEach(output.people()::println);
    request.saveTo().ifPresent(file -> save(answer, file));
    output.document(() -> PlanJson.found(answer, request.frontier()));
    return ExitCode.DONE;
  }

  private void save(PlanAnswer answer, String file) {
    new SavedPlans(world).write(answer, world.path(file));
    output.people().println("Saved as " + file + "; 'elastune run " + file + "' starts it.");
  }

  private ExitCode infeasible(Inputs inputs, PlanResult.Infeasible result, Request request) {
    new InfeasibleScreen(inputs, world.clock().instant())
        .lines(result)
        .forEach(output.people()::println);
    output.document(() -> PlanJson.infeasible(inputs, result, request.frontier()));
    return ExitCode.INFEASIBLE;
  }

  private ExitCode impossible(Inputs inputs, PlanResult.Impossible result) {
    new InfeasibleScreen(inputs, world.clock().instant())
        .lines(result)
        .forEach(output.people()::println);
    output.document(() -> PlanJson.impossible(inputs));
    return ExitCode.INFEASIBLE;
  }
}
