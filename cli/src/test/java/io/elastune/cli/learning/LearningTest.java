package io.elastune.cli.learning;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.learning.LearningCourse.Errors;
import io.elastune.core.properties.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks that predictions become more accurate from run to run. With {@code
 * -Delastune.learning=full} it checks more programs and writes a section of docs/profiling.md.
 */
class LearningTest {
  private static final boolean FULL = "full".equals(System.getProperty("elastune.learning"));
  private static final int LAWS = FULL ? 24 : Tier.runs(1, 4);
  private static final int RUNS = 5;

  /** The share of the first error that may be left. Four laws decide too little for one half. */
  private static final double MOST_LEFT = FULL ? 0.5 : 0.7;

  private static final String TITLE = "## Learning from runs";
  private static final String COMMAND =
      "mvn -pl cli -am test -Dtest=LearningTest -Dsurefire.failIfNoSpecifiedTests=false"
          + " -Delastune.learning=full";

  @TempDir Path folder;

  @Test
  void fifthRunIsPredictedMoreAccurately() throws IOException {
    List<List<Errors>> courses = new ArrayList<>();
    for (int seed = 0; seed < LAWS; seed++) {
      courses.add(
          new LearningCourse(LearningLaw.of(seed), folder.resolve("law-" + seed)).errors(RUNS));
    }
    if (FULL) {
      Path page = Path.of("..", "docs", "profiling.md");
      Files.writeString(page, writtenTo(Files.readString(page), section(courses)));
    }
    double first = mean(courses, 0, Errors::completion);
    double fifth = mean(courses, RUNS - 1, Errors::completion);
    assertThat(fifth)
        .as("error of the fifth run; first " + first)
        .isLessThanOrEqualTo(MOST_LEFT * first);
    assertThat(mean(courses, RUNS - 1, Errors::cost))
        .isLessThanOrEqualTo(MOST_LEFT * mean(courses, 0, Errors::cost));
  }

  private static double mean(
      List<List<Errors>> courses, int run, ToDoubleFunction<Errors> quantity) {
    return courses.stream()
        .mapToDouble(course -> quantity.applyAsDouble(course.get(run)))
        .average()
        .orElseThrow();
  }

  private static String section(List<List<Errors>> courses) {
    StringBuilder text = new StringBuilder(TITLE + "\n\n    " + COMMAND + "\n\n");
    text.append(
        "profiles "
            + LAWS
            + " random training programs in the simulated environment, runs the job of each "
            + RUNS
            + " times, and writes this section.\n"
            + "The errors are those of the predicted mean. The expectation is that of the same plan"
            + " with the true times; a single run differs from it by chance.\n"
            + "The last column is that chance, which limits how close predictions come to single"
            + " runs.\n\n");
    text.append("| run | time, from its expectation | cost, from its expectation |");
    text.append(" time, from the run itself | expectation, from the run itself |\n");
    text.append("|---|---|---|---|---|\n");
    for (int run = 0; run < RUNS; run++) {
      text.append(
          String.format(
              Locale.ROOT,
              "| %d | %.1f %% | %.1f %% | %.1f %% | %.1f %% |%n",
              run + 1,
              100 * mean(courses, run, Errors::completion),
              100 * mean(courses, run, Errors::cost),
              100 * mean(courses, run, Errors::actualS),
              100 * mean(courses, run, Errors::chance)));
    }
    return text.toString();
  }

  private static String writtenTo(String page, String section) {
    int begin = page.indexOf(TITLE + "\n");
    int end = page.indexOf("\n## ", begin + TITLE.length());
    return page.substring(0, begin < 0 ? page.length() : begin)
        + (begin < 0 ? "\n" : "")
        + section
        + (begin < 0 || end < 0 ? "" : page.substring(end));
  }
}
