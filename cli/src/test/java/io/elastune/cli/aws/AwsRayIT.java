package io.elastune.cli.aws;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.rented.CloudCommand;
import io.elastune.cli.rented.CloudRun;
import io.elastune.cli.rented.EmulatedNodes;
import io.elastune.cli.rented.NodeCloud;
import io.elastune.cli.rented.RayPythonForTests;
import io.elastune.cli.rented.RentedRayCheck;
import io.elastune.cli.testing.CommandResult;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.aws.fake.FakeAws;
import io.elastune.provisioner.aws.fake.FakeTimes;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Complete runs on AWS: a fake EC2 whose instances are processes that form a Ray cluster. */
class AwsRayIT {
  private static final CloudRun RUN = AwsRunIT.RUN;

  @TempDir private Path folder;
  private FakeAws aws;
  private EmulatedNodes nodes;
  private CloudCommand elastune;

  @BeforeEach
  void open() throws Exception {
    String python = RayPythonForTests.find();
    aws = new FakeAws(InstantSource.system());
    aws.ec2().times(lease -> FakeTimes.millis(0, 0, 100));
    nodes = new EmulatedNodes(new Ec2Nodes(aws), folder.resolve("instances"));
    aws.ec2().console((id, userData) -> nodes.console(userData));
    elastune = RentedRayCheck.onRay(AwsCommand.in(aws, folder));
    Files.writeString(
        elastune.home().resolve("clouds.yaml"),
        AwsCommand.SETTINGS + RentedRayCheck.settings(python, folder.resolve("nodes")));
  }

  @AfterEach
  void close() throws Exception {
    if (nodes != null) {
      nodes.close();
      aws.close();
    }
  }

  private record Ec2Nodes(FakeAws aws) implements NodeCloud {
    @Override
    public List<String> leases() {
      return aws.ec2().runningLeases();
    }

    @Override
    public String script(String lease) {
      String base64 = aws.ec2().launchCall(lease).get("UserData");
      return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    }

    @Override
    public String expiry(String lease) {
      return aws.ec2().tags(lease).get(Tags.EXPIRES);
    }
  }

  @Test
  void shrinksAndLedgerMatchesBill() throws Exception {
    CommandResult run = RUN.execute(elastune).assertExit(0);
    assertThat(aws.ec2().runningLeases()).isEmpty();
    RUN.check(elastune, run, aws.ec2().billedSeconds());
    RentedRayCheck.checkNothingIsLeft(elastune, run, nodes);
  }
}
