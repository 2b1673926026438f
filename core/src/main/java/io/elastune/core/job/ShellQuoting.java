package io.elastune.core.job;

import io.elastune.core.ShellWord;

/** How a place in a shell script is quoted, and so how text is inserted there. */
enum ShellQuoting {
  /** Outside of quotes. */
  NONE,
  /** Between single quotes. */
  SINGLE,
  /** Between double quotes. */
  DOUBLE,
  /** In a document of {@code <<WORD}. */
  DOCUMENT,
  /** In a document of {@code <<'WORD'}. */
  LITERAL_DOCUMENT;

  /** Whether the shell replaces nothing there. */
  boolean isLiteral() {
    return this == SINGLE || this == LITERAL_DOCUMENT;
  }

  /** Returns the text of one word as it is inserted. */
  String ofWord(String word) {
    return switch (this) {
      case NONE -> ShellWord.of(word);
      case SINGLE -> ShellWord.withinQuotes(word);
      case DOUBLE -> word.replaceAll("[\\\\\"$`]", "\\\\$0");
      case DOCUMENT -> word.replaceAll("[\\\\$`]", "\\\\$0");
      case LITERAL_DOCUMENT -> word;
    };
  }

  /** Returns a text of several quoted words as it is inserted. */
  String ofCommand(String words) {
    return this == NONE ? words : ofWord(words);
  }
}
