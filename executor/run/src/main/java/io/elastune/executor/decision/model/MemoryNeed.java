package io.elastune.executor.decision.model;

import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads from the message of a failure how much memory a trial needed, and how much there was. */
final class MemoryNeed {
  private static final String AMOUNT = "([0-9]+(?:\\.[0-9]+)?) ?(bytes|[KMGT]i?B)\\b";

  /** PyTorch, NumPy, JAX and Rust: the allocation that failed. */
  private static final Pattern TRIED =
      Pattern.compile(
          "(?i)(?:tried to allocate|unable to allocate|failed to allocate(?: request for)?"
              + "|memory allocation of) "
              + AMOUNT);

  /** PyTorch: what it had allocated before. */
  private static final Pattern ALLOCATED =
      Pattern.compile(AMOUNT + " (?:is allocated by PyTorch|already allocated)");

  /** PyTorch: the memory of the GPU. */
  private static final Pattern CAPACITY =
      Pattern.compile("total capacity of " + AMOUNT + "|" + AMOUNT + " total capacity");

  /** The engine: the most that it measured, and the limit. */
  private static final Pattern MEASURED =
      Pattern.compile("peak memory " + AMOUNT + "(?: of " + AMOUNT + ")?");

  private static final Pattern NAMED = Pattern.compile("used ([0-9.]+) GB of ([0-9.]+) GB");

  private static final Map<String, Double> UNITS =
      Map.of(
          "bytes", 1.0,
          "KB", 1e3,
          "MB", 1e6,
          "GB", 1e9,
          "TB", 1e12,
          "KIB", 1024.0,
          "MIB", 1024.0 * 1024,
          "GIB", 1024.0 * 1024 * 1024,
          "TIB", 1024.0 * 1024 * 1024 * 1024);

  private MemoryNeed() {}

  /** Returns e.g. {@code needs 3.1 GB of 2.0 GB}; empty if the message has no amount. */
  static String of(String message) {
    OptionalDouble tried = amount(TRIED, message);
    Matcher measured = MEASURED.matcher(message);
    if (tried.isPresent()) {
      double needed = tried.getAsDouble() + amount(ALLOCATED, message).orElse(0);
      OptionalDouble capacity = amount(CAPACITY, message);
      return "needs "
          + gigabytes(needed)
          + (capacity.isPresent() ? " of " + gigabytes(capacity.getAsDouble()) : "");
    }
    if (measured.find()) {
      String limit = measured.group(3) == null ? "" : " of " + gigabytes(bytes(measured, 3));
      return "used " + gigabytes(bytes(measured, 1)) + limit;
    }
    return "";
  }

  /** Returns the share of the memory that a text of this class names; 1 without one. */
  static double share(String text) {
    Matcher named = NAMED.matcher(text);
    return named.find()
        ? Double.parseDouble(named.group(1)) / Double.parseDouble(named.group(2))
        : 1;
  }

  private static OptionalDouble amount(Pattern pattern, String message) {
    Matcher matcher = pattern.matcher(message);
    if (!matcher.find()) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(bytes(matcher, matcher.group(1) == null ? 3 : 1));
  }

  private static double bytes(Matcher matcher, int group) {
    String unit = matcher.group(group + 1);
    String known = unit.equalsIgnoreCase("bytes") ? "bytes" : unit.toUpperCase(Locale.ROOT);
    return Double.parseDouble(matcher.group(group)) * UNITS.getOrDefault(known, 1.0);
  }

  private static String gigabytes(double bytes) {
    return String.format(Locale.ROOT, bytes < 1e8 ? "%.3f GB" : "%.1f GB", bytes / 1e9);
  }
}
