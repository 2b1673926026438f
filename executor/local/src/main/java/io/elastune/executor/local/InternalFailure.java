package io.elastune.executor.local;

/** Describes an error in the work of the engine itself. */
final class InternalFailure {
  private InternalFailure() {}

  /** Returns the text of a fault. */
  static String text(Throwable error) {
    return "the engine could not continue it: " + error;
  }
}
