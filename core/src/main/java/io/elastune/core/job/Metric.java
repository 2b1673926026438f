package io.elastune.core.job;

import io.elastune.core.Check;

/** What is compared: a metric that every trial reports. */
public record Metric(String name, Goal goal) {
  /** Which end is better. */
  public enum Goal {
    MAXIMIZE("maximize"),
    MINIMIZE("minimize");

    private final String word;

    Goal(String word) {
      this.word = word;
    }

    /** The word used in files. */
    public String word() {
      return word;
    }
  }

  public Metric {
    Check.text("search.metric.name", name);
  }
}
