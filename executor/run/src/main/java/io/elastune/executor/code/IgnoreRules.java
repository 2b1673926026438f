package io.elastune.executor.code;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * The patterns of one ignore file, with the syntax and meaning of {@code gitignore(5)}. Paths are
 * relative to the folder of the file and separated by {@code /}.
 */
final class IgnoreRules {
  private static final String ANY_FOLDERS = "(?:.*/)?";

  private record Rule(Pattern pattern, boolean foldersOnly, boolean excludes) {}

  /** The rules in the order of the file: the last one that matches decides. */
  private final List<Rule> rules;

  private IgnoreRules(List<Rule> rules) {
    this.rules = rules;
  }

  /** Reads the contents of an ignore file. Patterns that cannot match are skipped, as in Git. */
  static IgnoreRules parse(String text) {
    List<Rule> rules = new ArrayList<>();
    for (String line : text.split("\n", -1)) {
      rule(withoutTrailingSpaces(line)).ifPresent(rules::add);
    }
    Collections.reverse(rules);
    return new IgnoreRules(List.copyOf(rules));
  }

  /** Returns whether a pattern re-includes files. */
  boolean reincludes() {
    return rules.stream().anyMatch(rule -> !rule.excludes());
  }

  /** Returns whether these rules exclude a path or re-include it; empty if none of them matches. */
  Optional<Boolean> excludes(String path, boolean folder) {
    return rules.stream()
        .filter(rule -> folder || !rule.foldersOnly())
        .filter(rule -> rule.pattern().matcher(path).matches())
        .map(Rule::excludes)
        .findFirst();
  }

  /** Returns the same for a file of which no folder was checked before: an excluded folder wins. */
  Optional<Boolean> excludesFile(String path) {
    for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      Optional<Boolean> folder = excludes(path.substring(0, slash), true);
      if (folder.orElse(false)) {
        return folder;
      }
    }
    return excludes(path, false);
  }

  private static String withoutTrailingSpaces(String line) {
    String text = line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
    int end = text.length();
    while (end > 0 && text.charAt(end - 1) == ' ' && (end < 2 || text.charAt(end - 2) != '\\')) {
      end--;
    }
    return text.substring(0, end);
  }

  private static Optional<Rule> rule(String line) {
    if (line.isEmpty() || line.startsWith("#")) {
      return Optional.empty();
    }
    boolean excludes = !line.startsWith("!");
    String glob = excludes ? line : line.substring(1);
    boolean foldersOnly = glob.endsWith("/");
    glob = foldersOnly ? glob.substring(0, glob.length() - 1) : glob;
    boolean anchored = glob.contains("/");
    glob = glob.startsWith("/") ? glob.substring(1) : glob;
    if (glob.isEmpty()) {
      return Optional.empty();
    }
    try {
      Pattern pattern =
          Pattern.compile((anchored ? "" : ANY_FOLDERS) + regex(glob), Pattern.DOTALL);
      return Optional.of(new Rule(pattern, foldersOnly, excludes));
    } catch (PatternSyntaxException e) {
      return Optional.empty();
    }
  }

  private static String regex(String glob) {
    StringBuilder regex = new StringBuilder();
    int at = 0;
    while (at < glob.length()) {
      boolean segment = at == 0 || glob.charAt(at - 1) == '/';
      if (segment && glob.startsWith("**/", at)) {
        regex.append(ANY_FOLDERS);
        at += 3;
      } else if (segment && at > 0 && glob.substring(at).equals("**")) {
        regex.append(".+");
        at += 2;
      } else {
        at = element(glob, at, regex);
      }
    }
    return regex.toString();
  }

  /** Translates one element of a pattern, and returns the index after it. */
  private static int element(String glob, int at, StringBuilder regex) {
    char c = glob.charAt(at);
    switch (c) {
      case '*' -> regex.append("[^/]*");
      case '?' -> regex.append("[^/]");
      case '\\' -> {
        if (at + 1 == glob.length()) {
          throw new PatternSyntaxException("escapes nothing", glob, at);
        }
        regex.append(Pattern.quote(glob.substring(at + 1, at + 2)));
        return at + 2;
      }
      case '[' -> {
        return characterClass(glob, at, regex);
      }
      default -> regex.append(Pattern.quote(String.valueOf(c)));
    }
    return at + 1;
  }

  private static int characterClass(String glob, int start, StringBuilder regex) {
    int at = start + 1;
    boolean negated = at < glob.length() && (glob.charAt(at) == '!' || glob.charAt(at) == '^');
    at += negated ? 1 : 0;
    int first = at;
    StringBuilder members = new StringBuilder();
    while (at < glob.length() && (glob.charAt(at) != ']' || at == first)) {
      char c = glob.charAt(at);
      if (c == '\\' && at + 1 < glob.length()) {
        at++;
        c = glob.charAt(at);
        members.append('\\').append(c);
      } else {
        members.append("[]&^\\".indexOf(c) >= 0 ? "\\" : "").append(c);
      }
      at++;
    }
    if (at >= glob.length()) {
      throw new PatternSyntaxException("has no ]", glob, start);
    }
    regex.append("(?!/)[").append(negated ? "^" : "").append(members).append(']');
    return at + 1;
  }
}
