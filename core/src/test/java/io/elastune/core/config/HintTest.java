package io.elastune.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests that a name which a hint suggests is accepted: hints never lead back and forth. */
class HintTest {
  private static final Pattern KEY = Pattern.compile("\\b([a-z_]{3,}):");
  private static final Pattern HINT = Pattern.compile("did you mean ([a-z_]+)\\?");
  private static final int MISSPELLINGS = 20;

  @Test
  void everySuggestedNameIsAccepted() {
    SplittableRandom random = new SplittableRandom(1);
    int followed = 0;
    String job = ExampleJobFile.JOB;
    Matcher keys = KEY.matcher(job);
    while (keys.find()) {
      for (int i = 0; i < MISSPELLINGS; i++) {
        String wrong = misspelled(keys.group(1), random);
        String text = replaced(job, keys, wrong);
        for (FileProblem problem : unknown(text, wrong)) {
          Matcher hint = HINT.matcher(problem.hint());
          if (hint.matches()) {
            followed++;
            String next = replaced(job, keys, hint.group(1));
            assertThat(unknown(next, hint.group(1))).as("%s in place of %s", hint, wrong).isEmpty();
          }
        }
      }
    }
    assertThat(followed).isGreaterThan(100);
  }

  private static List<FileProblem> unknown(String text, String name) {
    return JobFile.parse("j", text, Overrides.NONE).problems().stream()
        .filter(problem -> problem.message().startsWith("unknown field"))
        .filter(problem -> ("." + problem.field()).endsWith("." + name))
        .toList();
  }

  private static String replaced(String job, Matcher key, String name) {
    return job.substring(0, key.start(1)) + name + job.substring(key.end(1));
  }

  /** Returns the name with a letter removed, doubled or changed, or with two letters swapped. */
  private static String misspelled(String name, SplittableRandom random) {
    StringBuilder letters = new StringBuilder(name);
    int at = random.nextInt(name.length() - 1);
    switch (random.nextInt(4)) {
      case 0 -> letters.deleteCharAt(at);
      case 1 -> letters.insert(at, name.charAt(at));
      case 2 -> letters.setCharAt(at, (char) ('a' + random.nextInt(26)));
      default -> {
        letters.setCharAt(at, name.charAt(at + 1));
        letters.setCharAt(at + 1, name.charAt(at));
      }
    }
    return letters.toString();
  }
}
