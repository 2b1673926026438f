package io.elastune.provisioner.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.NodeSetup;
import java.io.IOException;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The contract suite of node scripts: runs the script of each cloud on a simulated node. */
@DisabledOnOs(OS.WINDOWS)
public abstract class NodeScriptsContract {
  private static final Duration DAY = Duration.ofDays(1);
  private static final String SHUTDOWN = "shutdown -h now";
  private static final String FORCED = "systemctl --force --force --no-sync poweroff";

  /** The present time in seconds since 1970. */
  protected final long now = InstantSource.system().instant().getEpochSecond();

  @TempDir private Path folder;

  /** The node under test. */
  protected FakeNode node;

  /** Creates the node of a cloud. */
  protected abstract FakeNode create(Path root) throws IOException;

  @BeforeEach
  void start() throws IOException {
    node = create(folder);
  }

  @AfterEach
  void stop() {
    node.close();
  }

  @Test
  void renewedNodeKeepsRunning() throws Exception {
    boot(now - 1800);
    node.expiry(now + 1200);
    assertThat(isEndedByTimer()).isFalse();
  }

  @Test
  protected void expiredNodeShutsDown() throws Exception {
    boot(now + 1200);
    node.expiry(now - 1);
    assertThat(isEndedByTimer()).isTrue();
  }

  @Test
  void usesLastExpiryIfItIsUnreadable() throws Exception {
    boot(now - 1800);
    node.expiry(now + 100);
    assertThat(isEndedByTimer()).isFalse();
    node.expiry("");
    assertThat(isEndedByTimer()).isFalse();

    Files.writeString(node.memory().resolve("expires"), (now - 10) + "\n");
    assertThat(isEndedByTimer()).isTrue();
  }

  @Test
  void usesLastExpiryAfterReboot() throws Exception {
    boot(now - 1800);
    node.expiry(now + 100);
    assertThat(isEndedByTimer()).isFalse();
    node.expiry("");
    node.clearMemory();
    boot(now - 1800);
    assertThat(isEndedByTimer()).isFalse();
  }

  /** The expiry that was stored before the disk was full has passed. */
  @Test
  void renewedNodeKeepsRunningWithFullDisk() throws Exception {
    boot(now - 1800);
    node.fillDisk("expires.new");
    node.expiry(now + 1200);
    assertThat(isEndedByTimer()).isFalse();
    node.expiry("");
    assertThat(isEndedByTimer()).isFalse();

    node.expiry(now - 1);
    assertThat(isEndedByTimer()).isTrue();
  }

  @Test
  void rebootsWithFullDisk() throws Exception {
    boot(now + 1200);
    node.calls();
    node.clearMemory();
    node.fillDisk("node.sh.new");
    assertThat(boot(now + 1200)).isZero();
    assertThat(node.calls("shutdown")).isEmpty();
  }

  @Test
  void usesFirstExpiryIfNoneWasRead() throws Exception {
    boot(now - 1);
    assertThat(isEndedByTimer()).isTrue();
  }

  @Test
  void ignoresInvalidExpiry() throws Exception {
    boot(now + 100);
    node.expiry("soon");
    assertThat(isEndedByTimer()).isFalse();
    node.writeState("expires", now - 1);
    assertThat(isEndedByTimer()).isTrue();
  }

  @Test
  void shutsDownAfterMaximumLifetime() throws Exception {
    boot(now + 1200);
    node.expiry(now + 10 * DAY.toSeconds());
    node.writeState("born", now - DAY.toSeconds() - 1);
    assertThat(isEndedByTimer()).isTrue();
  }

  @Test
  void powersOffIfShutdownFails() throws Exception {
    node.command("shutdown", "exit 1");
    boot(now - 1);
    node.calls();
    node.service("dead-man");
    assertThat(node.calls("shutdown", "poweroff")).containsExactly(SHUTDOWN, "poweroff -f");
  }

  @Test
  void forcesPowerOffRepeatedlyIfShutdownHangs() throws Exception {
    boot(now - 1);
    node.calls();
    node.pauses(3);
    node.service("dead-man");
    assertThat(node.calls("shutdown", "sleep", "systemctl"))
        .containsExactly(SHUTDOWN, "sleep 180", FORCED, "sleep 30", FORCED, "sleep 30");
  }

  @Test
  void powersOffThroughKernelIfSystemdFails() throws Exception {
    boot(now - 1);
    Path trigger = Files.createDirectories(folder.resolve("proc")).resolve("sysrq-trigger");
    node.command("systemctl", "exit 1");
    node.pauses(2);
    node.service("dead-man");
    assertThat(trigger).hasContent("o");
  }

  /** A unit with the default dependencies would stop at the start of a shutdown that hangs. */
  @Test
  void timerStartsEarlyAndOutlivesShutdown() throws Exception {
    boot(now + 1200);
    assertThat(node.calls("systemctl"))
        .containsExactly(
            "systemctl daemon-reload",
            "systemctl enable elastune-dead-man.service",
            "systemctl restart --no-block elastune-dead-man.service",
            "systemctl start --no-block elastune-notices.service elastune-setup.service");
    assertThat(node.unit("dead-man"))
        .contains("DefaultDependencies=no", "Restart=always", "WantedBy=sysinit.target");
  }

  @Test
  void shutsDownIfTimerCannotStart() throws Exception {
    node.command("systemctl", "exit 1");
    assertThat(boot(now + 1200)).isOne();
    assertThat(node.calls("shutdown")).containsExactly(SHUTDOWN);
    assertThat(node.report()).contains(new NodeReport(1, ""));
  }

  /** An image that was made from a node contains the state of that node. */
  @Test
  void imageOfOldNodeStartsNewLife() throws Exception {
    boot(now + 1200, setup("touch made"));
    node.service("setup");
    node.writeState("born", now - 10 * DAY.toSeconds());
    node.writeState("expires", now - 10 * DAY.toSeconds());
    node.clearMemory();
    Files.delete(folder.resolve("work/made"));
    node.instance = "i-2";

    assertThat(node.service("dead-man")).isEqualTo(3);
    assertThat(node.calls("shutdown")).isEmpty();

    boot(now + 1200, setup("touch made"));
    assertThat(isEndedByTimer()).isFalse();
    node.service("setup");
    assertThat(folder.resolve("work/made")).exists();
  }

  /** Early during a boot, the metadata cannot be read. */
  @Test
  void imageOfOldNodeWaitsForItsIdentity() throws Exception {
    boot(now - 1800);
    node.clearMemory();
    node.instance = "";
    assertThat(isEndedByTimer()).isFalse();
    node.instance = "i-1";
    assertThat(isEndedByTimer()).isTrue();
  }

  @Test
  void setupRunsInLoginShellOfUser() throws Exception {
    String command = "echo \"it's $PWD of $USER in $HOME\" > made; # a 'quoted' command";
    assertThat(boot(now + 1200, setup(command))).isZero();
    node.calls();
    node.service("setup");

    assertThat(node.report().filter(NodeReport::isReady)).isPresent();
    assertThat(folder.resolve("work/made"))
        .hasContent(
            "it's %s of elastune in %s".formatted(folder.resolve("work"), folder.resolve("home")));
    assertThat(node.calls("runuser", "chown"))
        .hasSize(2)
        .first()
        .asString()
        .startsWith("chown elastune");
  }

  /** A node with an instance store, on which {@code lsblk} and {@code blkid} find this. */
  private void localDisk(String types, String fileSystem, int probed) throws IOException {
    Path disks = Files.createDirectories(folder.resolve("dev/disk/by-id"));
    Files.createFile(disks.resolve("nvme-Amazon_EC2_NVMe_Instance_Storage_AWS1"));
    Files.createDirectories(folder.resolve("etc"));
    node.command(
        "lsblk", "case $2 in TYPE) printf '" + types + "' ;; *) echo " + fileSystem + " ;; esac");
    node.command("blkid", "exit " + probed);
    node.command("mkfs.ext4", "exit 0");
    node.command("mount", "exit 0");
  }

  private void bootWithLocalDisk(boolean isWanted) throws Exception {
    NodeSetup setup = setup("touch made");
    boot(now + 1200, isWanted ? setup.onLocalDisk() : setup);
    node.service("setup");
    assertThat(node.report().filter(NodeReport::isReady)).isPresent();
  }

  private void assertThatDisksAreUntouched() throws IOException {
    assertThat(node.calls("mkfs.ext4", "mount")).isEmpty();
    assertThat(Files.isSymbolicLink(folder.resolve("work"))).isFalse();
    assertThat(folder.resolve("work/made")).exists();
    assertThat(folder.resolve("etc/fstab")).doesNotExist();
  }

  @Test
  void anEmptyLocalDiskIsFormattedForTheFolder() throws Exception {
    localDisk("disk\\n", "", 2);
    bootWithLocalDisk(true);

    assertThat(folder.resolve("work")).isSymbolicLink();
    assertThat(folder.resolve("mnt/elastune-local/elastune/made")).exists();
    assertThat(node.calls("mkfs.ext4", "mount")).hasSize(2);
    assertThat(folder.resolve("etc/fstab")).content().contains("LABEL=elastune", "nofail");
    assertThat(node.unit("setup"))
        .as("systemd does not wait for such a mount before the setup continues after a reboot")
        .containsPattern("After=.* mnt-elastune\\\\x2dlocal\\.mount dlami-nvme\\.service");
  }

  /** The folder is given in the settings. */
  @Test
  void aFolderOfTheUserStaysWhereItIs() throws Exception {
    localDisk("disk\\n", "", 2);
    bootWithLocalDisk(false);

    assertThatDisksAreUntouched();
  }

  @Test
  void aFolderOfTheImageStaysWhereItIs() throws Exception {
    localDisk("disk\\n", "", 2);
    Files.createDirectories(folder.resolve("work"));
    bootWithLocalDisk(true);

    assertThatDisksAreUntouched();
  }

  @ParameterizedTest
  @CsvSource({
    "disk\\npart\\n, '', 2", // has a partition
    "part\\n, '', 2", // is one
    "disk\\n, ext4, 2", // has a file system
    "disk\\n, LVM2_member, 2", // is a part of a volume of the image
    "disk\\n, '', 0", // has another signature
    "disk\\n, '', 8", // has ambiguous signatures
    "disk\\n, '', 127", // cannot be probed
    "'', '', 2", // is no disk
  })
  void aDiskWithContentsIsNeverFormatted(String types, String fileSystem, int probed)
      throws Exception {
    localDisk(types, fileSystem, probed);
    bootWithLocalDisk(true);

    assertThatDisksAreUntouched();
  }

  @ParameterizedTest
  @CsvSource({"mkfs.ext4", "mount"})
  void aDiskThatFailsIsNotUsed(String command) throws Exception {
    localDisk("disk\\n", "", 2);
    node.command(command, "exit 1");
    bootWithLocalDisk(true);

    assertThat(Files.isSymbolicLink(folder.resolve("work"))).isFalse();
    assertThat(folder.resolve("work/made")).exists();
  }

  @Test
  void aDiskThatTheImageHasMountedIsUsed() throws Exception {
    Files.createDirectories(folder.resolve("opt/dlami/nvme"));
    localDisk("disk\\n", "", 2);
    node.command("mountpoint", "exit 0");
    bootWithLocalDisk(true);

    assertThat(folder.resolve("opt/dlami/nvme/elastune/made")).exists();
    assertThat(node.calls("mkfs.ext4", "mount")).isEmpty();
  }

  /** An image that mounts local disks itself may be about to do so. */
  @Test
  void disksOfAnImageThatMountsThemAreNotFormatted() throws Exception {
    Files.createDirectories(folder.resolve("opt/dlami/nvme"));
    localDisk("disk\\n", "", 2);
    node.command("mountpoint", "exit 1");
    bootWithLocalDisk(true);

    assertThatDisksAreUntouched();
  }

  /** The folder of such an image is a link to a disk that the new instance does not have. */
  @Test
  void imageOfANodeWithALocalDiskWorksWithoutOne() throws Exception {
    Files.createSymbolicLink(folder.resolve("work"), folder.resolve("mnt/elastune-local/elastune"));
    bootWithLocalDisk(true);

    assertThat(Files.isSymbolicLink(folder.resolve("work"))).isFalse();
    assertThat(folder.resolve("work/made")).exists();
  }

  /** Updates of the image hold the lock of dpkg during its first minutes. */
  @Test
  void aptWaitsForItsLock() throws Exception {
    Path settings = folder.resolve("etc/apt/apt.conf.d");
    boot(now + 1200, setup("cat " + settings + "/* > made || :"));
    node.service("setup");
    assertThat(settings).as("an image without apt").doesNotExist();

    Files.delete(node.state().resolve("setup.done"));
    Files.createDirectories(settings);
    node.service("setup");
    assertThat(folder.resolve("work/made")).hasContent("DPkg::Lock::Timeout \"600\";");
  }

  @Test
  void setupGetsAddressOfNode() throws Exception {
    boot(now + 1200, setup("echo $ELASTUNE_ADDRESS > made"));
    node.service("setup");
    assertThat(folder.resolve("work/made")).hasContent(FakeNode.ADDRESS);
  }

  @Test
  void setupRunsAsRootWithoutUser() throws Exception {
    node.command("getent", "exit 2");
    boot(now + 1200, setup("echo $HOME > made"));
    node.service("setup");
    assertThat(folder.resolve("work/made")).hasContent("/root");
    assertThat(node.calls("useradd"))
        .singleElement()
        .asString()
        .matches("useradd -m -s \\S+sh elastune");
  }

  @Test
  void nodeWithoutSetupIsReady() throws Exception {
    boot(now + 1200);
    node.service("setup");
    assertThat(node.report()).contains(NodeReport.READY);
  }

  @Test
  void reportsFailedSetupWithOutput() throws Exception {
    boot(now + 1200, setup("echo no such wheel >&2; false; echo more"));
    node.pauses(2); // before the setup is repeated
    node.service("setup");
    assertThat(node.report()).contains(new NodeReport(1, "no such wheel\n"));
    assertThat(node.unit("setup")).contains("Type=oneshot");
  }

  /** A line of the kernel may cut a report on the console, and the metadata may not be reached. */
  @ParameterizedTest
  @CsvSource({"true, ready \\d+", "exit 3, failed 3"})
  void reportIsRepeatedUntilControllerUsesNode(String command, String expected) throws Exception {
    Path used = folder.resolve("agents/run-1");
    NodeSetup setup = setup(command).reportedUntil(used.toString());
    boot(now + 1200, setup);
    node.pauses(2); // before the setup that failed is repeated
    node.service("setup");
    node.pauses(3);
    node.service("setup");
    assertThat(node.reports())
        .hasSizeGreaterThanOrEqualTo(4)
        .allSatisfy(report -> assertThat(report.strip()).matches(expected));

    int before = node.reports().size();
    Files.createDirectories(used);
    node.clearMemory();
    boot(now + 1200, setup);
    assertThat(node.service("setup")).isZero();
    assertThat(node.reports()).as("after a reboot").hasSize(before + 1);
  }

  @Test
  void setupThatFailsOnceIsRepeated() throws Exception {
    boot(now + 1200, setup("echo step >> steps; [ -e tried ] || { touch tried; exit 3; }"));
    node.pauses(2);
    node.service("setup");

    assertThat(node.report().filter(NodeReport::isReady)).isPresent();
    assertThat(folder.resolve("work/steps")).hasContent("step\nstep");
  }

  @Test
  void setupContinuesAfterReboot() throws Exception {
    NodeSetup setup = setup("echo step >> steps");
    boot(now + 1200, setup);
    node.command("systemctl", "echo stopping"); // the setup has requested a reboot
    node.service("setup");
    assertThat(node.report()).isEmpty();

    node.clearMemory();
    node.command("systemctl", "echo running");
    boot(now + 1200, setup);
    node.service("setup");
    assertThat(node.report())
        .hasValueSatisfying(
            report -> {
              assertThat(report.isReady()).isTrue();
              assertThat(report.setupS().orElseThrow()).isBetween(0.0, 60.0);
            });
    assertThat(folder.resolve("work/steps")).hasContent("step\nstep");
  }

  @Test
  void rebootDoesNotRepeatFinishedSetup() throws Exception {
    NodeSetup setup = setup("echo step >> steps; exit 3");
    boot(now + 1200, setup);
    node.pauses(2);
    node.service("setup");
    node.clearMemory();
    boot(now + 1200, setup);
    node.service("setup");
    assertThat(folder.resolve("work/steps")).hasContent("step\nstep");
    assertThat(node.report()).contains(new NodeReport(3, ""));
  }

  @Test
  void actsOnInterruptionNotice() throws Exception {
    boot(now + 1200);
    Files.writeString(
        node.memory().resolve("interrupted.d/stop.sh"), "touch " + folder.resolve("stopped"));
    node.service("notices");
    assertThat(folder.resolve("stopped")).doesNotExist();

    node.interrupted = true;
    node.pauses(1);
    assertThat(node.service("notices")).isZero();
    assertThat(folder.resolve("stopped")).exists();
    assertThat(node.memory().resolve("interrupted")).isNotEmptyFile();
    assertThat(node.reports()).containsExactly("interrupted");
  }

  private boolean isEndedByTimer() throws IOException, InterruptedException {
    node.calls();
    node.pauses(1);
    node.service("dead-man");
    return node.calls("shutdown").contains(SHUTDOWN);
  }

  private int boot(long expires) throws IOException, InterruptedException {
    return node.boot(node.script(Optional.empty(), expires, DAY));
  }

  private int boot(long expires, NodeSetup setup) throws IOException, InterruptedException {
    return node.boot(node.script(Optional.of(setup), expires, DAY));
  }

  /** Returns a setup that runs in a folder of the node. */
  protected NodeSetup setup(String command) {
    return new NodeSetup(command, folder.resolve("work").toString(), Map.of(), "");
  }
}
