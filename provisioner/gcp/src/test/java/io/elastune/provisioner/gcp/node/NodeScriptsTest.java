package io.elastune.provisioner.gcp.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.NodeSetup;
import io.elastune.provisioner.remote.NodeReport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Runs the scripts of a node. */
@DisabledOnOs(OS.WINDOWS)
class NodeScriptsTest {
  private final long now = InstantSource.system().instant().getEpochSecond();
  private static final long DAY = Duration.ofDays(1).toSeconds();
  private static final String SHUTDOWN = "shutdown -h now";

  @TempDir private Path folder;
  private FakeNode fakeNode;

  @BeforeEach
  void start() throws IOException {
    fakeNode = new FakeNode(folder);
  }

  @AfterEach
  void stop() {
    fakeNode.close();
  }

  @Test
  void keepsRunningBeforeItsExpiry() throws Exception {
    writeState(now - 3600, now - 1800);
    fakeNode.expires(now + 1200);
    deadMan();
    assertThat(fakeNode.recordedCalls()).isEmpty();
  }

  @Test
  void shutsDownAfterItsExpiry() throws Exception {
    writeState(now - 3600, now + 1200);
    fakeNode.expires(now - 1);
    deadMan();
    assertThat(fakeNode.recordedCalls()).containsExactly(SHUTDOWN);
  }

  @Test
  void unreadableItemKeepsTheLastExpiry() throws Exception {
    writeState(now - 3600, now - 1800);
    fakeNode.expires(now + 100);
    deadMan();
    fakeNode.expiryItem("");
    deadMan();
    assertThat(fakeNode.recordedCalls()).isEmpty();

    fakeNode.writeMemory(now - 10);
    deadMan();
    assertThat(fakeNode.recordedCalls()).containsExactly(SHUTDOWN);
  }

  /** The expiry that was stored before the disk was full has passed. */
  @Test
  void renewedNodeKeepsRunningWithFullDisk() throws Exception {
    writeState(now - 3600, now - 1800);
    fakeNode.fillDisk("expires.new");
    fakeNode.expires(now + 1200);
    deadMan();
    fakeNode.expiryItem("");
    deadMan();
    assertThat(fakeNode.recordedCalls()).isEmpty();

    fakeNode.expires(now - 1);
    deadMan();
    assertThat(fakeNode.recordedCalls()).containsExactly(SHUTDOWN);
  }

  @Test
  void neverReadItemUsesTheFirstExpiry() throws Exception {
    writeState(now - 3600, now - 1);
    deadMan();
    assertThat(fakeNode.recordedCalls()).containsExactly(SHUTDOWN);
  }

  @Test
  void ignoresInvalidItem() throws Exception {
    writeState(now - 3600, now + 100);
    fakeNode.expiryItem("soon");
    deadMan();
    assertThat(fakeNode.recordedCalls()).isEmpty();
    fakeNode.writeState("expires", now - 1);
    deadMan();
    assertThat(fakeNode.recordedCalls()).containsExactly(SHUTDOWN);
  }

  @Test
  void shutsDownAfterMaximumLifetime() throws Exception {
    writeState(now - DAY - 1, now + 1200);
    fakeNode.expires(now + 10 * DAY);
    deadMan();
    assertThat(fakeNode.recordedCalls()).containsExactly(SHUTDOWN);
  }

  @Test
  void powersOffIfShutdownFails() throws Exception {
    fakeNode.command("shutdown", "exit 1");
    writeState(now - 3600, now - 1);
    deadMan();
    assertThat(fakeNode.recordedCalls()).containsExactly(SHUTDOWN, "poweroff -f");
  }

  @Test
  void firstBootArmsTimerRunsSetupAndReports() throws Exception {
    String command = "echo \"it's $PWD\" > made; # a 'quoted' command";
    assertThat(boot(Optional.of(setup(command)))).isZero();

    assertThat(GuestAttributes.report(fakeNode.guestAttributes())).contains(NodeReport.READY);
    assertThat(fakeNode.recordedCalls())
        .containsExactly(
            "systemctl daemon-reload", "systemctl enable --now elastune-dead-man.timer");
    assertThat(folder.resolve("work/made")).hasContent("it's " + folder.resolve("work"));
    assertThat(folder.resolve("etc/systemd/system/elastune-dead-man.service"))
        .content()
        .contains("ExecStart=" + fakeNode.state().resolve("dead-man.sh"));
    assertThat(fakeNode.state().resolve("dead-man.sh")).isExecutable();
  }

  @Test
  void installedDeadManScriptWorks() throws Exception {
    boot(Optional.empty());
    fakeNode.expires(now - 1);
    fakeNode.run(Files.readString(fakeNode.state().resolve("dead-man.sh")));
    assertThat(fakeNode.recordedCalls()).endsWith(SHUTDOWN);
  }

  @Test
  void reportsFailedSetupWithItsOutput() throws Exception {
    boot(Optional.of(setup("echo no such wheel >&2; exit 3")));
    assertThat(GuestAttributes.report(fakeNode.guestAttributes()))
        .contains(new NodeReport(3, "no such wheel\n"));
  }

  @Test
  void shutsDownIfTimerCannotBeArmed() throws Exception {
    fakeNode.command("systemctl", "exit 1");
    boot(Optional.of(setup("touch made")));
    assertThat(fakeNode.recordedCalls()).endsWith(SHUTDOWN);
    assertThat(folder.resolve("work/made")).doesNotExist();
    assertThat(GuestAttributes.report(fakeNode.guestAttributes())).contains(new NodeReport(1, ""));
  }

  @Test
  void deletesItselfIfPermitted() throws Exception {
    fakeNode.addServiceAccount();
    writeState(now - 3600, now - 1);
    deadMan();
    assertThat(fakeNode.deleted())
        .containsExactly(
            "/compute/v1/projects/my-project/zones/us-central1-a/instances/elastune-node-1"
                + " Bearer the-token");
    assertThat(fakeNode.recordedCalls()).containsExactly(SHUTDOWN);
  }

  @Test
  void rebootDoesNotRunSetupAgain() throws Exception {
    boot(Optional.of(setup("touch first")));
    fakeNode.guestAttributes().clear();
    boot(Optional.of(setup("touch second")));
    assertThat(folder.resolve("work/second")).doesNotExist();
    assertThat(fakeNode.guestAttributes()).isEmpty();
  }

  @Test
  void nodeWithoutReportIsNotReady() {
    assertThat(GuestAttributes.report(Map.of())).isEmpty();
    assertThat(GuestAttributes.report(Map.of("state", "nearly ready"))).isEmpty();
    assertThat(GuestAttributes.report(Map.of("state", "ready"))).contains(NodeReport.READY);
    assertThat(GuestAttributes.report(Map.of("state", "failed 3 !"))).isEmpty();
  }

  @Test
  void scriptFitsIntoMetadata() {
    String script =
        StartupScript.of(Optional.of(setup("x".repeat(100_000))), now, Duration.ofDays(1));
    assertThat(script.getBytes(StandardCharsets.UTF_8).length).isLessThan(256 * 1024);
    assertThat(script).doesNotContain("@EXPIRES", "@LONGEST", "@SETUP", "@WORKDIR", "@DEAD_MAN");
  }

  private NodeSetup setup(String command) {
    return new NodeSetup(command, folder.resolve("work").toString(), Map.of(), "");
  }

  private int boot(Optional<NodeSetup> setup) throws IOException, InterruptedException {
    return fakeNode.run(StartupScript.of(setup, now + 1200, Duration.ofDays(1)));
  }

  private void writeState(long born, long expires) throws IOException {
    fakeNode.writeState("born", born);
    fakeNode.writeState("expires", expires);
    fakeNode.writeState("longest", DAY);
  }

  private void deadMan() throws IOException, InterruptedException {
    fakeNode.run(
        new String(
            StartupScript.class.getResourceAsStream("dead-man.sh").readAllBytes(),
            StandardCharsets.UTF_8));
  }
}
