package io.elastune.core.job;

import io.elastune.core.field.Word;
import io.elastune.core.offer.Market;

/** The markets on which a job may buy capacity. */
public enum MarketChoice implements Word {
  ON_DEMAND("on-demand"),
  SPOT("spot"),
  /** Both: spot where the deadline allows it, on demand otherwise. */
  AUTO("auto");

  private final String word;

  MarketChoice(String word) {
    this.word = word;
  }

  @Override
  public String word() {
    return word;
  }

  /** Returns whether capacity of {@code market} may be bought. */
  public boolean allows(Market market) {
    return this == AUTO || word.equals(market.word());
  }
}
