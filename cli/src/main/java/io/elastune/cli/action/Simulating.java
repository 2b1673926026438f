package io.elastune.cli.action;

import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.json.EstimateJson;
import io.elastune.cli.screen.EstimateBlock;
import io.elastune.cli.screen.Provenance;
import io.elastune.cli.screen.Remarks;
import io.elastune.cli.wiring.GivenPlan;
import io.elastune.cli.wiring.Inputs;
import io.elastune.cli.wiring.InputsLoader;
import io.elastune.cli.wiring.Loaded;
import io.elastune.cli.wiring.TextFiles;
import io.elastune.cli.world.Output;
import io.elastune.cli.world.World;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.files.Overrides;
import io.elastune.core.files.PlanDocument;
import io.elastune.core.files.PlanFile;
import io.elastune.core.plan.Plan;
import io.elastune.core.plan.Problem;
import io.elastune.simulator.Simulator;
import java.util.ArrayList;
import java.util.List;

/** The command {@code simulate}: predicts a given plan. */
public final class Simulating {
  private final World world;
  private final Output output;

  public Simulating(World world, Output output) {
    this.world = world;
    this.output = output;
  }

  /** Predicts the plan in {@code planFile} for the job in {@code jobFile}. */
  public ExitCode simulate(String jobFile, String planFile, int samples, Overrides overrides) {
    Loaded<PlanDocument> document =
        new TextFiles(world).read(world.path(planFile), PlanFile::parse).orThrow();
    Inputs inputs = new InputsLoader(world).load(jobFile, overrides);
    Problem problem = inputs.problem().orElseThrow(() -> Unmeasured.failure(inputs, output));
    Plan plan = GivenPlan.checked(document.value(), problem);
    Estimate estimate = new Simulator(problem, samples).simulate(plan);
    show(inputs, problem, plan, estimate, document.name());
    output.document(() -> EstimateJson.simulated(estimate));
    return ExitCode.DONE;
  }

  private void show(Inputs inputs, Problem problem, Plan plan, Estimate estimate, String planFile) {
    List<String> lines = new ArrayList<>();
    lines.add(Provenance.line("Prediction of " + planFile, inputs, world.clock().instant()));
    lines.addAll(new EstimateBlock(inputs, problem, plan, estimate).lines());
    new Remarks(inputs, problem, plan).lines().forEach(line -> lines.add(" " + line));
    lines.forEach(output.people()::println);
  }
}
