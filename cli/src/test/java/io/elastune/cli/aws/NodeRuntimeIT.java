package io.elastune.cli.aws;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.rented.CloudCommand;
import io.elastune.cli.rented.EmulatedNodes;
import io.elastune.cli.rented.RayPythonForTests;
import io.elastune.cli.rented.RentedRayCheck;
import io.elastune.cli.testing.CommandResult;
import io.elastune.core.properties.Tier;
import io.elastune.executor.ray.runtime.TestRuntimes;
import io.elastune.provisioner.aws.fake.FakeAws;
import io.elastune.provisioner.aws.fake.FakeTimes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A run whose controller has no Python, and whose instances have another one, or one without
 * packages: all of them use the node runtime.
 */
@Order(1)
@Tag(Tier.NIGHTLY) // a runtime for each node, 340 MB; JoinScriptIT has each kind of Python
class NodeRuntimeIT {
  /** The Python of Ubuntu 22.04, which can neither run Ray of another version nor install it. */
  private static final String OTHER =
      "case $* in -V) echo Python 3.10.12 ;; *) echo 'No module named venv' >&2; exit 1 ;; esac";

  private static final String MISSING = "echo 'python3: not found' >&2; exit 127";

  @TempDir private Path folder;

  @Test
  void nodesNeedNoPython() throws Exception {
    CloudCommand elastune;
    try (FakeAws aws = new FakeAws(InstantSource.system());
        EmulatedNodes nodes =
            new EmulatedNodes(
                new Ec2Nodes(aws),
                folder.resolve("instances"),
                instance -> Map.of("python3", List.of(OTHER, MISSING).get(instance % 2)))) {
      aws.ec2().times(lease -> FakeTimes.millis(0, 0, 100));
      aws.ec2().console((id, userData) -> nodes.console(userData));
      elastune =
          RentedRayCheck.onRay(AwsCommand.in(aws, folder))
              .with(Map.of("PATH", withoutPython() + ":" + System.getenv("PATH")));
      Assumptions.assumeTrue(
          TestRuntimes.build(elastune.home().resolve("runtimes"), RayPythonForTests.find())
              .isPresent(),
          "skipped: the Python with Ray is not 3.11");
      Files.writeString(
          elastune.home().resolve("clouds.yaml"),
          AwsCommand.SETTINGS + RentedRayCheck.settings(folder.resolve("nodes")));
      Path job =
          AwsRunIT.RUN
              .job()
              .search("{algorithm: random, trials: 2, ", "max: 2")
              .write(folder.resolve("job"));

      CommandResult run = elastune.run("run", job.toString(), "--json", "-y").assertExit(0);

      assertThat(run.lastLine().at("/trials/failed").asInt(-1)).isZero();
      // By its measured times the plan has one or two.
      assertThat(aws.ec2().launchedLeases()).isNotEmpty();
      assertThat(aws.ec2().runningLeases()).isEmpty();
      RentedRayCheck.checkNothingIsLeft(elastune, run, nodes);
      String lines = elastune.run("check", job.toString()).out().replaceAll("\\s", "");
      assertThat(lines) // the table wraps its lines
          .contains("Rayonthismachine", elastune.home().resolve("runtimes").toString())
          .containsPattern(
              "RayoninstancesokPython3\\.11\\.3andRay2\\.58\\.0fromthenoderuntime"
                  + "\\([0-9]+MB,x86_64,glibc2\\.[0-9]+ornewer\\),whichthismachinesends");
    }
  }

  private Path withoutPython() throws Exception {
    Path bin = Files.createDirectory(folder.resolve("bin"));
    Path python = Files.writeString(bin.resolve("python3"), "#!/bin/sh\n" + MISSING + "\n");
    Files.setPosixFilePermissions(python, PosixFilePermissions.fromString("rwx------"));
    return bin;
  }
}
