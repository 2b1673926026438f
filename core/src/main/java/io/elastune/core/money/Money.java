package io.elastune.core.money;

import java.math.BigDecimal;
import java.math.RoundingMode;

/**
 * An exact amount of US dollars, in billionths of a dollar. What has been spent is added up in this
 * type; sampled predictions stay in {@code double}s named {@code …Usd}.
 */
public record Money(long nanoUsd) implements Comparable<Money> {
  public static final Money ZERO = new Money(0);
  private static final int NANO_DIGITS = 9;

  /** The nearest billionth of a dollar to {@code usd}. */
  public static Money ofUsd(double usd) {
    return new Money(
        BigDecimal.valueOf(usd)
            .setScale(NANO_DIGITS, RoundingMode.HALF_EVEN)
            .unscaledValue()
            .longValueExact());
  }

  public Money plus(Money other) {
    return new Money(Math.addExact(nanoUsd, other.nanoUsd));
  }

  public Money minus(Money other) {
    return new Money(Math.subtractExact(nanoUsd, other.nanoUsd));
  }

  /** In dollars, for JSON and screens. */
  public double usd() {
    return BigDecimal.valueOf(nanoUsd, NANO_DIGITS).doubleValue();
  }

  @Override
  public int compareTo(Money other) {
    return Long.compare(nanoUsd, other.nanoUsd);
  }
}
