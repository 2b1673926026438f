package io.elastune.core.job;

/** How trials are chosen and stopped. */
public enum Algorithm {
  SHA("sha"),
  HYPERBAND("hyperband"),
  RANDOM("random"),
  GRID("grid");

  private final String word;

  Algorithm(String word) {
    this.word = word;
  }

  /** The word used in files. */
  public String word() {
    return word;
  }
}
