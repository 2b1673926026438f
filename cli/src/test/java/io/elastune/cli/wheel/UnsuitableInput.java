package io.elastune.cli.wheel;

/** States in one line why wheels cannot be built from what was given. */
final class UnsuitableInput extends RuntimeException {
  private static final long serialVersionUID = 1;

  UnsuitableInput(String message) {
    super(message);
  }
}
