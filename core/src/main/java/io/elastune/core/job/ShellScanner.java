package io.elastune.core.job;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Follows the quoting of a shell script, character by character: quotes, escapes, comments, {@code
 * $(...)} and here-documents.
 */
final class ShellScanner {
  private static final Pattern DOCUMENT =
      Pattern.compile("<<(-?)[ \\t]*(\\\\?)(['\"]?)([A-Za-z_][A-Za-z0-9_]*)\\3");
  private static final String ENDS_WORD = " \t\n;&|()";

  private final String script;
  private final Deque<ShellQuoting> quotings = new ArrayDeque<>();
  private final Deque<Document> pending = new ArrayDeque<>();
  private boolean comment;
  private boolean afterBackslash;

  /** A document that begins on the next line, and ends at the line with its word. */
  private record Document(String word, boolean indented, ShellQuoting quoting) {}

  private Optional<Document> document = Optional.empty();

  ShellScanner(String script) {
    this.script = script;
    quotings.push(ShellQuoting.NONE);
  }

  /** Returns the quoting at the next character. */
  ShellQuoting quoting() {
    return document.map(Document::quoting).orElseGet(() -> quotings.getFirst());
  }

  /** Returns whether the next character belongs to a comment. */
  boolean isComment() {
    return comment;
  }

  /** Passes the next character. */
  void advance(int position) {
    char next = script.charAt(position);
    if (next == '\n') {
      endLine(position + 1);
      return;
    }
    if (comment || document.isPresent()) {
      return;
    }
    if (afterBackslash) {
      afterBackslash = false;
      return;
    }
    switch (quotings.getFirst()) {
      case SINGLE -> {
        if (next == '\'') {
          quotings.pop();
        }
      }
      case DOUBLE -> advanceDouble(next, position);
      default -> advancePlain(next, position);
    }
  }

  private void advanceDouble(char next, int position) {
    if (next == '\\') {
      afterBackslash = true;
    } else if (next == '"') {
      quotings.pop();
    } else if (next == '(' && before(position) == '$') {
      quotings.push(ShellQuoting.NONE);
    }
  }

  private void advancePlain(char next, int position) {
    switch (next) {
      case '\\' -> afterBackslash = true;
      case '\'' -> quotings.push(ShellQuoting.SINGLE);
      case '"' -> quotings.push(ShellQuoting.DOUBLE);
      case '(' -> quotings.push(ShellQuoting.NONE);
      case ')' -> {
        if (quotings.size() > 1) {
          quotings.pop();
        }
      }
      case '#' -> comment = position == 0 || ENDS_WORD.indexOf(before(position)) >= 0;
      case '<' -> beginDocument(position);
      default -> {}
    }
  }

  private void beginDocument(int position) {
    Matcher found = DOCUMENT.matcher(script).region(position, script.length());
    if (before(position) != '<' && found.lookingAt()) {
      boolean literal = !found.group(2).isEmpty() || !found.group(3).isEmpty();
      pending.add(
          new Document(
              found.group(4),
              !found.group(1).isEmpty(),
              literal ? ShellQuoting.LITERAL_DOCUMENT : ShellQuoting.DOCUMENT));
    }
  }

  private void endLine(int begin) {
    comment = false;
    afterBackslash = false;
    boolean between = quotings.getFirst() == ShellQuoting.NONE;
    if (document.isEmpty() && between && !pending.isEmpty()) {
      document = Optional.of(pending.remove());
    } else if (document.isPresent() && previous(begin).equals(document.get().word())) {
      document = Optional.ofNullable(pending.poll());
    }
  }

  /** Returns the line that ends before {@code begin}. */
  private String previous(int begin) {
    int start = script.lastIndexOf('\n', begin - 2) + 1;
    return plain(script.substring(start, begin - 1), document.orElseThrow());
  }

  private static String plain(String line, Document document) {
    return document.indented() ? line.replaceAll("^\t+", "") : line;
  }

  private char before(int position) {
    return position == 0 ? ' ' : script.charAt(position - 1);
  }
}
