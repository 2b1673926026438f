package io.elastune.core.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.job.Job;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class JobFilePropertiesTest {
  private static final List<String> PIECES =
      List.of(
          "\n",
          " ",
          "  ",
          "\t",
          ":",
          ": ",
          "- ",
          "[",
          "]",
          "{",
          "}",
          "\"",
          "'",
          "#",
          "&a",
          "*a",
          "!",
          "|",
          ">",
          "?",
          "---\n",
          "...\n",
          "0",
          "-1",
          "1e999",
          "~",
          "true",
          "\u0000",
          "\uFFFD",
          "😀",
          "\uD800",
          "\uFEFF",
          "\r",
          "\u2028",
          "%",
          "@",
          "`",
          "\\",
          "..",
          "99999999999999999999",
          "name: a\n",
          "<<: ");

  @Test
  void aWrittenJobReadsBackEqual() {
    for (int seed = 0; seed < 1000; seed++) {
      Job job = new RandomJobs(seed).next();
      String text = JobFile.write(job);
      Parsed<Job> parsed = JobFile.parse("job.yaml", text, Overrides.NONE);
      assertThat(parsed.problems()).as("seed %s:%n%s", seed, text).isEmpty();
      assertThat(parsed.orThrow()).as("seed %s:%n%s", seed, text).isEqualTo(job);
      assertThat(JobFile.write(parsed.orThrow())).as("seed %s", seed).isEqualTo(text);
    }
  }

  @Test
  void aSpoiltFileGivesProblemsWithinIt() {
    for (int seed = 0; seed < 4000; seed++) {
      String text = spoilt(new SplittableRandom(seed));
      long lines = Math.max(1, text.lines().count());
      Parsed<Job> parsed = JobFile.parse("job.yaml", text, Overrides.NONE);
      assertThat(parsed.problems())
          .as("seed %s:%n%s", seed, text)
          .allSatisfy(
              problem -> {
                assertThat((long) problem.line()).isBetween(1L, lines);
                assertThat(problem.toString()).startsWith("job.yaml:").hasLineCount(1);
                assertThat(problem.message()).isNotBlank();
              });
      assertThat(parsed.problems().isEmpty()).isEqualTo(parsed instanceof Parsed.Valid);
    }
  }

  private static String spoilt(SplittableRandom random) {
    StringBuilder text = new StringBuilder(Example.JOB);
    int changes = 1 + random.nextInt(4);
    for (int i = 0; i < changes; i++) {
      int at = random.nextInt(text.length());
      switch (random.nextInt(4)) {
        case 0 -> text.insert(at, PIECES.get(random.nextInt(PIECES.size())));
        case 1 -> text.delete(at, Math.min(text.length(), at + 1 + random.nextInt(10)));
        case 2 -> text.setCharAt(at, (char) random.nextInt(128));
        default -> {
          int from = random.nextInt(text.length());
          text.insert(at, text.substring(from, Math.min(text.length(), from + random.nextInt(60))));
        }
      }
    }
    return text.toString();
  }
}
