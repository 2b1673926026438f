package io.elastune.cli.inspect;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.text.DecisionText;
import io.elastune.cli.text.TextTable;
import io.elastune.core.time.Durations;
import io.elastune.executor.decision.model.ReasonCode;
import io.elastune.executor.journal.DecisionRow;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Implements {@code elastune explain}: shows every decision of a run with its reason. */
public final class ShowDecisions {
  private static final String OUTPUT_INDENT = "  | ";

  private final CliEnvironment cliEnvironment;
  private final Output output;

  public ShowDecisions(CliEnvironment cliEnvironment, Output output) {
    this.cliEnvironment = cliEnvironment;
    this.output = output;
  }

  /** Shows the decisions in the order in which they were made. */
  public ExitCode show(String name) {
    RunStatus status =
        new StatusReader(cliEnvironment).read(new RunFinder(cliEnvironment).findOrNewest(name));
    RunRecord run = status.requireRecord();
    List<DecisionRow> decisionRows = run.allDecisions();
    lines(run, decisionRows).forEach(output.text()::println);
    output.jsonDocument(
        () -> decisionRows.stream().map(row -> DecisionDocument.of(run, row)).toList());
    return ExitCode.DONE;
  }

  private static List<String> lines(RunRecord run, List<DecisionRow> decisionRows) {
    if (decisionRows.isEmpty()) {
      return List.of(run.run() + " has made no decision yet.");
    }
    TextTable table = new TextTable().right("at").left("decision").left("reason").left("numbers");
    for (DecisionRow decisionRow : decisionRows) {
      if (decisionRow.reason().code() == ReasonCode.RELEASED_UNUSABLE) {
        continue; // the decision before it says so, with the cause and the cost
      }
      List<String> reason =
          DecisionText.of(run.run(), decisionRow.reason(), decisionRow.numbers())
              .lines()
              .filter(line -> !line.isBlank())
              .toList();
      table.row(
          Durations.format(run.atS(decisionRow)),
          decisionRow.decision(),
          reason.get(0),
          numbers(decisionRow.numbers()));
      // The output of a failed step: a line each, so that the columns stay where they are.
      reason.stream().skip(1).forEach(line -> table.row("", "", OUTPUT_INDENT + line, ""));
    }
    return table.lines();
  }

  private static String numbers(Map<String, Double> numbers) {
    return numbers.entrySet().stream()
        .filter(entry -> !entry.getKey().startsWith("metric_")) // the reason has them
        .sorted(Map.Entry.comparingByKey())
        .map(entry -> entry.getKey() + "=" + ValueFormat.text(entry.getValue()))
        .collect(Collectors.joining(" "));
  }
}
