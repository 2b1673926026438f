package io.elastune.cli.text;

/**
 * Forms the plural of a unit. Users choose the unit's name, so the result is right for most names
 * only.
 */
public final class Plural {
  private Plural() {}

  /** Returns e.g. {@code 1 trial} or {@code 2 trials}. */
  public static String counted(long count, String noun) {
    return count + " " + noun + (count == 1 ? "" : "s");
  }

  static String of(String unit) {
    if (unit.endsWith("s")) {
      return unit;
    }
    return unit.endsWith("ch") || unit.endsWith("x") ? plural(unit, "es") : plural(unit, "s");
  }

  private static String plural(String unit, String ending) {
    return unit.equals("epoch") ? "epochs" : unit + ending;
  }
}
