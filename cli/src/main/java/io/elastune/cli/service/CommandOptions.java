package io.elastune.cli.service;

import io.elastune.core.job.Dimension;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the options of a program in a shell command: {@code --lr 0.1}, {@code --lr=0.1}, {@code -b
 * 32} and {@code lr=0.1}.
 *
 * @param command the command
 */
record CommandOptions(String command) {
  private static final Pattern WORD =
      Pattern.compile("(?:[^\\s'\"\\\\;&|<>()]|\\\\.|'[^']*'|\"(?:[^\"\\\\]|\\\\.)*\")+|[;&|<>()]");
  private static final Pattern OPERATOR = Pattern.compile("[;&|()]");
  private static final Pattern REDIRECTION = Pattern.compile("[<>]");
  private static final Pattern SCRIPT =
      Pattern.compile("[^=]*\\.(py|ipynb|sh|bash|r|R|jl|pl|rb|js|jar|exe)");
  private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*=.*");
  private static final Pattern JOINED =
      Pattern.compile("(?:--?|\\+{0,2})(" + Dimension.NAME + ")=(.*)", Pattern.DOTALL);
  private static final Pattern NAMED = Pattern.compile("--?(" + Dimension.NAME + ")");
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");
  private static final Set<String> QUOTES = Set.of("'", "\"");

  /**
   * An option with a value.
   *
   * @param begin where the value begins in the command
   * @param end where it ends
   */
  record Option(String name, String value, int begin, int end) {}

  private record Word(String text, int begin, int end) {}

  /** Returns the options with one value each, in the order of the command. */
  List<Option> options() {
    List<Option> found = new ArrayList<>();
    Map<String, Integer> counts = new HashMap<>();
    for (List<Word> program : programs()) {
      List<Word> arguments = program.subList(firstArgument(program), program.size());
      for (int i = 0; i < arguments.size(); i++) {
        Word word = arguments.get(i);
        Matcher joined = JOINED.matcher(unquoted(word.text()));
        Matcher named = NAMED.matcher(word.text());
        if (joined.matches()) {
          counts.merge(joined.group(1), 1, Integer::sum);
          found.add(option(joined.group(1), joined.group(2), word));
        } else if (named.matches() && hasOneValue(arguments, i + 1)) {
          counts.merge(named.group(1), 1, Integer::sum);
          Word value = arguments.get(i + 1);
          found.add(option(named.group(1), unquoted(value.text()), value));
        }
      }
    }
    return found.stream().filter(it -> counts.getOrDefault(it.name(), 0) == 1).toList();
  }

  /** A value is neither an option nor the first of several numbers. */
  private static boolean hasOneValue(List<Word> arguments, int index) {
    if (index >= arguments.size() || isOption(arguments.get(index))) {
      return false;
    }
    boolean list =
        index + 1 < arguments.size()
            && NUMBER.matcher(arguments.get(index + 1).text()).matches()
            && NUMBER.matcher(arguments.get(index).text()).matches();
    return !list;
  }

  private static boolean isOption(Word word) {
    return word.text().startsWith("-") && !NUMBER.matcher(word.text()).matches();
  }

  private Option option(String name, String value, Word word) {
    int begin = word.begin() + word.text().lastIndexOf(value);
    return new Option(name, value, begin, begin + value.length());
  }

  private static String unquoted(String word) {
    boolean quoted =
        word.length() > 1
            && QUOTES.contains(word.substring(0, 1))
            && word.endsWith(word.substring(0, 1));
    return quoted ? word.substring(1, word.length() - 1) : word;
  }

  /** Returns the words of each program; redirections end its arguments. */
  private List<List<Word>> programs() {
    List<List<Word>> programs = new ArrayList<>();
    List<Word> words = new ArrayList<>();
    boolean redirected = false;
    Matcher matcher = WORD.matcher(command);
    while (matcher.find()) {
      String text = matcher.group();
      if (OPERATOR.matcher(text).matches()) {
        programs.add(words);
        words = new ArrayList<>();
        redirected = false;
      } else if (REDIRECTION.matcher(text).matches()) {
        redirected = true;
      } else if (!redirected) {
        words.add(new Word(text, matcher.start(), matcher.end()));
      }
    }
    programs.add(words);
    return programs;
  }

  /** Options before the script or the module are those of its launcher. */
  private static int firstArgument(List<Word> words) {
    int program = 0;
    while (program < words.size() && VARIABLE.matcher(words.get(program).text()).matches()) {
      program++;
    }
    for (int i = program; i < words.size(); i++) {
      if (i > program && words.get(i - 1).text().equals("-m")) {
        return i + 1;
      }
      if (SCRIPT.matcher(unquoted(words.get(i).text())).matches()) {
        return i + 1;
      }
    }
    return Math.min(words.size(), program + 1);
  }

  /** Returns the command with placeholders for the values of some options. */
  String template(List<Option> options) {
    Map<Integer, Option> byBegin = new LinkedHashMap<>();
    options.forEach(option -> byBegin.put(option.begin(), option));
    StringBuilder text = new StringBuilder();
    int position = 0;
    while (position < command.length()) {
      Option option = byBegin.get(position);
      if (option == null) {
        text.append(command.charAt(position));
        position++;
      } else {
        text.append('\0').append(option.name()).append('\1');
        position = option.end();
      }
    }
    return text.toString()
        .replaceAll("(?<![${])\\{(" + Dimension.NAME + ")\\}", "{{$1}}")
        .replace('\0', '{')
        .replace('\1', '}');
  }
}
