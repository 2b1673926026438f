package io.elastune.cli.service;

import io.elastune.cli.env.AtomicFileWriter;
import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.env.ProgressLine;
import io.elastune.cli.execute.PlanningProgress;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.text.DagDot;
import io.elastune.cli.text.EstimateBlock;
import io.elastune.cli.text.MissingProfileMessage;
import io.elastune.cli.text.PlanNotes;
import io.elastune.cli.text.ProvenanceLine;
import io.elastune.cli.text.SamplingLine;
import io.elastune.cli.text.TimeBreakdown;
import io.elastune.cli.text.TraceTable;
import io.elastune.core.config.Overrides;
import io.elastune.core.config.PlanDocument;
import io.elastune.core.config.PlanFile;
import io.elastune.core.plan.Plan;
import io.elastune.inputs.AssumedNumbers;
import io.elastune.inputs.Inputs;
import io.elastune.inputs.InputsLoader;
import io.elastune.inputs.LoadedFile;
import io.elastune.inputs.SuppliedPlan;
import io.elastune.inputs.TextFileReader;
import io.elastune.plan.PlanPrediction;
import io.elastune.plan.TrialOrder;
import io.elastune.simulator.IncrementalSampling;
import io.elastune.simulator.Simulator;
import io.elastune.simulator.graph.CompletedDag;
import io.elastune.simulator.rank.RankModel;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Implements the command {@code simulate}: predicts time and cost of a given plan. */
public final class SimulationService {
  private static final String STANDARD_OUTPUT = "-";

  private final CliEnvironment cliEnvironment;
  private final Output output;

  public SimulationService(CliEnvironment cliEnvironment, Output output) {
    this.cliEnvironment = cliEnvironment;
    this.output = output;
  }

  /**
   * The arguments of the command.
   *
   * @param job the job file
   * @param plan the plan file
   * @param samples the maximum number of samples
   * @param dot the file for the execution graph; {@code -} is standard output
   * @param trace whether the events of the first sample are shown
   */
  public record Request(
      String job,
      String plan,
      int samples,
      Overrides overrides,
      Optional<String> dot,
      TrialOrder order,
      boolean trace) {}

  /** Predicts the plan. */
  public ExitCode simulate(Request request) {
    request.dot().ifPresent(dot -> check(request, dot));
    LoadedFile<PlanDocument> document =
        new TextFileReader(cliEnvironment)
            .read(cliEnvironment.path(request.plan()), PlanFile::parse)
            .orThrow();
    Inputs inputs = new InputsLoader(cliEnvironment).load(request.job(), request.overrides());
    io.elastune.core.plan.Problem problem =
        inputs.problem().orElseThrow(() -> MissingProfileMessage.failure(inputs, output));
    Plan plan = SuppliedPlan.validate(document.value(), problem);
    RankModel ranks = request.order().of(cliEnvironment, inputs, problem);
    Simulator simulator =
        new Simulator(
            problem, request.samples(), Runtime.getRuntime().availableProcessors(), ranks);
    IncrementalSampling sampling = sample(simulator, plan, request.samples());
    PlanPrediction planPrediction =
        PlanPrediction.of(
            inputs,
            problem,
            plan,
            ranks,
            sampling,
            request.trace() ? simulator.trace(plan) : List.of());
    new PlanningProgress(cliEnvironment, output).prepareSpendingGuard(planPrediction.figures());
    PrintStream people =
        request.dot().equals(Optional.of(STANDARD_OUTPUT)) ? cliEnvironment.err() : output.text();
    lines(planPrediction, document.name()).forEach(people::println);
    request.dot().ifPresent(dot -> draw(planPrediction, simulator, dot, people));
    output.jsonDocument(planPrediction::document);
    return ExitCode.DONE;
  }

  private IncrementalSampling sample(Simulator simulator, Plan plan, int samples) {
    try (ProgressLine progressLine =
        new ProgressLine(cliEnvironment, output, "%,d of at most %,d samples")) {
      return simulator.sampledUntilAccurate(plan, progressLine.of(samples));
    }
  }

  /** Rejects options that would mix two documents or overwrite an input file. */
  private void check(Request request, String dot) {
    if (dot.equals(STANDARD_OUTPUT) && output.json()) {
      throw CommandFailure.invalid(
          "--dot",
          "the graph and the JSON document cannot both be written to standard output",
          "specify a file: --dot dag.dot");
    }
    Path file = cliEnvironment.path(dot);
    if (isSame(file, cliEnvironment.path(request.job()))
        || isSame(file, cliEnvironment.path(request.plan()))) {
      throw CommandFailure.invalid(
          "--dot", dot + " is an input file of this command", "specify another file");
    }
  }

  private static boolean isSame(Path a, Path b) {
    try {
      return a.equals(b) || (Files.exists(a) && Files.exists(b) && Files.isSameFile(a, b));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<String> lines(PlanPrediction of, String planFile) {
    List<String> lines = new ArrayList<>();
    lines.add(
        ProvenanceLine.line(
            "Prediction of " + planFile, of.inputs(), cliEnvironment.clock().instant()));
    lines.addAll(
        new EstimateBlock(of.inputs(), of.problem(), of.plan(), of.estimate(), of.figures())
            .lines());
    SamplingLine.of(of.estimate()).forEach(line -> lines.add(" " + line));
    String mark =
        new AssumedNumbers(of.inputs(), of.problem(), of.figures().ranks())
            .mark(Stream.of(of.plan()));
    of.contributions()
        .map(contributions -> new TimeBreakdown(contributions, mark).lines())
        .orElse(List.of())
        .forEach(line -> lines.add(" " + line));
    PlanNotes notes = new PlanNotes(of.inputs(), of.problem(), of.plan(), of.figures());
    new PlanningProgress(cliEnvironment, output)
        .lines(notes::lines)
        .forEach(line -> lines.add(" " + line));
    if (!of.trace().isEmpty()) {
      lines.add("Events of the first sample:");
      String units = of.inputs().job().value().search().resource().unit() + "s";
      TraceTable.lines(of.trace(), units).forEach(line -> lines.add(" " + line));
    }
    return lines;
  }

  private void draw(PlanPrediction of, Simulator simulator, String dot, PrintStream people) {
    CompletedDag dag =
        of.problem().workload().rungs().isPresent()
            ? simulator.firstSample(of.plan())
            : Simulator.dagAtMeans(of.problem(), of.plan());
    String text =
        new DagDot(
                of.inputs().job().value().name(),
                of.inputs().job().value().search().resource().unit(),
                of.problem(),
                of.plan(),
                dag)
            .text();
    if (dot.equals(STANDARD_OUTPUT)) {
      cliEnvironment.out().print(text);
    } else {
      AtomicFileWriter.write(cliEnvironment.path(dot), text);
      String shown = cliEnvironment.displayFile(dot);
      people.println(
          "Graph saved to " + shown + ". Draw it with 'dot -Tsvg " + shown + " -o dag.svg'.");
    }
  }
}
