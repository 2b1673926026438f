package io.elastune.provisioner.aws.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.NodeSetup;
import io.elastune.provisioner.remote.FakeNode;
import io.elastune.provisioner.remote.NodeReport;
import io.elastune.provisioner.remote.NodeScriptsContract;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Runs the scripts of an EC2 node. */
class NodeScriptsIT extends NodeScriptsContract {
  @Override
  protected FakeNode create(Path root) throws IOException {
    return new FakeEc2Node(root);
  }

  @Test
  void installsTimerAlthoughServiceOfImageHangs() throws Exception {
    FakeEc2Node ec2Node = (FakeEc2Node) node;
    ec2Node.hangs = true;
    ec2Node.boot(ec2Node.script(Optional.empty(), now, Duration.ofDays(1)));
    assertThat(ec2Node.root().resolve("etc/systemd/system/elastune-dead-man.service")).exists();
  }

  @Test
  void nodeWithoutReportIsNotReady() {
    assertThat(ConsoleReport.report("")).isEmpty();
    assertThat(ConsoleReport.report("cloud-init: ELASTUNE-NODE ready, in a sentence")).isEmpty();
    assertThat(ConsoleReport.report("[ 1.2] kernel\r\nELASTUNE-NODE ready\r\nlogin:"))
        .contains(NodeReport.READY);
  }

  /** The kernel and the node write to the console at the same time. */
  @Test
  void reportThatKernelHasCutCountsOnceItIsRepeated() {
    String cut = "ELASTUNE-NODE rea[ 97.1] nvidia-uvm: Loaded the UVM driver\r\ndy 12\r\n";
    assertThat(ConsoleReport.report(cut)).isEmpty();
    String report = "ELASTUNE-NODE ready 12\r\n";
    assertThat(ConsoleReport.report(cut + report + "[ 98.2] docker0: port 1\r\n" + report))
        .contains(NodeReport.ready("12"));
  }

  @Test
  void scriptFitsIntoUserData() {
    NodeSetup longest =
        setup("x".repeat(6000)).onLocalDisk().reportedUntil("/var/lib/" + "x".repeat(80));
    String script = UserData.script(Optional.of(longest), now, Duration.ofDays(1));
    assertThat(script.getBytes(StandardCharsets.UTF_8).length).isLessThan(16 * 1024);
    assertThat(script).doesNotContainPattern("@[A-Z_]+@");
  }
}
