package io.elastune.core.files.tree;

/**
 * A single value: a string, number, boolean or null.
 *
 * @param text the value as in the file, without quotes
 */
public record ScalarNode(Place place, String path, Kind kind, String text) implements Node {
  private static final int LONGEST_SHOWN = 60;

  /** The type of a value by the core schema of YAML 1.2. Quoted values are always strings. */
  public enum Kind {
    TEXT,
    WHOLE_NUMBER,
    NUMBER,
    TRUE_OR_FALSE,
    NOTHING
  }

  @Override
  public String describe() {
    return switch (kind) {
      case TEXT -> "the string \"" + shown() + "\"";
      case WHOLE_NUMBER, NUMBER, TRUE_OR_FALSE -> shown();
      case NOTHING -> "an empty value";
    };
  }

  /** Returns the text, truncated if it is long. */
  public String shown() {
    return text.length() <= LONGEST_SHOWN ? text : text.substring(0, LONGEST_SHOWN) + "…";
  }
}
