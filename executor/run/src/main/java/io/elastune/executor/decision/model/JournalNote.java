package io.elastune.executor.decision.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** An entry of the run's log: a decision with its reason, or a fault of a trial. */
public sealed interface JournalNote {
  /** Calls the visitor's method for this type. */
  <R> R match(Visitor<R> visitor);

  /** One method per type, so that a new type is a compile error at every use. */
  interface Visitor<R> {
    R decision(Decision note);

    R fault(TrialFault note);
  }

  /**
   * A decision and its reason.
   *
   * @param subject the name of the group that starts; else empty
   * @param numbers the numbers that it is based on
   */
  record Decision(
      DecisionKind kind, String subject, DecisionReason reason, Map<String, Double> numbers)
      implements JournalNote {
    public Decision {
      numbers = Collections.unmodifiableMap(new LinkedHashMap<>(numbers));
    }

    /** The decision as shown on screens and in JSON output, e.g. {@code start group 2}. */
    public String decision() {
      return kind.label(subject);
    }

    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.decision(this);
    }
  }

  /** A trial failed, or violated the trial protocol. */
  record TrialFault(int trial, String attempt, String message) implements JournalNote {
    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.fault(this);
    }
  }
}
