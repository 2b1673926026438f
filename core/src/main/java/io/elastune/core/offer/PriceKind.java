package io.elastune.core.offer;

/** Whether a price is charged or only shown. */
public enum PriceKind {
  /** A provider's list price, which is charged. */
  LIST("list"),
  /** A price for comparison only (local machine, simulated environment): nothing is charged. */
  NOTIONAL("notional");

  private final String word;

  PriceKind(String word) {
    this.word = word;
  }

  /** Returns the name used in files and on screens. */
  public String word() {
    return word;
  }
}
