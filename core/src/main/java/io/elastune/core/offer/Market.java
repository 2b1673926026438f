package io.elastune.core.offer;

/** The market on which capacity is bought: on-demand or spot. */
public enum Market {
  ON_DEMAND("on-demand"),
  SPOT("spot");

  private final String word;

  Market(String word) {
    this.word = word;
  }

  /** Returns the name used in files, offer names and screens. */
  public String word() {
    return word;
  }
}
