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
 * 32}, {@code lr=0.1} and {@code --use-bn}.
 *
 * @param command the command
 */
record CommandOptions(String command) {
  private static final Pattern WORD =
      Pattern.compile(
          "(?:[^\\s'\"\\\\;&|<>()]|\\\\.|'[^']*'|\"(?:[^\"\\\\]|\\\\.)*\")+|[;&|<>()]"
              + "|(?<!\\\\)\n");
  private static final Pattern OPERATOR = Pattern.compile("[;&|()\n]");
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
  private static final String LONG = "--";

  /** A part of the command, from {@code begin} to before {@code end}. */
  record Part(int begin, int end) {}

  /**
   * An option with a value.
   *
   * @param value the value; {@code true} for a flag
   * @param place the place of the value; empty for a flag
   * @param whole the place of the option and its value
   * @param program which program of the command has it
   */
  record Option(String name, String value, Part place, Part whole, int program) {
    /** Returns whether it is an option without a value. */
    boolean isFlag() {
      return place.begin() == place.end() && !value.isEmpty();
    }
  }

  private record Word(String text, int begin, int end) {}

  /** Returns the options with at most one value each, in the order of the command. */
  List<Option> options() {
    List<Option> found = new ArrayList<>();
    Map<String, Integer> counts = new HashMap<>();
    List<List<Word>> programs = programs();
    for (int program = 0; program < programs.size(); program++) {
      List<Word> words = programs.get(program);
      List<Word> arguments = words.subList(firstArgument(words), words.size());
      for (int i = 0; i < arguments.size(); i++) {
        Word word = arguments.get(i);
        Matcher joined = JOINED.matcher(unquoted(word.text()));
        Matcher named = NAMED.matcher(word.text());
        if (joined.matches()) {
          counts.merge(joined.group(1), 1, Integer::sum);
          found.add(option(joined.group(1), joined.group(2), word, word, program));
        } else if (named.matches() && hasOneValue(arguments, i + 1)) {
          counts.merge(named.group(1), 1, Integer::sum);
          Word value = arguments.get(i + 1);
          found.add(option(named.group(1), unquoted(value.text()), word, value, program));
        } else if (named.matches() && isFlag(arguments, i)) {
          counts.merge(named.group(1), 1, Integer::sum);
          Part whole = new Part(word.begin(), word.end());
          Part none = new Part(word.end(), word.end());
          found.add(new Option(named.group(1), "true", none, whole, program));
        }
      }
    }
    return found.stream().filter(it -> counts.getOrDefault(it.name(), 0) == 1).toList();
  }

  /** An option such as {@code --use-bn} is a flag if no word follows that may be its value. */
  private static boolean isFlag(List<Word> arguments, int index) {
    return arguments.get(index).text().startsWith(LONG)
        && (index + 1 == arguments.size() || isOption(arguments.get(index + 1)));
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

  private static Option option(String name, String value, Word first, Word last, int program) {
    int begin = last.begin() + last.text().lastIndexOf(value);
    Part place = new Part(begin, begin + value.length());
    return new Option(name, value, place, new Part(first.begin(), last.end()), program);
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

  /** Returns whether one placeholder can stand for these options, in the form {@code --lr=0.1}. */
  boolean canJoin(List<Option> options) {
    return options.stream().allMatch(it -> command.startsWith(LONG, it.whole().begin()))
        && options.stream().map(Option::program).distinct().count() == 1;
  }

  /** Returns the command with placeholders for the values of some options. */
  String template(List<Option> options) {
    Map<Part, String> places = new LinkedHashMap<>();
    options.forEach(option -> places.put(option.place(), option.name()));
    return replace(places);
  }

  /** Returns the command with one placeholder in the place of some options. */
  String template(List<Option> options, String placeholder) {
    Map<Part, String> places = new LinkedHashMap<>();
    for (Option option : options) {
      Part whole = option.whole();
      places.put(
          places.isEmpty() ? whole : new Part(endOfWordBefore(whole.begin()), whole.end()),
          places.isEmpty() ? placeholder : "");
    }
    return replace(places);
  }

  /** Also a continued line ends there. */
  private int endOfWordBefore(int index) {
    int end = index;
    while (Character.isWhitespace(command.charAt(end - 1))
        || (command.charAt(end - 1) == '\\' && command.charAt(end) == '\n')) {
      end--;
    }
    return end;
  }

  /** Replaces parts of the command, in their order, by placeholders; an empty name removes one. */
  private String replace(Map<Part, String> places) {
    StringBuilder text = new StringBuilder();
    int position = 0;
    for (Map.Entry<Part, String> entry : places.entrySet()) {
      text.append(escaped(command.substring(position, entry.getKey().begin())));
      text.append(entry.getValue().isEmpty() ? "" : "{" + entry.getValue() + "}");
      position = entry.getKey().end();
    }
    return text.append(escaped(command.substring(position))).toString();
  }

  private static String escaped(String text) {
    return text.replaceAll("(?<![${])\\{(" + Dimension.NAME + ")\\}", "{{$1}}");
  }
}
