package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.core.config.FieldChange;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JobChangesTest {
  private static final String RUN = "small-20261123-aaaa";

  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();

  private static JobChanges changes(FieldChange... fields) {
    return JobChanges.none(RUN, "my job.yaml").withFields(List.of(fields));
  }

  /** Empty values are absent. */
  private static FieldChange change(String field, String after, String before) {
    return new FieldChange(
        field,
        Optional.of(before).filter(it -> !it.isEmpty()),
        Optional.of(after).filter(it -> !it.isEmpty()));
  }

  @Test
  void limitsAreOptionsOfTheResume() {
    assertThat(changes(change("deadline", "3h", "2h"), change("budget.usd", "10", "")).remedies())
        .containsExactly(
            "To change the limits of this run: elastune resume "
                + RUN
                + " --deadline 3h --budget 10");
    assertThat(changes(change("deadline", "\"2026-11-23T12:00:00Z\"", "2h")).remedies())
        .containsExactly(
            "To change the limits of this run: elastune resume "
                + RUN
                + " --deadline 2026-11-23T12:00:00Z");
  }

  @Test
  void theRestNeedsANewRun() {
    assertThat(
            changes(change("search.trials", "40", "30"), change("deadline", "", "2h")).remedies())
        .containsExactly(
            "To use the changes, start a new run: elastune run 'my job.yaml' --warm-start "
                + RUN
                + ", which tries the best configurations of this one first");
    assertThat(
            changes(change("deadline", "3h", "2h"), change("search.metric.name", "loss", "acc"))
                .remedies())
        .containsExactly(
            "To change the limits of this run: elastune resume " + RUN + " --deadline 3h",
            "To use the other changes, start a new run: elastune run 'my job.yaml'");
    assertThat(changes().withProblems("job.yaml:1: x").remedies()).isEmpty();
    assertThat(changes().withProblems("job.yaml:1: x").text())
        .endsWith(": it has problems: job.yaml:1: x");
  }

  @Test
  void withoutAChangeOfTheCodeNoCodeIsChosen() {
    JobChanges changes = changes(change("search.trials", "40", "30"));

    assertThat(prompt("yes").choose("elastune resume x", List.of(), changes))
        .isEqualTo(CodeChoice.SNAPSHOT);
    assertThat(shown.toString(StandardCharsets.UTF_8))
        .contains("search.trials: 40 instead of 30.", "--warm-start " + RUN, "with its own job:")
        .doesNotContain("'current'");
    assertThatThrownBy(() -> prompt("").choose("elastune resume x", List.of(), changes))
        .isInstanceOf(CommandFailure.class);
  }

  @Test
  void aChangeOfTheCodeIsChosen() {
    JobChanges changes = changes(change("search.trials", "40", "30"));

    assertThat(prompt("current").choose("elastune resume x", List.of("train.py"), changes))
        .isEqualTo(CodeChoice.CURRENT);
    assertThatThrownBy(() -> prompt("yes").choose("x", List.of("train.py"), changes))
        .isInstanceOf(CommandFailure.class);
  }

  private CodePrompt prompt(String answer) {
    PrintStream out = new PrintStream(shown, true, StandardCharsets.UTF_8);
    CliEnvironment cliEnvironment =
        new CliEnvironment(
            out,
            out,
            new ByteArrayInputStream((answer + "\n").getBytes(StandardCharsets.UTF_8)),
            Map.of(),
            Path.of("").toAbsolutePath(),
            InstantSource.fixed(Instant.EPOCH),
            true);
    return new CodePrompt(cliEnvironment, new Output(cliEnvironment, false));
  }
}
