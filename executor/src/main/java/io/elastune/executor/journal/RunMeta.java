package io.elastune.executor.journal;

import io.elastune.core.estimate.Estimate;
import io.elastune.core.job.Metric;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a run is about, as its journal keeps it.
 *
 * @param kind what it is for
 * @param version the Elastune that made it
 * @param jobFile the job file as the user named it
 * @param job the resolved job, as a job file
 * @param plan the plan, as a plan file
 * @param unit what a unit is called
 * @param deadlineS seconds from the run's beginning
 * @param budgetUsd the budget of the whole job
 * @param notional whether no lease is really charged
 * @param profilingRun the measuring run that was made for it
 * @param profilingUsd what that has cost; part of the job's cost, not of this run's leases
 * @param predicted what was predicted; empty for a measuring run
 * @param jobFolder the folder that paths in the job file are relative to
 * @param checkpoints where the checkpoints are
 */
public record RunMeta(
    Kind kind,
    String version,
    String jobFile,
    String job,
    String plan,
    String unit,
    Metric metric,
    OptionalDouble deadlineS,
    OptionalDouble budgetUsd,
    boolean notional,
    Optional<String> profilingRun,
    double profilingUsd,
    Optional<Predicted> predicted,
    String jobFolder,
    String checkpoints) {
  /** What a run is for. */
  public enum Kind {
    /** Carries a plan out. */
    TUNE,
    /** Measures a program. */
    PROFILE
  }

  /** An estimate as it is kept: most who ask how a run stands do not look at it. */
  public record Predicted(String json) {
    /** How {@code estimate} is kept. */
    public static Predicted of(Estimate estimate) {
      return new Predicted(Json.text(estimate));
    }
  }

  /** What was predicted; empty for a measuring run. */
  public Optional<Estimate> estimate() {
    return predicted.map(kept -> Json.read(kept.json(), Estimate.class));
  }

  /** As rows of the journal's table {@code meta}. */
  public Map<String, String> rows() {
    Map<String, String> rows = new LinkedHashMap<>();
    rows.put("kind", kind.name());
    rows.put("version", version);
    rows.put("job_file", jobFile);
    rows.put("job", job);
    rows.put("plan", plan);
    rows.put("unit", unit);
    rows.put("metric", metric.name());
    rows.put("goal", metric.goal().name());
    deadlineS.ifPresent(value -> rows.put("deadline_s", Double.toString(value)));
    budgetUsd.ifPresent(value -> rows.put("budget_usd", Double.toString(value)));
    rows.put("notional", Boolean.toString(notional));
    profilingRun.ifPresent(value -> rows.put("profiling_run", value));
    rows.put("profiling_usd", Double.toString(profilingUsd));
    predicted.ifPresent(value -> rows.put("estimate", value.json()));
    rows.put("job_folder", jobFolder);
    rows.put("checkpoints", checkpoints);
    return rows;
  }

  /** What {@link #rows} has written. */
  public static RunMeta of(Map<String, String> rows) {
    return new RunMeta(
        Kind.valueOf(text(rows, "kind")),
        text(rows, "version"),
        text(rows, "job_file"),
        text(rows, "job"),
        text(rows, "plan"),
        text(rows, "unit"),
        new Metric(text(rows, "metric"), Metric.Goal.valueOf(text(rows, "goal"))),
        number(rows, "deadline_s"),
        number(rows, "budget_usd"),
        Boolean.parseBoolean(text(rows, "notional")),
        Optional.ofNullable(rows.get("profiling_run")),
        number(rows, "profiling_usd").orElse(0),
        Optional.ofNullable(rows.get("estimate")).map(Predicted::new),
        text(rows, "job_folder"),
        text(rows, "checkpoints"));
  }

  private static String text(Map<String, String> rows, String key) {
    return rows.getOrDefault(key, "");
  }

  private static OptionalDouble number(Map<String, String> rows, String key) {
    String value = rows.get(key);
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(Double.parseDouble(value));
  }
}
