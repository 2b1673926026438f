package io.elastune.core.config.yaml;

import io.elastune.core.config.yaml.ScalarNode.ScalarType;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Parses unquoted values by the core schema of YAML 1.2 (section 10.3.2). One difference: numbers
 * with leading zeros are strings, because parsers disagree whether {@code 010} is ten or eight.
 */
public final class UnquotedScalars {
  private static final Set<String> NOTHING = Set.of("", "~", "null", "Null", "NULL");
  private static final Set<String> TRUE_OR_FALSE =
      Set.of("true", "True", "TRUE", "false", "False", "FALSE");
  private static final Pattern WHOLE =
      Pattern.compile("[-+]?(0|[1-9][0-9]*+)|0o[0-7]++|0x[0-9a-fA-F]++");
  private static final Pattern NUMBER =
      Pattern.compile("[-+]?(\\.[0-9]++|(0|[1-9][0-9]*+)(\\.[0-9]*+)?)([eE][-+]?[0-9]++)?");
  private static final Pattern NOT_FINITE =
      Pattern.compile("[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)");

  private UnquotedScalars() {}

  /** Returns the node for an unquoted value. */
  public static ScalarNode parse(SourcePosition sourcePosition, String path, String text) {
    return new ScalarNode(sourcePosition, path, kindOf(text), text, true);
  }

  private static ScalarType kindOf(String text) {
    if (NOTHING.contains(text)) {
      return ScalarType.EMPTY;
    }
    if (TRUE_OR_FALSE.contains(text)) {
      return ScalarType.BOOLEAN;
    }
    if (WHOLE.matcher(text).matches()) {
      return ScalarType.WHOLE_NUMBER;
    }
    boolean number = NUMBER.matcher(text).matches() || NOT_FINITE.matcher(text).matches();
    return number ? ScalarType.NUMBER : ScalarType.STRING;
  }
}
