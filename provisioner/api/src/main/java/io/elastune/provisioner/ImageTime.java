package io.elastune.provisioner;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The time that a setup takes to pull the image of the trials. The setup prints it at the end of
 * its output, so every provider and engine finds it in the log.
 */
public final class ImageTime {
  private static final String BEFORE = "elastune: the image was pulled in ";
  private static final Pattern LINE = Pattern.compile("(?m)^" + BEFORE + "(\\d+) s$");
  private static final int MOST_BYTES = 4096;

  private ImageTime() {}

  /** Returns shell commands that execute {@code pull} and print how many seconds it took. */
  public static String printed(String pull) {
    return "elastune_began=$(date +%s)\n"
        + pull
        + "\necho \""
        + BEFORE
        + "$(($(date +%s) - elastune_began)) s\"";
  }

  /** Returns the seconds at the end of a log; empty if there are none or it cannot be read. */
  public static OptionalDouble inLog(Path log) {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      byte[] bytes = new byte[(int) Math.min(MOST_BYTES, file.length())];
      file.seek(file.length() - bytes.length);
      file.readFully(bytes);
      Matcher line = LINE.matcher(new String(bytes, StandardCharsets.UTF_8));
      OptionalDouble seconds = OptionalDouble.empty();
      while (line.find()) {
        seconds = OptionalDouble.of(Double.parseDouble(line.group(1)));
      }
      return seconds;
    } catch (IOException e) {
      return OptionalDouble.empty();
    }
  }
}
