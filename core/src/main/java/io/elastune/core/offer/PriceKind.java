package io.elastune.core.offer;

import io.elastune.core.field.Word;

/** Whether a price is charged or only shown. */
public enum PriceKind implements Word {
  /** A provider's list price, which is charged. */
  LIST,
  /** A price for comparison only (local machine, simulated environment): nothing is charged. */
  NOTIONAL
}
