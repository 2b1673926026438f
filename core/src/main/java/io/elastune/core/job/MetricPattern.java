package io.elastune.core.job;

import com.google.re2j.PatternSyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A regular expression that finds a metric in lines of output, with a limited number of steps for
 * each line. RE2, whose time is linear, evaluates it. Only what RE2 lacks, such as lookbehind, is
 * evaluated by backtracking. Not thread-safe.
 */
public final class MetricPattern {
  /** The most characters that are visited in a line; a line of 64 KiB is visited thirty times. */
  static final int MOST_STEPS = 2_000_000;

  /** The characters that are visited in addition to those that each character of output allows. */
  private static final long FIRST_STEPS = 20_000_000;

  private static final int STEPS_PER_CHARACTER = 50;

  private static final Pattern NAMED_GROUP =
      Pattern.compile("(?<!\\\\)((?:\\\\{2})*)\\(\\?P<\\w+>");

  private final int groups;
  private final Search search;
  private long left = FIRST_STEPS;

  /** Finds the first group of all matches. */
  private interface Search {
    List<String> find(CharSequence text);
  }

  private MetricPattern(int groups, Search search) {
    this.groups = groups;
    this.search = search;
  }

  /**
   * Compiles a pattern. Named groups may be written as in Python; their names have no meaning.
   *
   * @throws java.util.regex.PatternSyntaxException if it is no regular expression
   */
  public static MetricPattern compile(String pattern) {
    try {
      com.google.re2j.Pattern linear = com.google.re2j.Pattern.compile(pattern);
      return new MetricPattern(linear.groupCount(), text -> find(linear.matcher(text)));
    } catch (PatternSyntaxException e) {
      Pattern other = Pattern.compile(NAMED_GROUP.matcher(pattern).replaceAll("$1("));
      return new MetricPattern(other.matcher("").groupCount(), text -> find(other.matcher(text)));
    }
  }

  private static List<String> find(com.google.re2j.Matcher matcher) {
    List<String> found = new ArrayList<>();
    while (matcher.find()) {
      String group = matcher.group(1);
      found.add(group == null ? "" : group);
    }
    return found;
  }

  private static List<String> find(java.util.regex.Matcher matcher) {
    List<String> found = new ArrayList<>();
    while (matcher.find()) {
      String group = matcher.group(1);
      found.add(group == null ? "" : group);
    }
    return found;
  }

  /** Returns the number of groups. */
  public int groups() {
    return groups;
  }

  /**
   * Returns the first group of each match in a line; empty if that takes too many steps. Lines that
   * do so use up an allowance, which grows with the output.
   */
  public Optional<List<String>> find(String line) {
    left += (long) STEPS_PER_CHARACTER * line.length();
    LimitedText text = new LimitedText(line, Math.min(left, MOST_STEPS));
    try {
      return Optional.of(search.find(text));
    } catch (TooManyStepsException | StackOverflowError e) {
      return Optional.empty();
    } finally {
      left -= text.steps;
    }
  }

  /** A text whose characters can be read a limited number of times. */
  private static final class LimitedText implements CharSequence {
    private final String text;
    private final long most;
    private long steps;

    LimitedText(String text, long most) {
      this.text = text;
      this.most = most;
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public char charAt(int index) {
      if (steps >= most) {
        throw new TooManyStepsException();
      }
      steps++;
      return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.subSequence(start, end);
    }

    @Override
    public String toString() {
      return text;
    }
  }

  private static final class TooManyStepsException extends RuntimeException {
    private static final long serialVersionUID = 1;

    TooManyStepsException() {
      super(null, null, false, false);
    }
  }
}
