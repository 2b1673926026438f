package io.elastune.cli.rented;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.aws.AwsCommand;
import io.elastune.cli.gcp.GcpCommand;
import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.TinyJob;
import io.elastune.core.properties.Tier;
import io.elastune.provisioner.aws.fake.FakeAws;
import io.elastune.provisioner.gcp.fake.FakeGcp;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One command measures the GPU models of two clouds, each in a run of its own. */
@Tag(Tier.NIGHTLY)
class CloudProfilingIT {
  private static final String AWS = "aws/us-east-1";
  private static final String GCP = "gcp/us-central1";

  @TempDir private Path folder;

  @Test
  void measuresModelsOfTwoClouds() throws Exception {
    try (FakeAws aws = new FakeAws(InstantSource.system());
        FakeGcp gcp = new FakeGcp(InstantSource.system())) {
      aws.ec2().times(lease -> io.elastune.provisioner.aws.fake.FakeTimes.millis(0, 300, 200));
      gcp.compute().times(lease -> io.elastune.provisioner.gcp.fake.FakeTimes.millis(0, 300, 200));
      CloudCommand elastune =
          AwsCommand.in(aws, folder).with(GcpCommand.in(gcp, folder).variables());
      Files.writeString(
          elastune.home().resolve("clouds.yaml"), AwsCommand.SETTINGS + GcpCommand.SETTINGS);
      Path job =
          new TinyJob("two-clouds")
              .fourTrials()
              .without("profile")
              .location(
                  AWS + ", " + GCP,
                  List.of(offer(AWS, "g5.xlarge", "first"), offer(GCP, "g2-standard-4", "second")))
              .write(folder.resolve("job"));

      CommandResult profiled =
          elastune.run("profile", job.toString(), "--infra", AWS + "," + GCP, "-y").assertExit(0);

      assertThat(profiled.out())
          .contains("on " + AWS + "/g5.xlarge/on-demand, " + GCP + "/g2-standard-4/on-demand");
      assertThat(elastune.run("profiles", "list").assertExit(0).out()).contains("first", "second");
      assertThat(aws.ec2().launchedLeases()).isNotEmpty();
      assertThat(aws.ec2().runningLeases()).isEmpty();
      assertThat(gcp.compute().createdLeases()).isNotEmpty();
      assertThat(gcp.compute().existingLeases()).isEmpty();
    }
  }

  private static String offer(String place, String type, String gpu) {
    return "  - {infra: "
        + place
        + ", instance_type: "
        + type
        + ", gpu: "
        + gpu
        + ", gpus: 1, market: on-demand, usd_per_hour: 1, price: list, billing: {per: instance,"
        + " granularity_s: 1, minimum_s: 0, per_use_usd: 0}, queue_s: {mean: 2, cv: 0},"
        + " boot_s: {mean: 4, cv: 0}, data_in_usd: 0, disk_usd_per_hour: 0}";
  }
}
