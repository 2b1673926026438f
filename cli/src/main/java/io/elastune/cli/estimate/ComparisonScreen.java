package io.elastune.cli.estimate;

import io.elastune.cli.html.ComparisonPage;
import io.elastune.cli.text.ExclusionNotes;
import io.elastune.cli.text.PlanSummaryLine;
import io.elastune.cli.text.ProvenanceLine;
import io.elastune.cli.text.TextTable;
import io.elastune.cli.text.UsdFormat;
import io.elastune.core.offer.Offer;
import io.elastune.core.time.Durations;
import io.elastune.inputs.AssumedTraining;
import io.elastune.inputs.GpuRatios;
import io.elastune.inputs.Inputs;
import io.elastune.plan.estimate.CaseResult;
import io.elastune.plan.estimate.DistinctCases;
import io.elastune.planner.api.PlanResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.DoubleFunction;
import java.util.stream.Collectors;

/** Renders the answers to all cases as a table. Every number is marked as assumed. */
final class ComparisonScreen {
  private static final String NONE = "-";

  private final AssumedTraining training;
  private final List<CaseResult> results;
  private final String unit;
  private final Instant now;

  ComparisonScreen(AssumedTraining training, List<CaseResult> results, String unit, Instant now) {
    this.training = training;
    this.results = results;
    this.unit = unit;
    this.now = now;
  }

  /** Returns the lines. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(ProvenanceLine.line(title(), first(), now));
    lines.add(" " + assumed());
    lines.addAll(table().lines());
    remarks().forEach(line -> lines.add(" " + line));
    return lines;
  }

  /** Returns the same as a page. */
  ComparisonPage page() {
    return new ComparisonPage(
        title(), ProvenanceLine.sources(first(), now), assumed(), table(), remarks());
  }

  private Inputs first() {
    return results.get(0).inputs();
  }

  private String title() {
    return "Estimate for " + first().job().value().name();
  }

  /** Returns what the table does not show. */
  private List<String> remarks() {
    List<String> lines = new ArrayList<>();
    cheapest().ifPresent(lines::add);
    lines.addAll(new BudgetComparison(results).lines());
    lines.addAll(trials());
    conversions().forEach(line -> lines.add("~ " + line));
    unknown().ifPresent(lines::add);
    lines.addAll(notes());
    return lines;
  }

  private String assumed() {
    String times =
        training.unitTimes().stream()
            .map(time -> Durations.format(time.seconds()) + " on one " + time.gpu())
            .collect(Collectors.joining(", "));
    String start =
        training.startupS().isPresent()
            ? "start-up " + Durations.format(training.startupS().getAsDouble())
            : "start-up included";
    String speedups =
        training.speedups().isEmpty()
            ? "one GPU per trial"
            : training.speedups().entrySet().stream()
                    .map(
                        e ->
                            String.format(
                                Locale.ROOT, "%.2f times as fast on %d", e.getValue(), e.getKey()))
                    .collect(Collectors.joining(", "))
                + " GPUs";
    String spread =
        training.trialCv() > 0
            ? String.format(Locale.ROOT, "spread %.0f%%", 100 * training.trialCv())
            : "no spread";
    return "assumed: " + unit + " " + String.join("; ", times, speedups, start, spread);
  }

  private TextTable table() {
    TextTable table =
        new TextTable()
            .left("place")
            .left("market")
            .right("deadline")
            .right("budget")
            .right("finish")
            .right("95% within")
            .right("cost")
            .right("95% within")
            .left("instances × GPUs per trial");
    new DistinctCases(results).distinct().forEach(result -> addRow(table, result));
    return table;
  }

  private void addRow(TextTable table, CaseResult result) {
    Optional<PlanResult.Found> found = result.found();
    table.row(
        places(result),
        result.inputs().job().value().resources().market().word(),
        limit(result.deadlineS(), Durations::format),
        limit(result.budgetUsd(), UsdFormat::format),
        found.map(plan -> time(plan.estimate().completionS().mean())).orElse(NONE),
        found.map(plan -> time(plan.estimate().completionS().p95())).orElse(NONE),
        found.map(plan -> money(plan.estimate().costUsd().mean())).orElse(NONE),
        found.map(plan -> money(plan.estimate().costUsd().p95())).orElse(NONE),
        found
            .map(plan -> PlanSummaryLine.plan(result.inputs().problem().orElseThrow(), plan.plan()))
            .orElseGet(() -> reason(result)));
  }

  private static String limit(OptionalDouble limit, DoubleFunction<String> format) {
    return limit.isPresent() ? format.apply(limit.getAsDouble()) : NONE;
  }

  private static String places(CaseResult result) {
    return String.join(", ", result.inputs().job().value().resources().infra());
  }

  private static String time(double seconds) {
    return "~" + Durations.format(seconds);
  }

  private static String money(double usd) {
    return "~" + UsdFormat.format(usd);
  }

  private static String reason(CaseResult result) {
    return result
        .plan()
        .map(
            plan ->
                plan.match(
                    found -> "",
                    infeasible -> "no plan" + nearest(infeasible.nearest()),
                    impossible -> "no plan: " + impossible.reason().lines().findFirst().orElse("")))
        .orElse("no offer with a known time");
  }

  private static String nearest(PlanResult.Nearest nearest) {
    List<String> parts = new ArrayList<>();
    nearest.deadlineS().ifPresent(seconds -> parts.add("deadline " + time(seconds)));
    nearest.budgetUsd().ifPresent(usd -> parts.add("budget " + money(usd)));
    return parts.isEmpty()
        ? ""
        : "; possible with " + String.join(nearest.together() ? " and " : " or ", parts);
  }

  private Optional<String> cheapest() {
    return results.stream()
        .filter(result -> result.found().isPresent())
        .min(Comparator.comparingDouble(ComparisonScreen::meanUsd))
        .filter(best -> new DistinctCases(results).distinct().size() > 1)
        .map(
            best ->
                "cheapest: "
                    + places(best)
                    + " "
                    + best.inputs().job().value().resources().market().word()
                    + " for "
                    + money(meanUsd(best))
                    + "; 'elastune plan' shows the plan in detail");
  }

  /** Returns how many trials fit each budget. */
  private List<String> trials() {
    return results.stream()
        .filter(result -> result.mostTrials().isPresent())
        .map(
            result ->
                "about "
                    + result.mostTrials().getAsInt()
                    + " trials fit a budget of "
                    + UsdFormat.format(result.budgetUsd().orElseThrow())
                    + (result.deadlineS().isPresent()
                        ? " and a deadline of " + Durations.format(result.deadlineS().getAsDouble())
                        : "")
                    + " on "
                    + places(result)
                    + " "
                    + result.inputs().job().value().resources().market().word()
                    + "; the job has "
                    + result.inputs().job().value().search().trials())
        .toList();
  }

  private static double meanUsd(CaseResult result) {
    return result.found().map(plan -> plan.estimate().costUsd().mean()).orElse(Double.MAX_VALUE);
  }

  /** Returns the published ratios that any of the plans uses. */
  private List<String> conversions() {
    return usedGpus().stream()
        .flatMap(gpu -> training.conversion(gpu).stream())
        .map(GpuRatios.Ratio::text)
        .toList();
  }

  private Set<String> usedGpus() {
    TreeSet<String> used = new TreeSet<>();
    for (CaseResult result : results) {
      result
          .found()
          .ifPresent(
              found ->
                  found.plan().allocations().values().stream()
                      .flatMap(
                          a -> result.inputs().problem().orElseThrow().offer(a.offer()).stream())
                      .map(Offer::gpu)
                      .forEach(used::add));
    }
    return used;
  }

  /** Names the GPU models whose offers were left out. */
  private Optional<String> unknown() {
    TreeSet<String> models = new TreeSet<>();
    results.forEach(result -> result.inputs().allowed().forEach(offer -> models.add(offer.gpu())));
    models.removeIf(gpu -> training.profile("x", "x", gpu, now).isPresent());
    return models.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "left out, because no time is known: "
                + String.join(", ", models)
                + "; add --unit-time TIME@MODEL");
  }

  /** Returns the notes of all plans, each one once. */
  private List<String> notes() {
    return results.stream()
        .filter(result -> result.found().isPresent())
        .flatMap(
            result ->
                new ExclusionNotes(
                        result.inputs(),
                        result.inputs().problem().orElseThrow(),
                        result.found().orElseThrow().plan())
                    .lines().stream())
        .distinct()
        .toList();
  }
}
