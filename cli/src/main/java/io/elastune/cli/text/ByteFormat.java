package io.elastune.cli.text;

import java.util.Locale;

/** Formats file sizes for text output. */
public final class ByteFormat {
  private static final String[] UNITS = {"kB", "MB", "GB", "TB", "PB", "EB"};
  private static final double STEP = 1000;
  private static final double ONE_DIGIT_BELOW = 10;

  private ByteFormat() {}

  /** Returns e.g. {@code 512 B}, {@code 1.2 kB} or {@code 34 GB}; units are powers of 1000. */
  public static String format(long bytes) {
    if (bytes < STEP) {
      return bytes + " B";
    }
    double size = bytes;
    int unit = -1;
    while (size >= STEP && unit + 1 < UNITS.length) {
      size /= STEP;
      unit++;
    }
    String digits = size < ONE_DIGIT_BELOW ? "%.1f %s" : "%.0f %s";
    return String.format(Locale.ROOT, digits, size, UNITS[unit]);
  }
}
