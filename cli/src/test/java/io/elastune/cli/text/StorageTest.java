package io.elastune.cli.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.cli.testing.InProcessCli;
import io.elastune.cli.testing.TinyJob;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Tests that checkpoint storage is either included in the cost or listed as not included. */
class StorageTest {
  @TempDir Path folder;

  @Test
  void unpricedStorageIsListedAsExcluded() throws IOException {
    String screen = plan("checkpoint: {store: kept/here}").out();

    assertThat(screen)
        .contains("checkpoint storage in kept/here")
        .doesNotContain("included: checkpoint storage");
  }

  @Test
  void pricedStorageIsIncluded() throws IOException {
    String checkpoint =
        "checkpoint: {store: kept/here, keep: 3, size_gb: 7.30, usd_per_gb_month: 50}";
    String screen = plan(checkpoint).out();

    // Eight trials, three checkpoints of 7.3 GB each, 50 USD for each GB and 730 h.
    assertThat(screen)
        .contains(
            "included: checkpoint storage (8 trials × 3 checkpoints × 7.3 GB), $12.00 per hour")
        .contains("not included: egress, taxes, discounts")
        .contains("checkpoints stored after the run")
        .doesNotContain("checkpoint storage in");
    JsonNode estimate = plan(checkpoint, "--json").json().path("estimate");
    double completionS = estimate.path("completion_s").path("mean").asDouble();
    assertThat(estimate.path("cost_by").path("data").asDouble())
        .isCloseTo(12 * completionS / 3600, within(1e-9));
    assertThat(estimate.path("cost_by").path("other").asDouble()).isZero();
  }

  private InProcessCli.Result plan(String checkpoint, String... options) throws IOException {
    new TinyJob("stored").trial("0", "gpus: 1, " + checkpoint).write(folder);
    String[] arguments = new String[options.length + 2];
    arguments[0] = "plan";
    arguments[1] = "job.yaml";
    System.arraycopy(options, 0, arguments, 2, options.length);
    InProcessCli.Result result = new InProcessCli(folder).run(arguments);
    assertThat(result.exit()).as(result.err()).isZero();
    return result;
  }
}
