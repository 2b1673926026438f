package io.elastune.cli.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.InProcessCli;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.CloudImpairment;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Impairments of the cloud, as {@code status}, {@code explain} and {@code report} show them. */
class CloudHealthTest {
  private static final String RUN = "small-20261123-aaaa";
  private static final String INFRA = "aws/us-east-1";

  @TempDir private Path folder;

  private static CloudEvent event(
      CloudImpairment impairment, boolean present, String message, Instant since, int second) {
    return new CloudEvent.HealthChanged(
        INFRA, impairment, present, message, since, ScriptedRun.BEGAN.plusSeconds(second));
  }

  @Test
  void statusShowsHowLongTheLoginLasts() {
    InProcessCli cli = new InProcessCli(folder);
    try (ScriptedRun run = new ScriptedRun(folder.resolve("home"), RUN, SmallTestJob.meta())) {
      Instant end = InProcessCli.NOW.plus(Duration.ofMinutes(40));
      run.cloud(event(CloudImpairment.LOGIN_EXPIRING, true, "log in with 'aws sso login'", end, 8))
          .until(9);

      assertThat(cli.run("status", RUN).out())
          .contains(
              " cloud      aws/us-east-1: the login expires in 40m, at "
                  + StatusScreen.MOMENT.format(end)
                  + "; log in with 'aws sso login'");
      JsonNode health = cli.run("status", RUN, "--json").json().path("cloud_health");
      assertThat(health).hasSize(1);
      assertThat(health.path(0).path("infra").asString()).isEqualTo(INFRA);
      assertThat(health.path(0).path("state").asString()).isEqualTo("login_expiring");
      assertThat(health.path(0).path("since").asString())
          .isEqualTo(ScriptedRun.BEGAN.plusSeconds(8).toString());
      assertThat(health.path(0).path("message").asString()).contains("expires in 40m");
    }
  }

  @Test
  void statusNamesFreeSpaceAndItsRemedy() {
    InProcessCli cli = new InProcessCli(folder);
    try (ScriptedRun run = new ScriptedRun(folder.resolve("home"), RUN, SmallTestJob.meta())) {
      Instant since = ScriptedRun.BEGAN.plusSeconds(8);
      String message = "1.3 GB are free on the disk with /data/runs/r-1";
      run.cloud(
              new CloudEvent.HealthChanged(
                  "controller", CloudImpairment.DISK_LOW, true, message, since, since))
          .until(9);

      assertThat(cli.run("status", RUN).out())
          .contains(
              "controller: 1.3 GB are free on the disk with /data/runs/r-1 since ",
              ". If it is full, trials fail, and the run stops. Free space there: 'elastune runs rm");
      assertThat(cli.run("status", RUN, "--json").json().at("/cloud_health/0/state").asString())
          .isEqualTo("disk_low");
    }
  }

  @Test
  void statusNamesWhatIsBilledUntilTheNextLogin() {
    InProcessCli cli = new InProcessCli(folder);
    try (ScriptedRun run = new ScriptedRun(folder.resolve("home"), RUN, SmallTestJob.meta())) {
      Instant since = ScriptedRun.BEGAN.plusSeconds(8);
      run.cloud(event(CloudImpairment.LOGIN_EXPIRED, true, "ExpiredToken", since, 8)).until(9);

      assertThat(cli.run("status", RUN).out())
          .contains(
              " cloud      aws/us-east-1: the login is not accepted since "
                  + StatusScreen.MOMENT.format(since)
                  + ": ExpiredToken. Trials on running instances continue; 2 instances are billed"
                  + " $",
              "After a new login the run continues");

      run.cloud(event(CloudImpairment.LOGIN_EXPIRED, false, "", since, 15)).until(16);
      assertThat(cli.run("status", RUN, "--json").json().has("cloud_health")).isFalse();
      assertThat(cli.run("status", RUN).out()).doesNotContain(" cloud ");
      assertThat(cli.run("explain", RUN).out())
          .contains("the login is not accepted since", "the login is accepted again");
      assertThat(cli.run("report", RUN).out())
          .contains(" cloud        aws/us-east-1: login_expired from ", " for 7s");
      JsonNode past = cli.run("report", RUN, "--json").json().path("cloud_health").path(0);
      assertThat(past.path("until").asString())
          .isEqualTo(ScriptedRun.BEGAN.plusSeconds(15).toString());
    }
  }
}
