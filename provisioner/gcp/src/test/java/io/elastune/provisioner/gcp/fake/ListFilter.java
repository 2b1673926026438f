package io.elastune.provisioner.gcp.fake;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * The subset of Google's filter syntax that its clients use: {@code field = "text"}, {@code
 * field:*}, {@code field:text}, {@code field eq "regular expression"}, in parentheses, joined by OR
 * or AND.
 */
final class ListFilter {
  private static final Pattern TERM =
      Pattern.compile(
          "([\\w.\"-]+?)\\s*(!=|=|:|\\beq\\b|\\bne\\b)\\s*(\"[^\"]*\"|'[^']*'|[^\\s()]+)");

  private ListFilter() {}

  static boolean passes(JsonNode thing, String filter) {
    if (filter.isBlank()) {
      return true;
    }
    for (String some : split(filter.strip(), " OR ")) {
      if (split(some.strip(), " AND ").stream().allMatch(term -> one(thing, term.strip()))) {
        return true;
      }
    }
    return false;
  }

  private static boolean one(JsonNode thing, String term) {
    if (term.startsWith("(") && term.endsWith(")")) {
      return passes(thing, term.substring(1, term.length() - 1));
    }
    Matcher parts = TERM.matcher(term);
    if (!parts.matches()) {
      throw new ApiError(400, "invalid", "Invalid value for field 'filter': '" + term + "'");
    }
    String field = parts.group(1).replace("\"", "");
    String value = parts.group(3).replaceAll("^[\"']|[\"']$", "");
    JsonNode found = thing;
    for (String step : field.split("\\.", 2)) {
      found = found.path(step);
    }
    String text = found.asString("");
    return switch (parts.group(2)) {
      case "=" -> text.equals(value);
      case "!=" -> !text.equals(value);
      case "eq" -> text.matches(value);
      case "ne" -> !text.matches(value);
      default -> value.equals("*") ? !found.isMissingNode() : text.contains(value);
    };
  }

  /** Splits a text, but not inside parentheses or quotes. */
  private static List<String> split(String text, String by) {
    List<String> parts = new ArrayList<>();
    int depth = 0;
    boolean quoted = false;
    int from = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      quoted ^= c == '"';
      depth += quoted ? 0 : c == '(' ? 1 : c == ')' ? -1 : 0;
      if (depth == 0 && !quoted && text.startsWith(by, i)) {
        parts.add(text.substring(from, i));
        from = i + by.length();
      }
    }
    parts.add(text.substring(from));
    return parts;
  }
}
