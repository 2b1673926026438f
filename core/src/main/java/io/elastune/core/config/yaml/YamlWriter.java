package io.elastune.core.config.yaml;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Writes maps, lists, strings, numbers and booleans as YAML. Map entries are on separate lines;
 * small maps in lists are on one line. Strings are quoted unless every parser reads them as
 * strings.
 */
public final class YamlWriter {
  private static final Pattern SURELY_TEXT =
      Pattern.compile("[A-Za-z/][A-Za-z0-9_./-]*|[0-9]+[dhms]");
  private static final Pattern SURELY_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]*");
  private static final Pattern SURELY_COMMAND =
      Pattern.compile("[A-Za-z0-9_./][^:#'\"\\n\\\\]*[^:#'\"\\s\\\\]");
  private static final Pattern READ_OTHERWISE =
      Pattern.compile("(?i)y|n|yes|no|on|off|true|false|null");
  private static final int WIDEST = 100;

  private YamlWriter() {}

  /** Returns the YAML text, which ends with a newline. */
  public static String write(Map<String, Object> root) {
    StringBuilder out = new StringBuilder();
    map(out, root, "");
    return out.toString();
  }

  private static void map(StringBuilder out, Map<?, ?> map, String indent) {
    map.forEach(
        (name, value) -> {
          out.append(indent).append(name(name)).append(':');
          value(out, value, indent);
        });
  }

  private static void value(StringBuilder out, Object value, String indent) {
    if (value instanceof Map<?, ?> map && !map.isEmpty()) {
      out.append('\n');
      map(out, map, indent + "  ");
    } else if (value instanceof List<?> list && !isFlat(list, indent)) {
      out.append('\n');
      list(out, list, indent + "  ");
    } else {
      out.append(' ').append(flow(value)).append('\n');
    }
  }

  private static boolean isFlat(List<?> list, String indent) {
    boolean simple = list.stream().noneMatch(item -> item instanceof Map || item instanceof List);
    return simple && indent.length() + flow(list).length() <= WIDEST;
  }

  private static void list(StringBuilder out, List<?> list, String indent) {
    for (Object item : list) {
      String oneLine = flow(item);
      boolean nested = item instanceof Map<?, ?> map && !map.isEmpty();
      if (nested && indent.length() + oneLine.length() > WIDEST) {
        int start = out.length();
        map(out, (Map<?, ?>) item, indent + "  ");
        out.setCharAt(start + indent.length(), '-');
      } else {
        out.append(indent).append("- ").append(oneLine).append('\n');
      }
    }
  }

  /**
   * Returns a command as the value of a field that stands alone in its line: as it is without
   * characters that have a meaning in YAML, otherwise as a block.
   *
   * @param indent what the lines of a block start with
   */
  public static String command(String text, String indent) {
    return SURELY_COMMAND.matcher(text).matches()
        ? text
        : "|-\n" + indent + text.replace("\n", "\n" + indent);
  }

  /** Returns a value as YAML on one line. */
  public static String flow(Object value) {
    if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream()
          .map(entry -> name(entry.getKey()) + ": " + flow(entry.getValue()))
          .collect(Collectors.joining(", ", "{", "}"));
    }
    if (value instanceof List<?> list) {
      return list.stream().map(YamlWriter::flow).collect(Collectors.joining(", ", "[", "]"));
    }
    return value instanceof String text && isPlain(text, SURELY_TEXT) ? text : JsonText.of(value);
  }

  private static String name(Object name) {
    String text = name.toString();
    return isPlain(text, SURELY_NAME) ? text : JsonText.quoted(text);
  }

  private static boolean isPlain(String text, Pattern surely) {
    return surely.matcher(text).matches() && !READ_OTHERWISE.matcher(text).matches();
  }
}
