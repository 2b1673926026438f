package io.elastune.cli.execute;

import io.elastune.core.files.PrivateFiles;
import io.elastune.core.text.VisibleText;
import io.elastune.provisioner.SecretMask;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.regex.Pattern;

/**
 * Writes the warnings and errors of all components of this process to the log of a run, from its
 * creation until it is closed. The file is created with the first of them, for its owner only. A
 * full file is renamed, and replaces the previous one, so both together are limited.
 */
final class RunLog extends Handler implements AutoCloseable {
  /** The largest size of a file in bytes. */
  static final int MAX_BYTES = 1 << 20;

  /** Values in signed addresses and headers that give access. */
  private static final Pattern SIGNATURE =
      Pattern.compile(
          "(?i)((?:X-(?:Amz|Goog)-(?:Signature|Security-Token|Credential)=|Bearer )\\s*)[^&\\s\"']+");

  /** All loggers pass their records to it. */
  private static final Logger ROOT = Logger.getLogger("");

  private static final Formatter FORMATTER = new LineFormatter();

  private final Path file;
  private final SecretMask secrets;
  private boolean isClosed;

  /**
   * Starts to write to {@code file}.
   *
   * @param secrets what no line may contain
   */
  RunLog(Path file, SecretMask secrets) {
    this.file = file;
    this.secrets = secrets;
    setLevel(Level.WARNING);
    ROOT.addHandler(this);
  }

  @Override
  public void publish(LogRecord entry) {
    if (isLoggable(entry)) {
      String line = SIGNATURE.matcher(FORMATTER.format(entry)).replaceAll("$1***");
      write(VisibleText.escapeLines(secrets.mask(line)).getBytes(StandardCharsets.UTF_8));
    }
  }

  private synchronized void write(byte[] line) {
    if (isClosed) {
      return; // A logger that began to publish before the handler was removed.
    }
    try {
      if (Files.exists(file) && Files.size(file) + line.length > MAX_BYTES) {
        Path previous = file.resolveSibling(file.getFileName() + ".1");
        Files.move(file, previous, StandardCopyOption.REPLACE_EXISTING);
      }
      Files.write(PrivateFiles.createFile(file), line, StandardOpenOption.APPEND);
    } catch (IOException e) {
      // A full disk, or a removed folder: the controller detects both and stops the run.
      return;
    }
  }

  @Override
  public void flush() {
    // Every line is written at once.
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    ROOT.removeHandler(this);
  }

  /** One line for each record, and the stack trace of an exception. */
  private static final class LineFormatter extends Formatter {
    @Override
    public String format(LogRecord entry) {
      String source = entry.getLoggerName() == null ? "" : entry.getLoggerName();
      String line =
          entry.getInstant()
              + " "
              + (entry.getLevel().equals(Level.WARNING) ? "WARN" : "ERROR")
              + " "
              + source.substring(source.lastIndexOf('.') + 1)
              + ": "
              + formatMessage(entry)
              + "\n";
      return entry.getThrown() == null ? line : line + trace(entry.getThrown());
    }

    private static String trace(Throwable thrown) {
      StringWriter trace = new StringWriter();
      thrown.printStackTrace(new PrintWriter(trace, true));
      return trace.toString();
    }
  }
}
