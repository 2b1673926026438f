package io.elastune.cli.env;

import io.elastune.core.text.VisibleText;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;

/** Formats log messages for a terminal: with visible characters only. */
public final class VisibleFormatter extends SimpleFormatter {
  @Override
  public String format(LogRecord entry) {
    return VisibleText.escapeLines(super.format(entry));
  }
}
