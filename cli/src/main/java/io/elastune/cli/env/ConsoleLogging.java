package io.elastune.cli.env;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.logging.LogManager;

/** Limits the log messages on standard error to errors. Screens show what users need. */
public final class ConsoleLogging {
  /** The system property of Java with the user's own configuration. */
  private static final String OWN = "java.util.logging.config.file";

  private ConsoleLogging() {}

  /** Configures the log of this process, unless the user has configured it. */
  public static void configure() {
    if (System.getProperty(OWN) != null) {
      return;
    }
    try (InputStream settings =
        Objects.requireNonNull(ConsoleLogging.class.getResourceAsStream("logging.properties"))) {
      LogManager.getLogManager().readConfiguration(settings);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
