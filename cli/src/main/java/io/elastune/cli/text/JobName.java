package io.elastune.cli.text;

import java.util.Locale;

/** Names of jobs that are made from other names. */
public final class JobName {
  private static final int LONGEST = 40;

  private JobName() {}

  /**
   * Returns a text reduced to the characters of a job name, without hyphens at its ends.
   *
   * @param otherwise the name if nothing is left
   */
  public static String of(String text, String otherwise) {
    String plain =
        text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceFirst("^-", "");
    String name = plain.substring(0, Math.min(plain.length(), LONGEST)).replaceFirst("-$", "");
    return name.isEmpty() ? otherwise : name;
  }
}
