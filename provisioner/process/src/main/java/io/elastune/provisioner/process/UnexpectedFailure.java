package io.elastune.provisioner.process;

import org.slf4j.Logger;

/** The text of an error that the work on something did not expect, for its typed end. */
public final class UnexpectedFailure {
  private UnexpectedFailure() {}

  /**
   * Logs the error, and returns it as text.
   *
   * @param log that of the class which handles the error
   * @param subject what has failed, such as {@code lease run-1}
   */
  public static String text(Logger log, String subject, Throwable error) {
    String text = subject + " failed unexpectedly: " + error;
    log.warn("{}", text);
    log.debug("{}", subject, error);
    return text;
  }
}
