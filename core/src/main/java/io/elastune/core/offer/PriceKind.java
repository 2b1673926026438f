package io.elastune.core.offer;

/** Whether a price is really charged. */
public enum PriceKind {
  /** A provider's list price: it will be charged. */
  LIST("list"),
  /** A price for comparison only (this machine, the simulated world): nothing is charged. */
  NOTIONAL("notional");

  private final String word;

  PriceKind(String word) {
    this.word = word;
  }

  /** The word used in files and on screens. */
  public String word() {
    return word;
  }
}
