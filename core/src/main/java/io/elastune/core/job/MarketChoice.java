package io.elastune.core.job;

import io.elastune.core.field.Word;
import io.elastune.core.offer.Market;

/** The markets on which a job may buy capacity. */
public enum MarketChoice implements Word {
  ON_DEMAND,
  SPOT,
  /** Both: spot where the deadline allows it, on demand otherwise. */
  AUTO;

  /** Returns whether capacity of {@code market} may be bought. */
  public boolean allows(Market market) {
    return this == AUTO || word().equals(market.word());
  }
}
