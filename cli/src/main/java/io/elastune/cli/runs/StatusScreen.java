package io.elastune.cli.runs;

import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.screen.Usd;
import io.elastune.core.time.Durations;
import io.elastune.executor.journal.RunMeta;
import io.elastune.executor.journal.RunReader;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** How a run stands, for people. */
public final class StatusScreen {
  /** A moment, to the second. */
  public static final DateTimeFormatter MOMENT =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss'Z'").withZone(ZoneOffset.UTC);

  private final RunStatus status;
  private final Instant now;

  public StatusScreen(RunStatus status, Instant now) {
    this.status = status;
    this.now = now;
  }

  /** The whole screen. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        status.run()
            + "   "
            + state()
            + (measures() ? "   (measures the program)" : "")
            + (simulated() ? "   (simulated)" : ""));
    if (status.standing() == Standing.CRASHED) {
      lines.addAll(crashed());
    }
    status.record().ifPresent(run -> lines.addAll(figures(run)));
    lines.addAll(next());
    return lines;
  }

  private boolean measures() {
    return status.record().filter(run -> run.meta().kind() == RunMeta.Kind.PROFILE).isPresent();
  }

  private boolean simulated() {
    return status.record().filter(RunRecord::simulated).isPresent();
  }

  /** Whether the figures of the end mean something: of a measuring run nothing is predicted. */
  private boolean forecasts(RunRecord run) {
    return !status.standing().over() && run.meta().predicted().isPresent();
  }

  /** One line, for a change. */
  String line() {
    String money = status.record().isPresent() ? ", " + Usd.format(status.spentUsd()) : "";
    return MOMENT.format(now)
        + " "
        + state()
        + ": trials "
        + status.trials()
        + "; instances "
        + instances()
        + money;
  }

  /** E.g. {@code running group 2 of 4}, {@code finished, exit 0: done; …}. */
  public String state() {
    String word = status.standing().word();
    if (status.exit().isPresent()) {
      return word + ", exit " + status.exit().getAsInt() + ": " + meaning();
    }
    return status.groups().isEmpty() || status.standing() == Standing.CRASHED
        ? word
        : word + ", " + underWay();
  }

  /** E.g. {@code group 1 of 4}; of chains side by side {@code groups a.1, b.1}. */
  private String underWay() {
    int count = status.record().map(run -> run.groups().size()).orElse(0);
    return status.groups().contains(",")
        ? "groups " + status.groups().replace(",", ", ")
        : "group " + status.groups() + " of " + count;
  }

  /** The run's own words, else what the code always means. */
  private String meaning() {
    String reason = status.record().map(run -> run.progress().reason()).orElse("");
    return reason.isEmpty() ? meaning(status.exit().orElse(0)) : reason;
  }

  static String meaning(int exit) {
    return Arrays.stream(ExitCode.values())
        .filter(code -> code.code() == exit)
        .map(ExitCode::meaning)
        .findFirst()
        .orElse("unknown");
  }

  private List<String> figures(RunRecord run) {
    List<String> lines = new ArrayList<>();
    lines.add(" trials     " + status.trials());
    lines.add(" instances  " + instances());
    lines.add(" cost       " + money(run));
    run.meta()
        .deadlineS()
        .ifPresent(deadline -> lines.add(" deadline   " + deadline(run, deadline)));
    run.risk()
        .filter(risk -> !run.finished())
        .ifPresent(risk -> lines.add(" at risk    " + since(run, risk) + risk.reason()));
    return lines;
  }

  private static String since(RunRecord run, RunReader.Decision risk) {
    return "since " + Durations.format(run.atS(risk)) + " after its beginning: ";
  }

  private String instances() {
    if (status.counted() && simulated()) {
      return status.instances() + " left: they were simulated";
    }
    return status.instances() + (status.counted() ? " left, asked of the cloud just now" : "");
  }

  private String money(RunRecord run) {
    StringBuilder text = new StringBuilder(Usd.format(status.spentUsd()));
    text.append(run.finished() ? "" : " so far");
    if (forecasts(run)) {
      text.append(", forecast ").append(Usd.format(status.forecastUsd()));
    }
    run.meta().budgetUsd().ifPresent(usd -> text.append(", budget ").append(Usd.format(usd)));
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
    String forecast = status.standing() == Standing.RUNNING ? " by forecast" : "";
    String word = spare >= 0 ? " to spare" : " too late";
    return text + ", " + Durations.format(Math.abs(spare)) + word + forecast;
  }

  private List<String> crashed() {
    List<String> lines = new ArrayList<>();
    lines.add(" Its controller is gone: the run has not finished, and does not go on by itself.");
    status
        .record()
        .ifPresentOrElse(
            run -> lines.addAll(lastSeen(run)),
            () -> lines.add(" It ended before anything was begun; nothing was rented."));
    return lines;
  }

  private List<String> lastSeen(RunRecord run) {
    if (run.progress().began().isEmpty()) {
      return List.of(" It ended before anything was begun; nothing was rented.");
    }
    Instant at = run.progress().at();
    String where = status.groups().isEmpty() ? "" : ", " + underWay() + ",";
    return List.of(
        String.format(
            " The last committed state is that of %s (%s ago): %s%s as below.",
            MOMENT.format(at),
            Durations.format(Duration.between(at, now)),
            run.progress().phase().toLowerCase(Locale.ROOT),
            where),
        leftovers(run));
  }

  private String leftovers(RunRecord run) {
    String within = run.deadMan().map(time -> " (" + Durations.format(time) + ")").orElse("");
    if (!status.counted()) {
      return " Instances end by themselves within the dead-man time"
          + within
          + ", but their cloud could not be asked: look there yourself.";
    }
    return status.instances() == 0
        ? " No instance is left."
        : " The instances left end by themselves within the dead-man time" + within + ".";
  }

  /** What it stopped for want of. */
  private String more() {
    return switch (status.exit().orElse(0)) {
      case 11 -> " --budget USD";
      case 13 -> " --deadline WHEN";
      default -> "";
    };
  }

  private List<String> next() {
    if (!status.standing().over()) {
      return List.of();
    }
    String report = "elastune report " + status.run();
    boolean goesOn = status.standing() != Standing.FINISHED && status.record().isPresent();
    if (goesOn && !measures() && !simulated()) {
      return List.of(
          " next: elastune resume "
              + status.run()
              + more()
              + "   goes on from its last checkpoints",
          "       " + report + "   shows what it came to");
    }
    return List.of(" next: " + report);
  }
}
