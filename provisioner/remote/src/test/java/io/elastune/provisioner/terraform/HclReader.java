package io.elastune.provisioner.terraform;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the blocks of Terraform files. Expressions are not interpreted. */
final class HclReader {
  private final String text;
  private int at;

  private HclReader(String text) {
    this.text = text;
  }

  /** Returns a block without type that contains the blocks of the file. */
  static HclBlock read(String text) {
    HclReader reader = new HclReader(text);
    HclBlock file = reader.body("", List.of());
    if (reader.at < text.length()) {
      throw reader.error("unexpected text");
    }
    return file;
  }

  private HclBlock body(String type, List<String> labels) {
    Map<String, String> arguments = new LinkedHashMap<>();
    List<HclBlock> blocks = new ArrayList<>();
    for (skipSpace(); at < text.length() && text.charAt(at) != '}'; skipSpace()) {
      String name = word();
      skipSpace();
      if (text.charAt(at) == '=') {
        at++;
        if (arguments.put(name, expression()) != null) {
          throw error(name + " is given twice");
        }
      } else {
        blocks.add(block(name));
      }
    }
    return new HclBlock(type, labels, arguments, blocks);
  }

  private HclBlock block(String type) {
    List<String> labels = new ArrayList<>();
    for (; text.charAt(at) != '{'; skipSpace()) {
      int start = at;
      if (text.charAt(at) == '"') {
        skipString();
        labels.add(text.substring(start + 1, at - 1));
      } else {
        labels.add(word());
      }
    }
    at++;
    HclBlock block = body(type, labels);
    if (at >= text.length()) {
      throw error("a block is not closed");
    }
    at++;
    return block;
  }

  private String word() {
    int start = at;
    while (at < text.length() && isPartOfName(text.charAt(at))) {
      at++;
    }
    if (at == start) {
      throw error("a name is missing");
    }
    return text.substring(start, at);
  }

  /**
   * Returns the text up to the end of the line or of the block, outside of brackets and strings.
   */
  private String expression() {
    int start = at;
    int depth = 0;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (depth == 0 && (c == '\n' || c == '}')) {
        break;
      }
      if (c == '"') {
        skipString();
        continue;
      }
      if (isComment()) {
        skipComment();
        continue;
      }
      depth += "([{".indexOf(c) >= 0 ? 1 : ")]}".indexOf(c) >= 0 ? -1 : 0;
      at++;
    }
    return text.substring(start, at).strip();
  }

  /** Skips a string with its templates, in which there may be further strings. */
  private void skipString() {
    at++;
    while (text.charAt(at) != '"') {
      if (text.charAt(at) == '\\') {
        at += 2;
      } else if (text.startsWith("$${", at)) {
        at += 3;
      } else if (text.startsWith("${", at)) {
        skipTemplate();
      } else {
        at++;
      }
    }
    at++;
  }

  private void skipTemplate() {
    int depth = 0;
    do {
      char c = text.charAt(at);
      if (c == '"') {
        skipString();
      } else {
        depth += c == '{' ? 1 : c == '}' ? -1 : 0;
        at++;
      }
    } while (depth > 0 || text.charAt(at - 1) == '$');
  }

  private void skipSpace() {
    while (at < text.length()) {
      if (isComment()) {
        skipComment();
      } else if (Character.isWhitespace(text.charAt(at))) {
        at++;
      } else {
        return;
      }
    }
  }

  private boolean isComment() {
    return text.charAt(at) == '#' || text.startsWith("//", at);
  }

  private void skipComment() {
    while (at < text.length() && text.charAt(at) != '\n') {
      at++;
    }
  }

  private static boolean isPartOfName(char c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '-';
  }

  private IllegalArgumentException error(String what) {
    long line = text.substring(0, Math.min(at, text.length())).lines().count();
    return new IllegalArgumentException("line " + line + ": " + what);
  }
}
