package io.elastune.executor.local;

import io.elastune.executor.protocol.Text;
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
 * The log of one attempt, appended to by all its workers' readers. A disk that is full must not
 * stop the training: what cannot be written is dropped and told once.
 */
final class AttemptLog {
  private static final int TAIL = 5;
  private static final byte[] CUT = " … (line cut)".getBytes(StandardCharsets.UTF_8);

  private final Deque<String> tail = new ArrayDeque<>();
  private @Nullable OutputStream file;
  private Optional<String> problem = Optional.empty();

  AttemptLog(Path path) {
    try {
      Files.createDirectories(path.toAbsolutePath().getParent());
      file =
          new BufferedOutputStream(
              Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND));
    } catch (IOException e) {
      broken(e);
    }
  }

  /** Appends a line as it is, after {@code prefix}. */
  synchronized void line(String prefix, byte[] line, int length, boolean cut) {
    String shown = Text.shown(new String(line, 0, Math.min(length, 1000), StandardCharsets.UTF_8));
    if (!shown.isEmpty()) {
      tail.addLast(prefix + shown);
      if (tail.size() > TAIL) {
        tail.removeFirst();
      }
    }
    if (file == null) {
      return;
    }
    try {
      file.write(prefix.getBytes(StandardCharsets.UTF_8));
      file.write(line, 0, length);
      if (cut) {
        file.write(CUT);
      }
      file.write('\n');
      file.flush();
    } catch (IOException e) {
      broken(e);
    }
  }

  /** The last lines that are not blank, one below the other. */
  synchronized String tail() {
    return String.join("\n", tail);
  }

  /** Why the log is not complete. */
  synchronized Optional<String> problem() {
    return problem;
  }

  synchronized void close() {
    if (file != null) {
      try {
        file.close();
      } catch (IOException e) {
        broken(e);
      }
      file = null;
    }
  }

  private void broken(IOException e) {
    file = null;
    if (problem.isEmpty()) {
      problem = Optional.of("the log is not complete: " + e);
    }
  }
}
