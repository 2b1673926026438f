package io.elastune.executor.core;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** What the core wants remembered: why something was done, or what a trial did wrong. */
public sealed interface Note {
  /** Calls the method for the kind that this is. */
  <R> R match(Visitor<R> visitor);

  /** One method per kind, so that a new kind is a compile error at every use. */
  interface Visitor<R> {
    R decision(Decision note);

    R fault(TrialFault note);
  }

  /**
   * A decision and its reason.
   *
   * @param decision what was decided, in a word or two, e.g. {@code release}
   * @param reason why, in a sentence
   * @param numbers the figures that it rests on
   */
  record Decision(String decision, String reason, Map<String, Double> numbers) implements Note {
    public Decision {
      numbers = Collections.unmodifiableMap(new LinkedHashMap<>(numbers));
    }

    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.decision(this);
    }
  }

  /** A trial failed, or broke the protocol. */
  record TrialFault(int trial, String attempt, String message) implements Note {
    @Override
    public <R> R match(Visitor<R> visitor) {
      return visitor.fault(this);
    }
  }
}
