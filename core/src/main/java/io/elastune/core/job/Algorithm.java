package io.elastune.core.job;

/** The search algorithm of a job: how trials are chosen and stopped early. */
public enum Algorithm {
  SHA("sha"),
  HYPERBAND("hyperband"),
  ASHA("asha"),
  PBT("pbt"),
  RANDOM("random"),
  GRID("grid");

  private final String word;

  Algorithm(String word) {
    this.word = word;
  }

  /** Returns the name used in files. */
  public String word() {
    return word;
  }
}
