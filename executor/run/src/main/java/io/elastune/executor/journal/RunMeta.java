package io.elastune.executor.journal;

import io.elastune.core.estimate.Estimate;
import io.elastune.core.job.Metric;
import io.elastune.executor.code.CodeVersion;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The metadata of a run, as stored in its journal.
 *
 * @param kind the purpose of the run
 * @param version the Elastune version that created it
 * @param jobFile the job file as the user named it
 * @param job the resolved job, as a job file
 * @param plan the plan, as a plan file
 * @param unit the name of a unit, e.g. epoch
 * @param budgetUsd the budget of the whole job
 * @param notional whether leases are not actually charged
 * @param profilingRun the profiling run that preceded it
 * @param profilingUsd cost of the profiling run in USD; part of the job's cost, not of this run's
 *     leases
 * @param predicted the estimate of the plan; empty for a profiling run
 * @param jobFolder the folder that paths in the job file are relative to
 * @param checkpoints the location of the checkpoints
 * @param code the versions of the code that it used, in order; empty for a simulated run
 * @param jobText the job file as it was when the run started, or when a resume accepted its
 *     changes; empty for a run of an earlier version
 */
@RecordBuilder
public record RunMeta(
    Kind kind,
    String version,
    String jobFile,
    String job,
    String plan,
    String unit,
    Metric metric,
    OptionalDouble budgetUsd,
    boolean notional,
    Optional<String> profilingRun,
    double profilingUsd,
    Optional<Predicted> predicted,
    String jobFolder,
    String checkpoints,
    List<CodeVersion> code,
    Optional<String> jobText) {
  public RunMeta {
    code = List.copyOf(code);
  }

  /** Returns a builder of the metadata of a run without a version of its code. */
  public static RunMetaBuilder builder() {
    return RunMetaBuilder.builder().code(List.of());
  }

  /**
   * Returns a copy with another job and its budget.
   *
   * @param otherJob the resolved job, as a job file
   * @param otherBudgetUsd the budget of the whole job
   */
  public RunMeta withJob(String otherJob, OptionalDouble otherBudgetUsd) {
    return RunMetaBuilder.builder(this).job(otherJob).budgetUsd(otherBudgetUsd).build();
  }

  /** Returns a copy with this text of the job file. */
  public RunMeta withJobText(String text) {
    return RunMetaBuilder.builder(this).jobText(Optional.of(text)).build();
  }

  /** Returns a copy for a job and checkpoints that are now at other places. */
  public RunMeta movedTo(String otherFolder, String otherCheckpoints) {
    return RunMetaBuilder.builder(this)
        .jobFolder(otherFolder)
        .checkpoints(otherCheckpoints)
        .build();
  }

  /**
   * Returns the location of the checkpoints of the run in {@code folder}: those in the run's own
   * folder move with it.
   */
  public String checkpointsOf(RunFolder folder) {
    boolean isOwn =
        checkpoints.isEmpty()
            || (!checkpoints.contains("://")
                && Path.of(checkpoints).endsWith(Path.of("runs", folder.run(), "checkpoints")));
    return isOwn ? folder.checkpointStore().toString() : checkpoints;
  }

  /** Returns a copy with these versions of the code. */
  public RunMeta withCode(List<CodeVersion> versions) {
    return RunMetaBuilder.builder(this).code(versions).build();
  }

  /** The purpose of a run. */
  public enum Kind {
    /** Executes a plan. */
    TUNE("TUNE"),
    /** Measures a training program. */
    PROFILE("PROFILE");

    private final String wireName;

    Kind(String wireName) {
      this.wireName = wireName;
    }

    /** The name in the journal. */
    String wireName() {
      return wireName;
    }

    private static Kind of(String wireName) {
      return Arrays.stream(values())
          .filter(kind -> kind.wireName.equals(wireName))
          .findFirst()
          .orElseThrow(() -> JournalException.corrupt("unknown kind of run " + wireName));
    }
  }

  /** An estimate as JSON, which most status queries do not parse. */
  public record Predicted(String json) {
    /** Returns {@code estimate} as JSON. */
    public static Predicted of(Estimate estimate) {
      return new Predicted(JournalJson.text(estimate));
    }
  }

  /** Returns the estimate of the plan; empty for a profiling run. */
  public Optional<Estimate> estimate() {
    return predicted.map(kept -> JournalJson.read(kept.json(), Estimate.class));
  }

  /** Returns the rows of the table {@code meta} in the journal. */
  public Map<String, String> rows() {
    Map<String, String> rows = new LinkedHashMap<>();
    rows.put("kind", kind.wireName());
    rows.put("version", version);
    rows.put("job_file", jobFile);
    rows.put("job", job);
    rows.put("plan", plan);
    rows.put("unit", unit);
    rows.put("metric", metric.name());
    rows.put("goal", WireNames.word(metric.goal()));
    metric.scope().ifPresent(scope -> rows.put("scope", scope.word()));
    budgetUsd.ifPresent(value -> rows.put("budget_usd", Double.toString(value)));
    rows.put("notional", Boolean.toString(notional));
    profilingRun.ifPresent(value -> rows.put("profiling_run", value));
    rows.put("profiling_usd", Double.toString(profilingUsd));
    predicted.ifPresent(value -> rows.put("estimate", value.json()));
    rows.put("job_folder", jobFolder);
    rows.put("checkpoints", checkpoints);
    if (!code.isEmpty()) {
      rows.put("code", JournalJson.text(code));
    }
    jobText.ifPresent(value -> rows.put("job_text", value));
    return rows;
  }

  /** Returns the metadata from rows written by {@link #rows}. */
  public static RunMeta of(Map<String, String> rows) {
    return new RunMeta(
        Kind.of(text(rows, "kind")),
        text(rows, "version"),
        text(rows, "job_file"),
        text(rows, "job"),
        text(rows, "plan"),
        text(rows, "unit"),
        metric(rows),
        number(rows, "budget_usd"),
        Boolean.parseBoolean(text(rows, "notional")),
        Optional.ofNullable(rows.get("profiling_run")),
        number(rows, "profiling_usd").orElse(0),
        Optional.ofNullable(rows.get("estimate")).map(Predicted::new),
        text(rows, "job_folder"),
        text(rows, "checkpoints"),
        rows.containsKey("code")
            ? List.of(JournalJson.read(text(rows, "code"), CodeVersion[].class))
            : List.of(),
        Optional.ofNullable(rows.get("job_text")));
  }

  private static Metric metric(Map<String, String> rows) {
    return new Metric(
        text(rows, "metric"),
        WireNames.constant(Metric.Goal.class, text(rows, "goal")),
        Optional.empty(),
        Optional.empty(),
        Arrays.stream(Metric.Scope.values())
            .filter(scope -> scope.word().equals(rows.get("scope")))
            .findFirst());
  }

  private static String text(Map<String, String> rows, String key) {
    return rows.getOrDefault(key, "");
  }

  private static OptionalDouble number(Map<String, String> rows, String key) {
    String value = rows.get(key);
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(Double.parseDouble(value));
  }
}
