package io.elastune.cli.inspect;

import io.elastune.cli.text.DecisionText;
import io.elastune.cli.text.JobCommand;
import io.elastune.cli.text.Plural;
import io.elastune.cli.text.UsdFormat;
import io.elastune.core.time.Durations;
import io.elastune.executor.code.CodeException;
import io.elastune.executor.code.CodeSnapshot;
import io.elastune.executor.code.RunCode;
import io.elastune.executor.decision.model.DecisionKind;
import io.elastune.executor.journal.DecisionRow;
import io.elastune.executor.journal.RunFolder;
import io.elastune.executor.journal.TrialRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Renders the report of a run as text. */
public final class ReportScreen {
  private static final String NAME_COLUMN = "   %-" + 12 + "s  %s";

  private final RunStatus status;
  private final RunRecord run;
  private final TrialBrackets trialBrackets;

  ReportScreen(RunStatus status, RunRecord run) {
    this.status = status;
    this.run = run;
    this.trialBrackets = TrialBrackets.of(run);
  }

  /**
   * Returns the screen of a finished run. It reads no lock, so the run's controller may call it.
   */
  public static List<String> finished(RunRecord run) {
    return new ReportScreen(StatusReader.finished(run), run).lines();
  }

  /** Returns the whole screen. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    String file = JobCommand.file(run.meta().jobFile()).map(name -> "   " + name).orElse("");
    lines.add("Report of " + run.run() + file);
    if (run.simulated()) {
      lines.add(
          " simulated in virtual time: nothing was rented, trained or charged, and the metrics"
              + " are synthetic");
    }
    lines.addAll(ending());
    lines.add("");
    lines.addAll(best());
    lines.add("");
    lines.addAll(new GroupTable(run).lines());
    lines.add("");
    lines.addAll(new LeaseTable(run).lines());
    lines.add("");
    lines.addAll(totals());
    lines.addAll(new FailedNodeList(run).lines());
    List<String> failures = FailureGroups.of(run).lines();
    if (!failures.isEmpty()) {
      lines.add(" failures by cause");
      failures.forEach(line -> lines.add("   " + line));
    }
    lines.addAll(new FaultList(run).lines());
    lines.addAll(where());
    return lines;
  }

  private List<String> ending() {
    List<String> lines = new ArrayList<>();
    lines.add(" " + new StatusScreen(status, run.progress().at()).state());
    if (!status.standing().isOver()) {
      lines.add(" The run is still in progress. Results so far:");
    } else if (status.standing() == RunStateLabel.CRASHED) {
      lines.add(" The controller has stopped. Results up to that point (see elastune status):");
    } else if (status.standing() == RunStateLabel.STOPPED) {
      lines.add(" The run did not finish. Results up to that point:");
    }
    run.progress()
        .began()
        .ifPresent(at -> lines.add(" started " + StatusScreen.MOMENT.format(at) + took()));
    RunLoad.read(run.folder()).flatMap(RunLoad::summary).ifPresent(text -> lines.add(" " + text));
    resumed().ifPresent(lines::add);
    run.firstRisk().ifPresent(risk -> lines.add(" deadline at risk " + foreseen(risk)));
    return lines;
  }

  /** Returns how often the run was resumed, and how long it had no controller. That time counts. */
  private Optional<String> resumed() {
    List<Double> away =
        run.decisions().stream()
            .filter(decisionRow -> decisionRow.kind() == DecisionKind.RESUME)
            .map(decisionRow -> decisionRow.numbers().getOrDefault("away_s", 0.0))
            .toList();
    double sum = away.stream().mapToDouble(seconds -> seconds).sum();
    return away.isEmpty()
        ? Optional.empty()
        : Optional.of(
            " resumed "
                + (away.size() == 1 ? "once" : away.size() + " times")
                + ", after "
                + Durations.format(sum)
                + " without a controller");
  }

  private String foreseen(DecisionRow risk) {
    return "after "
        + Durations.format(run.atS(risk))
        + ": "
        + DecisionText.of(run.run(), risk.reason(), risk.numbers())
        + (run.risk().isPresent() ? "" : "; later on time again");
  }

  private String took() {
    StringBuilder text = new StringBuilder();
    run.completionS()
        .ifPresent(took -> text.append(", last group ended after ").append(Durations.format(took)));
    run.meta()
        .estimate()
        .map(estimate -> estimate.completionS().mean())
        .ifPresent(mean -> text.append(", predicted ").append(Durations.format(mean)));
    run.deadlineS().ifPresent(limit -> text.append(", deadline ").append(Durations.format(limit)));
    return text.toString();
  }

  private List<String> best() {
    List<String> lines = new ArrayList<>();
    run.best()
        .ifPresentOrElse(
            trialRow -> lines.addAll(best(trialRow)),
            () ->
                lines.add(
                    " best: none; no trial has reported "
                        + metric()
                        + " at the end of a group or rung"));
    return lines;
  }

  private List<String> best(TrialRow trialRow) {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            " best: trial %d%s%s with %s %s after %s %s%s",
            trialRow.trial(),
            trialBrackets.suffix(trialRow.trial()),
            origin(trialRow),
            run.simulated() ? "synthetic " + metric() : metric(),
            ValueFormat.text(trialRow.metric().orElseThrow()),
            run.meta().unit(),
            run.bestUnit(trialRow)
                .filter(unit -> unit != trialRow.trainedUnits())
                .map(unit -> unit + " of " + trialRow.trainedUnits())
                .orElseGet(() -> Integer.toString(trialRow.trainedUnits())),
            trialRow.endedEarly().isPresent() ? ", where it ended early" : ""));
    for (Map.Entry<String, Object> parameter : trialRow.config().entrySet()) {
      lines.add(
          String.format(NAME_COLUMN, parameter.getKey(), ValueFormat.value(parameter.getValue())));
    }
    run.checkpoint(trialRow)
        .filter(stored -> !run.simulated())
        .map(stored -> run.existingCheckpoint(trialRow).orElse("no longer exists"))
        .map(
            text ->
                run.hasReplacedCheckpoint(trialRow)
                    ? text + " (not the one that the trial has saved: it has been replaced)"
                    : text)
        .ifPresent(text -> lines.add(String.format(NAME_COLUMN, "checkpoint", text)));
    return lines;
  }

  private String origin(TrialRow trialRow) {
    return run.job()
        .map(job -> trialRow.origin(job.search()))
        .map(
            origin ->
                switch (origin) {
                  case OWN -> " (own configuration)";
                  case WARM_START -> " (configuration of an earlier run)";
                  case EXPLORED -> " (continues trial " + trialRow.parent().orElse(0) + ")";
                  case PROPOSED -> " (proposed by the sampler)";
                  case DRAWN, GRID -> "";
                })
        .orElse("");
  }

  private String metric() {
    return run.meta().metric().name();
  }

  private List<String> totals() {
    List<String> lines = new ArrayList<>();
    lines.add(" cost    " + UsdFormat.format(run.costUsd()) + costBy() + budget());
    run.meteredUsd()
        .ifPresent(
            usd ->
                lines.add(
                    "         metered by the simulated environment: instances "
                        + UsdFormat.format(usd)));
    run.meta().profilingRun().ifPresent(name -> lines.add("         profiling run: " + name));
    lines.add(" trials  " + status.trials());
    List<TrialBrackets.BracketDocument> brackets = trialBrackets.all();
    if (!brackets.isEmpty()) {
      lines.add(
          " brackets  "
              + brackets.stream().map(ReportScreen::bracket).collect(Collectors.joining(" · ")));
    }
    return lines;
  }

  private static String bracket(TrialBrackets.BracketDocument one) {
    return one.bracket()
        + ": "
        + Plural.counted(one.trials(), "trial")
        + one.metric()
            .map(metric -> ", best " + ValueFormat.text(metric.orElse(Double.NaN)))
            .orElse("");
  }

  private String costBy() {
    double profiling = run.meta().profilingUsd();
    double running = run.progress().spentUsd() - run.leasesUsd();
    List<String> parts = new ArrayList<>(List.of("instances " + UsdFormat.format(run.leasesUsd())));
    if (running > 1e-9 * run.costUsd() && run.finished()) {
      parts.add(paidByTheHour() + " " + UsdFormat.format(running));
    }
    if (profiling > 0 || run.meta().profilingRun().isPresent()) {
      parts.add("profiling " + UsdFormat.format(profiling));
    }
    return ": " + String.join(", ", parts);
  }

  /** Returns the names of the job's hourly costs. */
  private String paidByTheHour() {
    boolean storage =
        run.job().stream().anyMatch(job -> job.trial().checkpoints().usdPerHour(1) > 0);
    boolean controller =
        run.job().stream().anyMatch(job -> job.resources().controllerUsdPerHour() > 0);
    return storage ? (controller ? "controller and checkpoints" : "checkpoints") : "controller";
  }

  private String budget() {
    return run.meta().budgetUsd().stream()
        .mapToObj(usd -> "; budget " + UsdFormat.format(usd))
        .findFirst()
        .orElse("");
  }

  private boolean isLocal() {
    return run.leases().stream().allMatch(lease -> lease.offer().startsWith("local/"));
  }

  /** Relative files of the trials, such as their own logs, are in these folders. */
  private String workingFolders() {
    RunFolder folder = run.folder();
    int version = run.meta().code().size();
    try {
      CodeSnapshot snapshot = CodeSnapshot.open(folder.code(version));
      return new RunCode(snapshot, folder.work())
          .trialFolder(1)
          .resolveSibling("trial-N")
          .toString();
    } catch (CodeException e) {
      return folder.work().toString();
    }
  }

  /** Returns how often a policy has ended running trials, so that they continue later. */
  private Optional<String> policy() {
    int preemptions = run.count(DecisionKind.PREEMPT);
    int resizes = run.count(DecisionKind.RESIZE);
    return preemptions + resizes == 0
        ? Optional.empty()
        : Optional.of(
            " policy       "
                + Plural.counted(preemptions, "preemption")
                + ", "
                + Plural.counted(resizes, "resize"));
  }

  /** Returns how many trials of an asynchronous search reached the target of each rung. */
  private Optional<String> rungs() {
    List<RungResult> rungs = RungResult.of(run);
    return rungs.isEmpty()
        ? Optional.empty()
        : Optional.of(
            rungs.stream()
                .map(rung -> rung.tasks() + " to " + run.meta().unit() + " " + rung.unit())
                .collect(Collectors.joining(" · ", " tasks        ", "")));
  }

  private List<String> where() {
    List<String> lines = new ArrayList<>();
    if (!run.simulated()) {
      lines.add(" checkpoints  " + run.checkpoints().text());
    }
    new CodeSummary(run).lines().forEach(line -> lines.add(" code         " + line));
    if (!run.meta().code().isEmpty() && isLocal()) { // instances end with their folders
      lines.add(" working dir  " + workingFolders());
    }
    CloudHealth health = CloudHealth.of(run);
    health.presentLines(run.progress().at()).forEach(line -> lines.add(" cloud        " + line));
    health.endedLines().forEach(line -> lines.add(" cloud        " + line));
    run.warningsLog().ifPresent(log -> lines.add(" warnings     " + log));
    rungs().ifPresent(lines::add);
    policy().ifPresent(lines::add);
    lines.add(
        " decisions    "
            + run.allDecisions().size()
            + ", with reasons: elastune explain "
            + run.run());
    lines.add(" next         " + new NextStep(status, run).text());
    return lines;
  }
}
