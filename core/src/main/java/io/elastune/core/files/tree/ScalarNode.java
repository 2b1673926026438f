package io.elastune.core.files.tree;

/**
 * A single value.
 *
 * @param text as it stands in the file, without quotes
 */
public record ScalarNode(Place place, String path, Kind kind, String text) implements Node {
  private static final int LONGEST_SHOWN = 60;

  /** What it is, by the core schema of YAML 1.2: quoted values are always texts. */
  public enum Kind {
    TEXT,
    WHOLE_NUMBER,
    NUMBER,
    TRUE_OR_FALSE,
    NOTHING
  }

  /** A value as if it stood unquoted in a file. */
  public static ScalarNode plain(Place place, String path, String text) {
    return new ScalarNode(place, path, PlainScalars.kindOf(text), text);
  }

  @Override
  public String describe() {
    return switch (kind) {
      case TEXT -> "the text \"" + shown() + "\"";
      case WHOLE_NUMBER, NUMBER, TRUE_OR_FALSE -> shown();
      case NOTHING -> "nothing";
    };
  }

  /** The text, cut if it is long. */
  public String shown() {
    return text.length() <= LONGEST_SHOWN ? text : text.substring(0, LONGEST_SHOWN) + "…";
  }
}
