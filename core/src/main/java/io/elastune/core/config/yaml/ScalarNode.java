package io.elastune.core.config.yaml;

/**
 * A single value: a string, number, boolean or null.
 *
 * @param text the value as in the file, without quotes
 * @param plain whether it has no quotes in the file
 */
public record ScalarNode(
    SourcePosition place, String path, ScalarType kind, String text, boolean plain)
    implements YamlNode {
  private static final int LONGEST_SHOWN = 60;

  /** Creates a value with quotes, or one that is not in a file. */
  public ScalarNode(SourcePosition place, String path, ScalarType kind, String text) {
    this(place, path, kind, text, false);
  }

  /** The type of a value by the core schema of YAML 1.2. Quoted values are always strings. */
  public enum ScalarType {
    STRING,
    WHOLE_NUMBER,
    NUMBER,
    BOOLEAN,
    EMPTY
  }

  @Override
  public String describe() {
    return switch (kind) {
      case STRING -> "the string \"" + displayText() + "\"";
      case WHOLE_NUMBER, NUMBER, BOOLEAN -> displayText();
      case EMPTY -> "an empty value";
    };
  }

  /** Returns the text, truncated if it is long. */
  public String displayText() {
    return text.length() <= LONGEST_SHOWN ? text : text.substring(0, LONGEST_SHOWN) + "…";
  }
}
