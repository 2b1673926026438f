package io.elastune.provisioner.gcp.sdk;

import io.elastune.provisioner.NetworkFailure;

/** Shortens the messages of exceptions for Elastune's own errors. */
final class ExceptionMessages {
  private ExceptionMessages() {}

  /**
   * Returns what failed in a connection, and the remedy; otherwise the first line of the message.
   *
   * @param server the server to which the connection was made
   */
  static String ofCall(Throwable e, String server) {
    return NetworkFailure.find(e, server).orElseGet(() -> firstLine(e));
  }

  /** Returns the first line of the message; "null" if there is no message. */
  static String firstLine(Throwable e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("").strip();
  }
}
