package io.elastune.executor.protocol;

import io.elastune.core.files.LimitedLog;
import io.elastune.executor.decision.model.FailureCause;
import io.elastune.provisioner.SecretMask;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes the log of one attempt; the output readers of all its workers append to it. A full disk
 * must not stop the training: output that cannot be written is dropped, and the error is reported
 * once. Of a long log of a trial, only its head and its tail are kept ({@link LimitedLog}).
 */
public final class AttemptLog {
  private static final int TAIL_LINES = 10;

  /** How far from the end an exception may be, before the summaries of launchers and trackers. */
  private static final int SEARCHED_LINES = 80;

  private static final int MOST_BYTES = 1000;
  private static final byte[] TRUNCATED = " … (line cut)".getBytes(StandardCharsets.UTF_8);

  private final Deque<String> tail = new ArrayDeque<>();
  private final SecretMask mask;
  private @Nullable LimitedLog file;
  private Optional<String> problem = Optional.empty();

  /** Opens the log; an error is a {@link #problem}. */
  public AttemptLog(Path path, SecretMask mask) {
    this.mask = mask;
    try {
      file = new LimitedLog(path);
    } catch (IOException e) {
      fail(e);
    }
  }

  /** Appends a line without the values of secrets, after {@code prefix}. */
  public synchronized void line(String prefix, byte[] line, int length, boolean cut) {
    byte[] masked = mask.mask(line, length, cut);
    String shown = MessageText.singleLine(lastVersion(masked));
    if (!shown.isEmpty()) {
      tail.addLast(prefix + shown);
      if (tail.size() > SEARCHED_LINES) {
        tail.removeFirst();
      }
    }
    if (file == null) {
      return;
    }
    try {
      file.line(prefix.getBytes(StandardCharsets.UTF_8), masked, cut ? TRUNCATED : new byte[0]);
    } catch (IOException e) {
      fail(e);
    }
  }

  /** Returns the beginning of the line as a progress bar has written it last. */
  private static String lastVersion(byte[] line) {
    int end = line.length;
    while (end > 0 && line[end - 1] == '\r') {
      end--;
    }
    int begin = end;
    while (begin > 0 && line[begin - 1] != '\r') {
      begin--;
    }
    return new String(line, begin, Math.min(end - begin, MOST_BYTES), StandardCharsets.UTF_8);
  }

  /**
   * Returns the last non-blank lines, separated by line breaks. The last exception of the program
   * comes first, if only others follow that launchers raise for it, or none.
   */
  public synchronized String tail() {
    List<String> all = List.copyOf(tail);
    int begin = Math.max(0, all.size() - TAIL_LINES);
    List<String> last = all.subList(begin, all.size());
    Stream<String> exception =
        last.stream().anyMatch(FailureCause::isException)
            ? Stream.empty()
            : all.subList(0, begin).stream()
                .filter(FailureCause::isException)
                .reduce((first, second) -> second)
                .stream();
    return Stream.concat(exception, last.stream()).collect(Collectors.joining("\n"));
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
      problem = Optional.of("the log is incomplete: " + e.getMessage());
    }
  }
}
