package io.elastune.executor.journal;

import io.elastune.core.job.Metric;
import io.elastune.core.job.Search;
import io.elastune.core.search.ConfigurationCodec;
import io.elastune.executor.decision.model.TrialState;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Comparator;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * One trial.
 *
 * @param configText its hyperparameters as JSON, which most callers do not parse
 * @param unit units at the end of the last group that it completed
 * @param endedEarly units after which it ended early, if it did
 * @param parent the trial from which its configuration is derived, if any
 * @param parentUnit units of the checkpoint of that trial from which it started; 0 for none
 * @param proposed whether the sampler proposed its configuration
 */
@RecordBuilder
public record TrialRow(
    int trial,
    String chain,
    @Column("config") String configText,
    TrialState.Status status,
    int unit,
    OptionalDouble metric,
    int checkpoint,
    int failures,
    int attempts,
    OptionalInt endedEarly,
    OptionalInt parent,
    OptionalInt parentUnit,
    boolean proposed) {

  /** Orders trials by units trained and then by metric, the best first. */
  public static Comparator<TrialRow> byRank(Metric.Goal goal) {
    double sign = goal == Metric.Goal.MAXIMIZE ? -1 : 1;
    return Comparator.comparingInt(TrialRow::unit)
        .reversed()
        .thenComparingDouble(row -> 0.0 + sign * row.metric().orElse(Double.NaN))
        .thenComparingInt(TrialRow::trial);
  }

  /** Returns it as completed, if it waits and has been trained to the last unit. */
  public TrialRow completedAt(int lastUnit) {
    return status != TrialState.Status.WAITING || unit < lastUnit
        ? this
        : TrialRowBuilder.builder(this).status(TrialState.Status.COMPLETED).build();
  }

  /** Units that it was trained. */
  public int trainedUnits() {
    return endedEarly.orElse(unit);
  }

  /** Returns how its configuration was chosen. */
  public Search.Origin origin(Search search) {
    if (proposed) {
      return Search.Origin.PROPOSED;
    }
    return parent.isPresent() ? Search.Origin.EXPLORED : search.origin(trial);
  }

  /** Its hyperparameters by name, with the types of the model. */
  public Map<String, Object> values() {
    return ConfigurationCodec.ofJava(config());
  }

  /** Its hyperparameters by name, as JSON has them. */
  public Map<String, Object> config() {
    return JournalJson.values(configText);
  }
}
