package io.elastune.executor.code;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The text of a program and its job file, to find which files it names. */
final class ProgramText {
  private static final long MOST_FILE_BYTES = 1_000_000;
  private static final int MOST_LETTERS = 20_000_000;

  /** What separates words; a file name that contains it is searched as a whole. */
  private static final Pattern SEPARATOR =
      Pattern.compile("[\\s\"'`/\\\\()\\[\\]{}<>=:;,|&$*?!#%]+");

  private static final Pattern PARENT =
      Pattern.compile("(?<![.\\w])\\.\\.(?![.\\w])|\\.parent|dirname|pardir");

  private final String text;
  private final Set<String> words;

  private ProgramText(String text) {
    this.text = text;
    words = SEPARATOR.splitAsStream(text).collect(Collectors.toSet());
  }

  /** Reads files; those that are larger than 1 MB or cannot be read are left out. */
  static ProgramText of(Collection<Path> files) {
    StringBuilder text = new StringBuilder();
    for (Path file : files) {
      try {
        boolean small = Files.isRegularFile(file) && Files.size(file) <= MOST_FILE_BYTES;
        if (small && text.length() < MOST_LETTERS) {
          text.append(new String(Files.readAllBytes(file), StandardCharsets.UTF_8)).append('\n');
        }
      } catch (IOException e) {
        // The copy of the code reports it.
      }
    }
    return new ProgramText(text.toString());
  }

  /** Returns whether the name of a file or folder occurs in it. */
  boolean names(String name) {
    return words.contains(name) || (SEPARATOR.matcher(name).find() && text.contains(name));
  }

  /** Returns whether it may use folders above its own one. */
  boolean usesParentFolders() {
    return PARENT.matcher(text).find();
  }
}
