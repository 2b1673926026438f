package io.elastune.inputs;

import java.util.OptionalInt;

/**
 * A plan of the frontier that the user requests.
 *
 * @param number its number from 1; empty for the knee
 */
public record FrontierChoice(OptionalInt number) {
  public static final String KNEE = "knee";
}
