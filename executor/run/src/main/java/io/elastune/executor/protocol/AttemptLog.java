package io.elastune.executor.protocol;

import io.elastune.core.files.PrivateFiles;
import io.elastune.provisioner.SecretMask;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes the log of one attempt; the output readers of all its workers append to it. A full disk
 * must not stop the training: output that cannot be written is dropped, and the error is reported
 * once.
 */
public final class AttemptLog {
  private static final int TAIL_LINES = 10;
  private static final byte[] TRUNCATED = " … (line cut)".getBytes(StandardCharsets.UTF_8);

  private final Deque<String> tail = new ArrayDeque<>();
  private final SecretMask mask;
  private @Nullable OutputStream file;
  private Optional<String> problem = Optional.empty();

  /** Opens the log; an error is a {@link #problem}. */
  public AttemptLog(Path path, SecretMask mask) {
    this.mask = mask;
    try {
      PrivateFiles.createParent(path);
      file =
          new BufferedOutputStream(
              Files.newOutputStream(PrivateFiles.createFile(path), StandardOpenOption.APPEND));
    } catch (IOException e) {
      fail(e);
    }
  }

  /** Appends a line without the values of secrets, after {@code prefix}. */
  public synchronized void line(String prefix, byte[] line, int length, boolean cut) {
    byte[] masked = mask.mask(line, length, cut);
    String shown =
        MessageText.singleLine(
            new String(masked, 0, Math.min(masked.length, 1000), StandardCharsets.UTF_8));
    if (!shown.isEmpty()) {
      tail.addLast(prefix + shown);
      if (tail.size() > TAIL_LINES) {
        tail.removeFirst();
      }
    }
    if (file == null) {
      return;
    }
    try {
      file.write(prefix.getBytes(StandardCharsets.UTF_8));
      file.write(masked);
      if (cut) {
        file.write(TRUNCATED);
      }
      file.write('\n');
      file.flush();
    } catch (IOException e) {
      fail(e);
    }
  }

  /** Returns the last non-blank lines, separated by line breaks. */
  public synchronized String tail() {
    return String.join("\n", tail);
  }

  /** Returns why the log is incomplete; empty if it is complete. */
  public synchronized Optional<String> problem() {
    return problem;
  }

  /** Closes the file. */
  public synchronized void close() {
    if (file != null) {
      try {
        file.close();
      } catch (IOException e) {
        fail(e);
      }
      file = null;
    }
  }

  private void fail(IOException e) {
    file = null;
    if (problem.isEmpty()) {
      problem = Optional.of("the log is incomplete: " + e);
    }
  }
}
