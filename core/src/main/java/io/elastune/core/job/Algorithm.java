package io.elastune.core.job;

import io.elastune.core.field.Word;

/** The search algorithm of a job: how trials are chosen and stopped early. */
public enum Algorithm implements Word {
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

  @Override
  public String word() {
    return word;
  }
}
