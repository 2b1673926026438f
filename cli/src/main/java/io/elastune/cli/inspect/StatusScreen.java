package io.elastune.cli.inspect;

import io.elastune.cli.text.DecisionText;
import io.elastune.cli.text.Plural;
import io.elastune.cli.text.ResumeCommands;
import io.elastune.cli.text.UsdFormat;
import io.elastune.core.time.Durations;
import io.elastune.core.time.Seconds;
import io.elastune.executor.journal.DecisionRow;
import io.elastune.executor.journal.JournalLoss;
import io.elastune.executor.journal.RunMeta;
import io.elastune.executor.journal.TrialRow;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** Renders the state of a run as text. */
public final class StatusScreen {
  /** Format of points in time, to the second. */
  public static final DateTimeFormatter MOMENT =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss'Z'").withZone(ZoneOffset.UTC);

  /** Trials whose latest metric is shown. */
  private static final int MOST_TRIALS = 5;

  private final RunStatus status;
  private final Instant now;

  public StatusScreen(RunStatus status, Instant now) {
    this.status = status;
    this.now = now;
  }

  /** Returns the whole screen. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        status.run()
            + "   "
            + state()
            + (isProfiling() ? "   (profiling run)" : "")
            + (simulated() ? "   (simulated)" : ""));
    if (status.standing() == RunStateLabel.CRASHED) {
      lines.addAll(crashed());
    }
    status.record().ifPresent(run -> lines.addAll(figures(run)));
    lines.addAll(next());
    return lines;
  }

  private boolean isProfiling() {
    return status.record().filter(run -> run.meta().kind() == RunMeta.Kind.PROFILE).isPresent();
  }

  private boolean simulated() {
    return status.record().filter(RunRecord::simulated).isPresent();
  }

  /** Returns whether a forecast is shown: for a run in progress that has a prediction. */
  private boolean forecasts(RunRecord run) {
    return !status.standing().isOver() && run.meta().predicted().isPresent();
  }

  /** Returns one line, to report a change. */
  String line() {
    String money = status.record().isPresent() ? ", " + UsdFormat.format(status.spentUsd()) : "";
    return MOMENT.format(now)
        + " "
        + state()
        + ": trials "
        + status.trials()
        + "; instances "
        + instances()
        + money;
  }

  /**
   * Returns e.g. {@code running, group 2 of 4} or {@code finished, exit 0: done; …}. Further lines,
   * with output of a program, are indented.
   */
  public String state() {
    String word = journalLoss().isPresent() ? "stopped" : status.standing().label();
    if (status.exit().isPresent()) {
      return word
          + ", exit "
          + status.exit().getAsInt()
          + ": "
          + (meaning() + left()).replace("\n", "\n    ");
    }
    return status.groups().isEmpty() || status.standing() == RunStateLabel.CRASHED
        ? word
        : word + ", " + underWay();
  }

  /** Returns e.g. {@code group 1 of 4}; for concurrent chains {@code groups a.1, b.1}. */
  private String underWay() {
    int count = status.record().map(run -> run.groups().size()).orElse(0);
    return status.groups().contains(",")
        ? "groups " + status.groups().replace(",", ", ")
        : "group " + status.groups() + " of " + count;
  }

  /** Returns the reason in the journal, or else the meaning of the exit code. */
  private String meaning() {
    Optional<String> reason =
        status
            .record()
            .flatMap(run -> run.progress().reason().map(why -> DecisionText.of(run.run(), why)));
    Optional<String> failures =
        status.outcome().isComplete()
            ? status.trials().failures().map(text -> text + causes())
            : Optional.empty();
    return reason
        .map(text -> text + failures.map(some -> "; " + some).orElse(""))
        .or(() -> failures.map(some -> "done; " + some + ", no instance left"))
        .orElseGet(() -> status.outcome().meaning());
  }

  /** Returns what the run still uses besides instances, at present. */
  private String left() {
    return status.record().stream()
        .flatMap(run -> run.left().stream())
        .map(what -> "; " + what)
        .collect(Collectors.joining());
  }

  /** Returns the causes of failed trials in parentheses. */
  private String causes() {
    return status
        .record()
        .flatMap(run -> FailureGroups.of(run).summary(run.failed()))
        .map(text -> " (" + text + ")")
        .orElse("");
  }

  private List<String> figures(RunRecord run) {
    List<String> lines = new ArrayList<>();
    lines.add(" trials     " + status.trials());
    WaitingTrials.of(run, status.standing().isOver())
        .line()
        .ifPresent(line -> lines.add("            " + line));
    lines.addAll(metrics(run));
    parents(run).ifPresent(lines::add);
    widths(run).ifPresent(lines::add);
    brackets(run).ifPresent(lines::add);
    lines.add(" instances  " + instances());
    lines.add(" cost       " + money(run));
    run.deadlineS().ifPresent(deadline -> lines.add(" deadline   " + deadline(run, deadline)));
    load(run).ifPresent(text -> lines.add(" load       " + text));
    new CodeSummary(run).lines().forEach(line -> lines.add(" code       " + line));
    run.risk()
        .filter(risk -> !run.finished())
        .ifPresent(
            risk ->
                lines.add(
                    " at risk    "
                        + since(run, risk)
                        + DecisionText.of(run.run(), risk.reason(), risk.numbers())));
    run.waiting().ifPresent(row -> lines.add(" waiting    " + at(run, row)));
    run.unreachable().ifPresent(row -> lines.add(" no contact " + at(run, row)));
    new FailedNodeList(run)
        .summary()
        .ifPresent(
            text -> lines.add(" bad nodes  " + text + ". Causes: elastune explain " + run.run()));
    CloudHealth.of(run).presentLines(now).forEach(line -> lines.add(" cloud      " + line));
    run.warningsLog().ifPresent(log -> lines.add(" warnings   " + log));
    return lines;
  }

  /**
   * Returns what other programs use of this machine, if that is not what they used while the
   * program was profiled, with the present forecast; of a run that is over, what they used.
   */
  private Optional<String> load(RunRecord run) {
    Optional<RunLoad> load = RunLoad.read(run.folder());
    if (status.standing().isOver()) {
      return load.flatMap(RunLoad::summary);
    }
    return load.filter(RunLoad::isOther).map(other -> other.text() + completion(run));
  }

  /** Returns the predicted completion and that by the present forecast. */
  private static String completion(RunRecord run) {
    Optional<Double> predicted =
        run.meta().estimate().map(estimate -> estimate.completionS().mean());
    return predicted.isEmpty() || run.progress().began().isEmpty()
        ? ""
        : "; predicted "
            + Durations.format(predicted.get())
            + ", by forecast now "
            + Durations.format(
                Seconds.between(run.progress().began().get(), run.progress().at())
                    + run.progress().remainingS());
  }

  /** Returns the best trial so far, and of a run in progress the best of the others. */
  private List<String> metrics(RunRecord run) {
    if (run.meta().kind() == RunMeta.Kind.PROFILE) {
      return List.of();
    }
    List<TrialProgress> trials = TrialProgress.of(run);
    List<String> lines = new ArrayList<>();
    String metric = run.meta().metric().name();
    String unit = run.meta().unit();
    TrialProgress.best(run, trials)
        .ifPresent(
            best ->
                lines.add(
                    " best       trial "
                        + best.trial()
                        + ": "
                        + metric
                        + " "
                        + ValueFormat.text(best.metric())
                        + " after "
                        + unit
                        + " "
                        + best.units()
                        + " with "
                        + ValueFormat.configuration(best.config())));
    if (!status.standing().isOver()) {
      String label = " latest     ";
      List<TrialProgress> ranked = TrialProgress.ranked(run, trials);
      for (TrialProgress trial : ranked.subList(0, Math.min(MOST_TRIALS, ranked.size()))) {
        lines.add(
            label
                + "trial "
                + trial.trial()
                + ", "
                + trial.status()
                + ": "
                + metric
                + " "
                + ValueFormat.text(trial.metric().orElseThrow())
                + " at "
                + unit
                + " "
                + trial.units());
        label = " ".repeat(label.length());
      }
    }
    return lines;
  }

  /** Returns which trials of a population continue which others. */
  private static Optional<String> parents(RunRecord run) {
    List<TrialRow> rows = run.continuing();
    return rows.isEmpty()
        ? Optional.empty()
        : Optional.of(
            " parents    "
                + rows.stream()
                    .map(row -> row.trial() + " from " + row.parent().orElseThrow())
                    .collect(Collectors.joining(", ")));
  }

  /** Returns the GPUs of the trials that a policy runs now; those with equal widths together. */
  private static Optional<String> widths(RunRecord run) {
    Map<String, List<String>> byWidth = new LinkedHashMap<>();
    for (TrialWidth width : run.widths()) {
      byWidth
          .computeIfAbsent(width.width(), same -> new ArrayList<>())
          .add(Integer.toString(width.trial()));
    }
    return byWidth.isEmpty()
        ? Optional.empty()
        : Optional.of(
            " GPUs       "
                + byWidth.entrySet().stream()
                    .map(
                        entry ->
                            entry.getKey()
                                + (entry.getValue().size() == 1 ? " for trial " : " for trials ")
                                + String.join(", ", entry.getValue()))
                    .collect(Collectors.joining(" · ")));
  }

  /** Returns the trials of each bracket, and which of them run now. */
  private static Optional<String> brackets(RunRecord run) {
    List<TrialBrackets.BracketDocument> all = TrialBrackets.of(run).all();
    return all.isEmpty()
        ? Optional.empty()
        : Optional.of(
            " brackets   "
                + all.stream().map(StatusScreen::bracket).collect(Collectors.joining(" · ")));
  }

  private static String bracket(TrialBrackets.BracketDocument one) {
    List<String> running = one.running().stream().map(String::valueOf).toList();
    return one.bracket()
        + ": "
        + Plural.counted(one.trials(), "trial")
        + (running.isEmpty() ? "" : ", running " + String.join(", ", running));
  }

  private static String at(RunRecord run, DecisionRow row) {
    return MOMENT.format(row.at()) + ": " + DecisionText.of(run.run(), row.reason(), row.numbers());
  }

  private static String since(RunRecord run, DecisionRow risk) {
    return "since " + Durations.format(run.atS(risk)) + " after the start: ";
  }

  private String instances() {
    if (status.counted() && simulated()) {
      return status.instances() + " left (simulated)";
    }
    return status.instances() + (status.counted() ? " left, as reported by the cloud now" : "");
  }

  private String money(RunRecord run) {
    StringBuilder text = new StringBuilder(UsdFormat.format(status.spentUsd()));
    text.append(run.finished() ? "" : " so far");
    if (forecasts(run)) {
      text.append(", forecast ").append(UsdFormat.format(status.forecastUsd()));
    }
    run.meta().budgetUsd().ifPresent(usd -> text.append(", budget ").append(UsdFormat.format(usd)));
    return text.append(run.meta().notional() ? " (notional: nothing is charged)" : "").toString();
  }

  private String deadline(RunRecord run, double deadline) {
    String text = Durations.format(deadline);
    OptionalDouble margin = status.deadlineMarginS();
    boolean known = run.completed().isPresent() || forecasts(run);
    if (margin.isEmpty() || !known) {
      return text;
    }
    double spare = margin.getAsDouble();
    String forecast = status.standing() == RunStateLabel.RUNNING ? " by forecast" : "";
    String word = spare >= 0 ? " left" : " late";
    return text + ", " + Durations.format(Math.abs(spare)) + word + forecast;
  }

  /** Returns why the controller of an unfinished run could not write its journal. */
  private Optional<String> journalLoss() {
    return status.standing() == RunStateLabel.CRASHED
        ? status.record().flatMap(run -> JournalLoss.read(run.folder()))
        : Optional.empty();
  }

  private List<String> crashed() {
    List<String> lines = new ArrayList<>();
    lines.add(
        journalLoss()
                .map(
                    why ->
                        " Stopped by its controller because its journal could not be written: "
                            + why
                            + ".")
                .orElse(" The controller has stopped.")
            + " The run is unfinished"
            + (isResumable() ? "; resume it to continue." : "."));
    status
        .record()
        .ifPresentOrElse(
            run -> lines.addAll(lastSeen(run)),
            () -> lines.add(" It stopped before it started anything; nothing was rented."));
    status
        .record()
        .map(run -> run.folder().controllerLog())
        .filter(Files::exists)
        .ifPresent(log -> lines.add(" Output of the controller: " + log));
    return lines;
  }

  private List<String> lastSeen(RunRecord run) {
    if (run.progress().began().isEmpty()) {
      return List.of(" It stopped before it started anything; nothing was rented.");
    }
    Instant at = run.progress().at();
    String where = status.groups().isEmpty() ? "" : ", " + underWay() + ",";
    return List.of(
        String.format(
            " Last committed state (%s, %s ago): %s%s as below.",
            MOMENT.format(at),
            Durations.format(Duration.between(at, now)),
            run.progress().phase().name().toLowerCase(Locale.ROOT),
            where),
        leftovers(run));
  }

  private String leftovers(RunRecord run) {
    String within = run.deadMan().map(time -> " (" + Durations.format(time) + ")").orElse("");
    if (!status.counted()) {
      return " Instances shut themselves down when their dead-man timers expire"
          + within
          + ", but the cloud did not answer: check its console.";
    }
    return status.instances() == 0
        ? " No instance is left."
        : " The remaining instances shut themselves down when their dead-man timers expire"
            + within
            + ".";
  }

  /** Returns the option that raises the limit at which the run stopped. */
  private String higherLimit() {
    return switch (status.outcome()) {
      case BUDGET_REACHED -> " --budget USD";
      case DEADLINE_MISSED -> " --deadline WHEN";
      default -> "";
    };
  }

  private boolean isResumable() {
    return status.standing() != RunStateLabel.FINISHED
        && status.record().isPresent()
        && !isProfiling()
        && !simulated();
  }

  private List<String> next() {
    if (!status.standing().isOver()) {
      return List.of();
    }
    String report = "elastune report " + status.run();
    if (isResumable()) {
      return List.of(
          " next: "
              + ResumeCommands.resume(status.run())
              + higherLimit()
              + "   continues from the last checkpoints",
          "       " + report + "   shows the results");
    }
    return List.of(" next: " + report);
  }
}
