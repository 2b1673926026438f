package io.elastune.cli.screen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.cli.testing.Cli;
import io.elastune.cli.testing.TinyJob;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Stored checkpoints are either in a total or named as not in it. */
class StorageTest {
  @TempDir Path folder;

  @Test
  void whatIsNotPricedIsNamed() throws IOException {
    String screen = plan("checkpoint: {store: kept/here}").out();

    assertThat(screen)
        .contains("checkpoint storage in kept/here")
        .doesNotContain("included: storage");
  }

  @Test
  void whatIsPricedIsIncluded() throws IOException {
    String checkpoint =
        "checkpoint: {store: kept/here, keep: 3, size_gb: 7.30, usd_per_gb_month: 50}";
    String screen = plan(checkpoint).out();

    // Eight trials, three checkpoints of 7.3 GB each, 50 USD for each GB and 730 h.
    assertThat(screen)
        .contains("included: storage of 8 trials × 3 of their checkpoints × 7.3 GB, $12.00 an hour")
        .contains("not included: egress, taxes, discounts")
        .contains("checkpoints kept after the end")
        .doesNotContain("checkpoint storage in");
    JsonNode estimate = plan(checkpoint, "--json").json().path("estimate");
    double completionS = estimate.path("completion_s").path("mean").asDouble();
    assertThat(estimate.path("cost_by").path("data").asDouble())
        .isCloseTo(12 * completionS / 3600, within(1e-9));
    assertThat(estimate.path("cost_by").path("other").asDouble()).isZero();
  }

  private Cli.Result plan(String checkpoint, String... options) throws IOException {
    new TinyJob("stored").trial("0", "gpus: 1, " + checkpoint).write(folder);
    String[] arguments = new String[options.length + 2];
    arguments[0] = "plan";
    arguments[1] = "job.yaml";
    System.arraycopy(options, 0, arguments, 2, options.length);
    Cli.Result result = new Cli(folder).run(arguments);
    assertThat(result.exit()).as(result.err()).isZero();
    return result;
  }
}
