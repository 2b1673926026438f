package io.elastune.core.offer;

/** How capacity is bought. */
public enum Market {
  ON_DEMAND("on-demand"),
  SPOT("spot");

  private final String word;

  Market(String word) {
    this.word = word;
  }

  /** The word used in files, names and on screens. */
  public String word() {
    return word;
  }
}
