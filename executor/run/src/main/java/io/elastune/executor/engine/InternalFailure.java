package io.elastune.executor.engine;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An error in the work of an engine itself on an attempt: it ends the attempt. */
public final class InternalFailure {
  /** The exit code of an attempt that the engine could not continue (EX_SOFTWARE). */
  public static final int EXIT = 70;

  private static final Logger LOG = LoggerFactory.getLogger(InternalFailure.class);

  private InternalFailure() {}

  /** Returns the text of a fault. */
  public static String text(Throwable error) {
    return "the engine could not continue it: " + error;
  }

  /** Runs a step at the end of such an attempt. Whatever fails in it does not prevent the end. */
  public static void quietly(String attempt, Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      LOG.debug("Ending attempt {}: {}", attempt, e.toString());
    }
  }
}
