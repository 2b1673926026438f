package io.elastune.cli.screen;

/** Units are named by users: the plural is a guess that is right for most of them. */
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
