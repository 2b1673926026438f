package io.elastune.cli.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.notify.Notifier;
import io.elastune.cli.testing.InProcessCli;
import io.elastune.core.job.Notification;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Tests that all commands report a deadline at risk as the run itself decided it. */
class AtRiskTest {
  private static final String RUN = "small-20261123-aaaa";
  private static final String REASON = "expected to end 2s after the deadline";

  @TempDir Path folder;

  private ScriptedRun started(int deadlineS) {
    return new ScriptedRun(
        folder.resolve("home"),
        RUN,
        SmallTestJob.meta(),
        definition ->
            SmallTestJob.withForecast(definition)
                .withLimits(
                    definition.budget(), definition.budgetLeftUsd(), OptionalDouble.of(deadlineS)));
  }

  @Test
  void allCommandsReportTheSameDecision() throws Exception {
    Path notified = folder.resolve("notified");
    Notification notification =
        new Notification(Optional.empty(), Optional.of("cat >> " + notified), List.of("at_risk"));
    InProcessCli inProcessCli = new InProcessCli(folder);
    try (ScriptedRun run = started(30)) {
      List<String> complaints = new ArrayList<>();
      try (Notifier notifier =
          new Notifier(List.of(notification), List.of(), run.definition(), complaints::add)) {
        run.notifying(notifier).until(8);
      }
      assertThat(complaints).isEmpty();

      JsonNode risk = inProcessCli.run("status", RUN, "--json").json().path("at_risk");
      assertThat(risk.path("decision").asString()).isEqualTo("at_risk");
      assertThat(risk.path("reason").asString()).isEqualTo(REASON);
      assertThat(risk.at("/numbers/forecast_s").asDouble()).isEqualTo(32);
      assertThat(risk.at("/numbers/deadline_s").asDouble()).isEqualTo(30);
      assertThat(inProcessCli.run("explain", RUN, "--json").json().valueStream())
          .containsOnlyOnce(risk);
      assertThat(inProcessCli.run("status", RUN).out())
          .contains(" at risk    since 0s after the start: " + REASON + "\n");
      assertThat(inProcessCli.run("report", RUN, "--json").json().path("at_risk")).isEqualTo(risk);
      assertThat(inProcessCli.run("report", RUN).out())
          .contains(" deadline at risk after 0s: " + REASON + "\n");
      run.toTheEnd();
    }
    assertThat(Files.readAllLines(notified)).hasSize(1).first().asString().contains(REASON);
    assertThat(inProcessCli.run("status", RUN, "--json").json().path("at_risk").isNull()).isTrue();
    assertThat(inProcessCli.run("status", RUN).out()).doesNotContain("at risk");
    assertThat(inProcessCli.run("report", RUN).out()).contains("deadline at risk after 0s");
  }

  @Test
  void onTimeRunIsNotReported() {
    InProcessCli inProcessCli = new InProcessCli(folder);
    try (ScriptedRun run = started(60)) {
      run.until(8);
      assertThat(inProcessCli.run("status", RUN, "--json").json().path("at_risk").isNull())
          .isTrue();
      assertThat(inProcessCli.run("status", RUN).out()).doesNotContain("at risk");
      assertThat(inProcessCli.run("report", RUN).out()).doesNotContain("at risk");
    }
  }
}
