package io.elastune.cli.action;

import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.failure.Problem;
import io.elastune.cli.json.ContributionsJson;
import io.elastune.cli.json.EstimateJson;
import io.elastune.cli.screen.DagDot;
import io.elastune.cli.screen.EstimateBlock;
import io.elastune.cli.screen.Provenance;
import io.elastune.cli.screen.Remarks;
import io.elastune.cli.screen.SamplingLine;
import io.elastune.cli.screen.TimeUse;
import io.elastune.cli.screen.Unmeasured;
import io.elastune.cli.wiring.Assumed;
import io.elastune.cli.wiring.GivenPlan;
import io.elastune.cli.wiring.Inputs;
import io.elastune.cli.wiring.InputsLoader;
import io.elastune.cli.wiring.Loaded;
import io.elastune.cli.wiring.TextFiles;
import io.elastune.cli.wiring.WholeFiles;
import io.elastune.cli.world.Output;
import io.elastune.cli.world.World;
import io.elastune.core.config.Overrides;
import io.elastune.core.config.PlanDocument;
import io.elastune.core.config.PlanFile;
import io.elastune.core.estimate.Estimate;
import io.elastune.core.plan.Plan;
import io.elastune.simulator.CompletedDagBuilder;
import io.elastune.simulator.Contributions;
import io.elastune.simulator.Simulator;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/** Implements the command {@code simulate}: predicts time and cost of a given plan. */
public final class Simulating {
  private static final String STANDARD_OUTPUT = "-";

  private final World world;
  private final Output output;

  public Simulating(World world, Output output) {
    this.world = world;
    this.output = output;
  }

  /**
   * The arguments of the command.
   *
   * @param job the job file
   * @param plan the plan file
   * @param samples the maximum number of samples
   * @param dot the file for the execution graph; {@code -} is standard output
   */
  public record Request(
      String job, String plan, int samples, Overrides overrides, Optional<String> dot) {}

  /** A prediction with its inputs. */
  private record Prediction(
      Inputs inputs,
      io.elastune.core.plan.Problem problem,
      Plan plan,
      Estimate estimate,
      Contributions contributions) {}

  /** Predicts the plan. */
  public ExitCode simulate(Request request) {
    request.dot().ifPresent(dot -> check(request, dot));
    Loaded<PlanDocument> document =
        new TextFiles(world).read(world.path(request.plan()), PlanFile::parse).orThrow();
    Inputs inputs = new InputsLoader(world).load(request.job(), request.overrides());
    io.elastune.core.plan.Problem problem =
        inputs.problem().orElseThrow(() -> Unmeasured.failure(inputs, output));
    Plan plan = GivenPlan.checked(document.value(), problem);
    Prediction prediction =
        new Prediction(
            inputs,
            problem,
            plan,
            estimate(problem, plan, request.samples()),
            Contributions.of(problem, plan));
    PrintStream people =
        request.dot().equals(Optional.of(STANDARD_OUTPUT)) ? world.err() : output.people();
    lines(prediction, document.name()).forEach(people::println);
    request.dot().ifPresent(dot -> draw(prediction, dot, people));
    output.document(() -> json(prediction));
    return ExitCode.DONE;
  }

  private Estimate estimate(io.elastune.core.plan.Problem problem, Plan plan, int samples) {
    try (Countdown countdown =
        new Countdown(world, output, "%,d of at most %,d samples", samples)) {
      return new Simulator(problem, samples, Runtime.getRuntime().availableProcessors())
          .simulateUntilAccurate(plan, countdown);
    }
  }

  /** Rejects options that would mix two documents or overwrite an input file. */
  private void check(Request request, String dot) {
    if (dot.equals(STANDARD_OUTPUT) && output.json()) {
      throw CommandFailure.usage(
          Problem.of(
              "--dot",
              "the graph and the JSON document cannot both be written to standard output",
              "specify a file: --dot dag.dot"));
    }
    Path file = world.path(dot);
    if (isSame(file, world.path(request.job())) || isSame(file, world.path(request.plan()))) {
      throw CommandFailure.usage(
          Problem.of("--dot", dot + " is an input file of this command", "specify another file"));
    }
  }

  private static boolean isSame(Path a, Path b) {
    try {
      return a.equals(b) || (Files.exists(a) && Files.exists(b) && Files.isSameFile(a, b));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<String> lines(Prediction of, String planFile) {
    List<String> lines = new ArrayList<>();
    lines.add(Provenance.line("Prediction of " + planFile, of.inputs(), world.clock().instant()));
    lines.addAll(new EstimateBlock(of.inputs(), of.problem(), of.plan(), of.estimate()).lines());
    SamplingLine.of(of.estimate()).forEach(line -> lines.add(" " + line));
    String mark = new Assumed(of.problem()).mark(Stream.of(of.plan()));
    new TimeUse(of.contributions(), mark).lines().forEach(line -> lines.add(" " + line));
    new Remarks(of.inputs(), of.problem(), of.plan())
        .lines()
        .forEach(line -> lines.add(" " + line));
    return lines;
  }

  private void draw(Prediction of, String dot, PrintStream people) {
    String text =
        new DagDot(
                of.inputs().job().value().name(),
                of.inputs().job().value().search().resource().unit(),
                of.problem(),
                of.plan(),
                CompletedDagBuilder.atMeans(of.problem(), of.plan()))
            .text();
    if (dot.equals(STANDARD_OUTPUT)) {
      world.out().print(text);
    } else {
      WholeFiles.write(world.path(dot), text);
      people.println(
          "Graph saved to " + dot + ". Draw it with 'dot -Tsvg " + dot + " -o dag.svg'.");
    }
  }

  private static ObjectNode json(Prediction of) {
    ObjectNode document = EstimateJson.simulated(of.estimate());
    ContributionsJson.addTo(document, of.contributions());
    return document;
  }
}
