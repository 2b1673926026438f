package io.elastune.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.InProcessCli;
import io.elastune.cli.testing.TinyJob;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The spending guard of a plan on spot, whose run may have to continue on demand. */
class SpotGuardTest {
  private static final String OFFER =
      "  - {infra: aws/us-east-1, instance_type: g5.xlarge, gpu: cpu, gpus: 1, market: %s,"
          + " usd_per_hour: %s, price: list, billing: {per: instance, granularity_s: 1,"
          + " minimum_s: 0, per_use_usd: 0}, queue_s: {mean: 2, cv: 0}, boot_s: {mean: 4, cv: 0},"
          + " data_in_usd: 0, disk_usd_per_hour: 0}";

  @TempDir private Path folder;

  private JsonNode plan(String market) throws IOException {
    Path job =
        new TinyJob("tiny")
            .search("{algorithm: random, trials: 2, ", "max: 2")
            .profile("[{gpus: 1, seconds: 60}]")
            .with("deadline", "1h")
            .location(
                "aws/us-east-1",
                List.of(OFFER.formatted("on-demand", "1.00"), OFFER.formatted("spot", "0.30")))
            .with(
                "resources",
                "{infra: [aws/us-east-1], offers: offers.yaml, market: " + market + "}")
            .write(folder.resolve(market));
    return new InProcessCli(folder).run("plan", job.toString(), "--json").json();
  }

  /** A missing spot quota leads to on demand, and not to the end of the run. */
  @Test
  void sufficesForTheSameInstancesOnDemand() throws IOException {
    JsonNode onDemand = plan("on-demand");
    JsonNode spot = plan("spot");
    JsonNode auto = plan("auto");

    assertThat(auto.at("/plan/0/offer").asString()).isEqualTo("aws/us-east-1/g5.xlarge/spot");
    assertThat(spot.path("spending_guard_usd").asDouble())
        .isLessThan(0.5 * onDemand.path("spending_guard_usd").asDouble());
    assertThat(auto.path("spending_guard_usd").asDouble())
        .isGreaterThanOrEqualTo(onDemand.path("spending_guard_usd").asDouble());
    assertThat(new InProcessCli(folder).run("plan", "auto/job.yaml").out())
        .contains("no budget set: spending guard $", "also on demand");
  }
}
