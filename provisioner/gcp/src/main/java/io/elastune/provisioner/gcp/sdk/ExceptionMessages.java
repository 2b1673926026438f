package io.elastune.provisioner.gcp.sdk;

/** Shortens the messages of exceptions for Elastune's own errors. */
final class ExceptionMessages {
  private ExceptionMessages() {}

  /** Returns the first line of the message; "null" if there is no message. */
  static String firstLine(Throwable e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("").strip();
  }
}
