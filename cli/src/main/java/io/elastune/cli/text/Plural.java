package io.elastune.cli.text;

/**
 * Forms the plural of a unit. Users choose the unit's name, so the result is right for most names
 * only.
 */
final class Plural {
  private Plural() {}

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
