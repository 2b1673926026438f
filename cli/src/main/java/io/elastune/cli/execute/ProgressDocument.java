package io.elastune.cli.execute;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.elastune.plan.json.JsonDocuments;
import java.util.Map;
import java.util.OptionalDouble;

/** A line of {@code run --json} for a change of the run. */
public sealed interface ProgressDocument {
  /** A decision of the controller. */
  record Decided(
      @JsonPropertyDescription("\"decision\".") String event,
      @JsonPropertyDescription("Seconds since the start of the run.") double atS,
      @JsonPropertyDescription("What was decided.") String decision,
      @JsonPropertyDescription("Why.") String reason)
      implements ProgressDocument {
    Decided(double atS, String decision, String reason) {
      this("decision", atS, decision, reason);
    }
  }

  /** A fault of a trial. */
  record Failed(
      @JsonPropertyDescription("\"fault\".") String event,
      @JsonPropertyDescription("Seconds since the start of the run.") double atS,
      @JsonPropertyDescription("The number of the trial.") int trial,
      @JsonPropertyDescription("What happened.") String message)
      implements ProgressDocument {
    Failed(double atS, int trial, String message) {
      this("fault", atS, trial, message);
    }
  }

  /** A change of the state of a lease. */
  record LeaseChanged(
      @JsonPropertyDescription("\"instance\".") String event,
      @JsonPropertyDescription("Seconds since the start of the run.") double atS,
      @JsonPropertyDescription("The ID of the lease.") String lease,
      @JsonPropertyDescription("Its state.") String state)
      implements ProgressDocument {
    LeaseChanged(double atS, String lease, String state) {
      this("instance", atS, lease, state);
    }
  }

  /** The end of a trial group. */
  record GroupEnded(
      @JsonPropertyDescription("\"group_ended\".") String event,
      @JsonPropertyDescription("Seconds since the start of the run.") double atS,
      @JsonPropertyDescription("The name of the group.") String group,
      @JsonPropertyDescription("Seconds from its start to its end.") double seconds)
      implements ProgressDocument {
    GroupEnded(double atS, String group, double seconds) {
      this("group_ended", atS, group, seconds);
    }
  }

  /** Units that a trial has trained: their key is the unit of the job. */
  @JsonPropertyOrder({"event", "at_s", "trial", "units", "metric"})
  record Trained(
      @JsonPropertyDescription("\"trial\".") String event,
      @JsonPropertyDescription("Seconds since the start of the run.") double atS,
      @JsonPropertyDescription("The number of the trial.") int trial,
      @JsonAnyGetter Map<String, Integer> units,
      @JsonPropertyDescription("Its metric; null without one, and if it is not finite.")
          OptionalDouble metric)
      implements ProgressDocument {
    Trained(double atS, int trial, String unit, int units, OptionalDouble metric) {
      this(
          "trial",
          atS,
          trial,
          Map.of(unit, units),
          JsonDocuments.finite(metric.orElse(Double.NaN)));
    }
  }
}
