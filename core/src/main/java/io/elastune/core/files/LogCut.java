package io.elastune.core.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a {@link LimitedLog} has left out of its file: the bytes between its head and its tail. A
 * line of the file, whose place and length are known, says how many these are. A position counts
 * all bytes that were written, so a reader that follows the log continues where it was.
 *
 * @param headBytes the bytes before that line
 * @param omittedBytes the bytes that are left out; 0 if the log is complete
 */
public record LogCut(long headBytes, long omittedBytes) {
  private static final String LINE = "%n[elastune: %016d bytes of this log are left out here]%n";
  private static final Pattern PATTERN =
      Pattern.compile("\\n\\[elastune: ([0-9]{16}) bytes of this log are left out here]\\n");
  private static final int LINE_BYTES = line(0).length;

  private static byte[] line(long bytes) {
    return String.format(Locale.ROOT, LINE.replace("%n", "\n"), bytes)
        .getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the cut of the log of an open file, whose head has this length if it was cut. */
  public static LogCut read(SeekableByteChannel file, long headBytes) throws IOException {
    LogCut none = new LogCut(headBytes, 0);
    if (file.size() < headBytes + LINE_BYTES) {
      return none;
    }
    ByteBuffer line = ByteBuffer.allocate(LINE_BYTES);
    file.position(headBytes);
    int read;
    do {
      read = file.read(line);
    } while (read > 0 && line.hasRemaining());
    Matcher matcher = PATTERN.matcher(new String(line.array(), StandardCharsets.UTF_8));
    return matcher.matches() ? new LogCut(headBytes, Long.parseLong(matcher.group(1))) : none;
  }

  /** Returns the line of the file that says how many bytes are left out. */
  byte[] line() {
    return line(omittedBytes);
  }

  /** Returns the cut after more bytes behind the head are left out. */
  LogCut plus(long bytes) {
    return new LogCut(headBytes, omittedBytes + bytes);
  }

  /** Returns the offset in the file at which the tail begins. */
  long tailOffset() {
    return omittedBytes == 0 ? headBytes : headBytes + LINE_BYTES;
  }

  /** Returns the offset in the file of a position; of one that is left out, that of the line. */
  public long offset(long position) {
    if (omittedBytes == 0 || position < headBytes) {
      return position;
    }
    return position < headBytes + omittedBytes ? headBytes : position - omittedBytes + LINE_BYTES;
  }

  /** Returns the position of an offset in the file. */
  public long position(long offset) {
    if (omittedBytes == 0 || offset <= headBytes) {
      return offset;
    }
    return Math.max(headBytes + omittedBytes, offset - LINE_BYTES + omittedBytes);
  }
}
