package io.elastune.core.job;

import io.elastune.core.Preconditions;

/** The metric by which trials are compared. Every trial reports it. */
public record Metric(String name, Goal goal) {
  /** Whether higher or lower values are better. */
  public enum Goal {
    MAXIMIZE("maximize"),
    MINIMIZE("minimize");

    private final String word;

    Goal(String word) {
      this.word = word;
    }

    /** Returns the name used in files. */
    public String word() {
      return word;
    }
  }

  public Metric {
    Preconditions.text("search.metric.name", name);
  }
}
