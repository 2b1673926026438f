package io.elastune.core.job;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A shell command with placeholders: {@code {args}} stands for all hyperparameters as options,
 * {@code {args_no_boolean_flags}} for the same with {@code --flag} or nothing for booleans, and
 * {@code {NAME}} for the value of one. A text in braces after {@code $} belongs to the shell, and
 * {@code {{NAME}}} stands for {@code {NAME}}. All other text, also in braces, stays as it is.
 *
 * @param text the command
 */
public record CommandTemplate(String text) {
  /** The placeholder of all hyperparameters. */
  private static final String ARGS = "args";

  /** The placeholder of all hyperparameters, with booleans as options without a value. */
  public static final String ARGS_WITH_FLAGS = "args_no_boolean_flags";

  /** The names that stand for all hyperparameters. */
  public static final Set<String> ALL = Set.of(ARGS, ARGS_WITH_FLAGS);

  private static final Pattern ESCAPED = Pattern.compile("\\{\\{(" + Dimension.NAME + ")\\}\\}?");
  private static final Pattern PLAIN = Pattern.compile("\\{(" + Dimension.NAME + ")\\}");

  /** A name in braces, from {@code begin} to before {@code end}. */
  private record Placeholder(
      int begin, int end, String name, boolean escaped, ShellQuoting quoting) {}

  /** Returns whether the command uses a placeholder, also an escaped one. */
  public boolean isTemplate(Collection<String> hyperparameters) {
    return placeholders().stream().anyMatch(known(hyperparameters));
  }

  /** Returns the placeholders of all hyperparameters that the command uses. */
  public List<String> placeholdersOfAll() {
    return placeholders().stream()
        .filter(it -> !it.escaped() && ALL.contains(it.name()))
        .map(Placeholder::name)
        .distinct()
        .toList();
  }

  /**
   * Returns the names in braces that are unknown, if the command uses a known one: otherwise they
   * have another meaning. A text in single quotes may be a program of another language, and is not
   * returned unless it is similar to a known name.
   *
   * @param isSimilar whether a name is similar to a known one
   */
  public List<String> unknownNames(
      Collection<String> hyperparameters, Predicate<String> isSimilar) {
    Predicate<Placeholder> known = known(hyperparameters);
    List<Placeholder> all = placeholders();
    if (all.stream().noneMatch(known)) {
      return List.of();
    }
    return all.stream()
        .filter(known.negate())
        .filter(it -> !it.escaped())
        .filter(it -> !it.quoting().isLiteral() || isSimilar.test(it.name()))
        .map(Placeholder::name)
        .distinct()
        .toList();
  }

  /**
   * Returns the command for one configuration. A hyperparameter that is not part of it is left out
   * of the options, and its own placeholder becomes empty.
   *
   * @param configuration the values, in the order of the options
   * @param hyperparameters all names of the search space
   */
  public String expand(Map<String, Object> configuration, Collection<String> hyperparameters) {
    if (!isTemplate(hyperparameters)) {
      return text;
    }
    StringBuilder command = new StringBuilder();
    int next = 0;
    for (Placeholder place : placeholders()) {
      Optional<String> with = replacement(place, configuration, hyperparameters);
      if (with.isPresent()) {
        command.append(text, next, place.begin()).append(with.get());
        next = place.end();
      }
    }
    return command.append(text.substring(next)).toString();
  }

  private static Optional<String> replacement(
      Placeholder place, Map<String, Object> configuration, Collection<String> hyperparameters) {
    if (place.escaped()) {
      return Optional.of("{" + place.name() + "}");
    }
    if (ALL.contains(place.name())) {
      boolean flags = place.name().equals(ARGS_WITH_FLAGS);
      return Optional.of(place.quoting().ofCommand(arguments(configuration, flags)));
    }
    if (!hyperparameters.contains(place.name())) {
      return Optional.empty();
    }
    Object value = configuration.get(place.name());
    return Optional.of(place.quoting().ofWord(value == null ? "" : ValueText.of(value)));
  }

  private static String arguments(Map<String, Object> configuration, boolean flags) {
    return configuration.entrySet().stream()
        .filter(it -> !ValueText.isNull(it.getValue()))
        .flatMap(it -> argument(it.getKey(), it.getValue(), flags).stream())
        .map(ShellQuoting.NONE::ofWord)
        .collect(Collectors.joining(" "));
  }

  private static Optional<String> argument(String name, Object value, boolean flags) {
    String option = "--" + name;
    if (flags && value instanceof Boolean isSet) {
      return isSet ? Optional.of(option) : Optional.empty();
    }
    return Optional.of(option + "=" + ValueText.of(value));
  }

  private static Predicate<Placeholder> known(Collection<String> hyperparameters) {
    return it -> ALL.contains(it.name()) || hyperparameters.contains(it.name());
  }

  private List<Placeholder> placeholders() {
    List<Placeholder> found = new ArrayList<>();
    ShellScanner scanner = new ShellScanner(text);
    Matcher escaped = ESCAPED.matcher(text);
    Matcher plain = PLAIN.matcher(text);
    int position = 0;
    while (position < text.length()) {
      char next = text.charAt(position);
      int end = position + 1;
      if (next == '$') {
        while (end < text.length() && text.charAt(end) == '{') {
          end++; // ${X} belongs to the shell
        }
      } else if (next == '{' && !scanner.isComment()) {
        Matcher match = escaped.region(position, text.length()).lookingAt() ? escaped : plain;
        if (match == escaped || plain.region(position, text.length()).lookingAt()) {
          end = match.end();
          found.add(
              new Placeholder(position, end, match.group(1), match == escaped, scanner.quoting()));
        }
      }
      for (; position < end; position++) {
        scanner.advance(position);
      }
    }
    return found;
  }
}
