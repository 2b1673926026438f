package digits;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Parses a JSON text into maps, lists, strings, longs, doubles and booleans.
 *
 * <p>Integers become longs, because a double cannot represent every seed.
 */
final class Json {
  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  static Map<String, Object> object(String text) {
    Json json = new Json(text);
    Object value = json.value();
    json.skipBlanks();
    if (json.at != text.length() || !(value instanceof Map)) {
      throw json.expected("one object and nothing after it");
    }
    @SuppressWarnings("unchecked") // members() creates no other maps
    Map<String, Object> object = (Map<String, Object>) value;
    return object;
  }

  private Object value() {
    char first = peek();
    if (first == '{') {
      return members();
    }
    if (first == '[') {
      return elements();
    }
    if (first == '"') {
      return string();
    }
    return word();
  }

  private Map<String, Object> members() {
    Map<String, Object> members = new LinkedHashMap<>();
    expect('{');
    while (peek() != '}') {
      if (!members.isEmpty()) {
        expect(',');
      }
      String name = string();
      expect(':');
      if (members.put(name, value()) != null) {
        throw expected("only one " + name);
      }
    }
    expect('}');
    return members;
  }

  private List<Object> elements() {
    List<Object> elements = new ArrayList<>();
    expect('[');
    while (peek() != ']') {
      if (!elements.isEmpty()) {
        expect(',');
      }
      elements.add(value());
    }
    expect(']');
    return elements;
  }

  private String string() {
    expect('"');
    StringBuilder string = new StringBuilder();
    while (at < text.length() && text.charAt(at) != '"') {
      char c = text.charAt(at++);
      string.append(c == '\\' ? escaped() : c);
    }
    if (at == text.length()) {
      throw expected("a closing quote");
    }
    at++;
    return string.toString();
  }

  private char escaped() {
    if (at == text.length()) {
      throw expected("an escaped character");
    }
    char c = text.charAt(at++);
    if (c == 'u' && at + 4 <= text.length()) {
      at += 4;
      return (char) Integer.parseInt(text.substring(at - 4, at), 16);
    }
    int known = "\"\\/bfnrt".indexOf(c);
    if (known < 0) {
      throw expected("a known escape");
    }
    return "\"\\/\b\f\n\r\t".charAt(known);
  }

  private Object word() {
    int start = at;
    while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    String word = text.substring(start, at);
    if (word.equals("true") || word.equals("false")) {
      return word.equals("true");
    }
    if (word.matches("-?\\d+")) {
      return Long.valueOf(word);
    }
    if (word.matches("-?\\d+(\\.\\d+)?([eE][-+]?\\d+)?")) {
      return Double.valueOf(word);
    }
    at = start;
    throw expected("a value (null is not supported)");
  }

  private void skipBlanks() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private char peek() {
    skipBlanks();
    if (at == text.length()) {
      throw expected("more text");
    }
    return text.charAt(at);
  }

  private void expect(char c) {
    if (peek() != c) {
      throw expected("'" + c + "'");
    }
    at++;
  }

  private IllegalArgumentException expected(String what) {
    return new IllegalArgumentException("invalid JSON: expected " + what + " at character " + at);
  }
}
