package io.elastune.core.policy;

/** How fast a trial of average speed is with each width. */
public interface WidthSeconds {
  /** Returns the seconds per unit with {@code width}. */
  double perUnit(Width width);
}
