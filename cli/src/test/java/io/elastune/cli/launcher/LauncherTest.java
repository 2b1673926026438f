package io.elastune.cli.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.cli.launcher.Checkout.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(OS.WINDOWS)
class LauncherTest {
  @TempDir Path folder;
  private Checkout checkout;

  @BeforeEach
  void checkOut() throws IOException {
    checkout = new Checkout(folder);
  }

  @Test
  void buildsOnlyOnFirstUse() throws Exception {
    Result first = checkout.launch();
    assertThat(first.exit()).isZero();
    assertThat(first.err()).contains("building", "[1/2] Elastune core\n");
    assertThat(first.out()).doesNotContain("[INFO]");

    Result second = checkout.launch();
    assertThat(second.err()).isEmpty();
    assertThat(checkout.builds()).isEqualTo(1);
  }

  @Test
  void execsJavaWithAllArguments() throws Exception {
    Result result = checkout.launch("run", "a b", "", "*", "it's", "$HOME");

    assertThat(result.out())
        .startsWith("<" + result.process() + ">")
        .contains("<" + checkout.kept().get(0) + "/lib/elastune-cli-0.1.0-SNAPSHOT.jar>")
        .endsWith("<run><a b><><*><it's><$HOME>");
  }

  @Test
  void usesArchiveOnlyIfItExists() throws Exception {
    assertThat(checkout.launch().out())
        .contains("<-XX:SharedArchiveFile=" + checkout.kept().get(0));

    Files.writeString(checkout.kept().get(0).resolve("java-17.0.9-.jsa"), "");
    assertThat(checkout.launch().out()).doesNotContain("SharedArchiveFile");
  }

  @Test
  void usesCloudArchiveOnlyForClouds() throws Exception {
    assertThat(checkout.launch("plan", "job.yaml").out()).contains("/java-17.0.9-.jsa>");
    assertThat(checkout.launch("--help").out()).contains("/java-17.0.9-.jsa>");

    assertThat(checkout.launch("orphans").out()).contains("/java-17.0.9--clouds.jsa>");
    assertThat(checkout.launch("plan", "job.yaml", "--clouds", "mine.yaml").out())
        .contains("/java-17.0.9--clouds.jsa>");
  }

  @Test
  void startsThroughLinkFromAnyFolder() throws Exception {
    Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("a checkout/elastune"));
    assertThat(Result.of(checkout.start(Path.of("/"), List.of(link.toString()))).exit()).isZero();
    Process named = checkout.start(checkout.root, List.of("sh", "elastune"));
    assertThat(Result.of(named).exit()).isZero();
    assertThat(checkout.builds()).isEqualTo(1);
  }

  @Test
  void rebuildsAfterChange() throws Exception {
    checkout.launch();
    Files.writeString(checkout.source(), "class A { int more; }\n");
    checkout.launch();
    assertThat(checkout.builds()).isEqualTo(2);
  }

  @Test
  void rebuildsAfterAddOrRemove() throws Exception {
    checkout.launch();
    Path added = checkout.root.resolve("provisioner/api/src/main/B.java");
    Checkout.write(added, "class B {}\n");
    checkout.launch();
    assertThat(checkout.builds()).isEqualTo(2);

    Files.delete(added);
    checkout.launch();
    assertThat(checkout.builds()).isEqualTo(3);
  }

  @Test
  void rebuildsAfterReplacementByOlderFile() throws Exception {
    checkout.launch();
    Path old = folder.resolve("old");
    Files.writeString(old, "class A { int old; }\n");
    Files.setLastModifiedTime(old, FileTime.from(Instant.EPOCH));
    Files.delete(checkout.source());
    Files.move(old, checkout.source());
    checkout.launch();
    assertThat(checkout.builds()).isEqualTo(2);
  }

  @Test
  void ignoresEditorFilesAndTests() throws Exception {
    checkout.launch();
    Checkout.write(checkout.root.resolve("core/src/main/.A.java.swp"), "");
    Checkout.write(checkout.root.resolve("core/src/main/A.java~"), "");
    Checkout.write(checkout.root.resolve("core/src/test/ATest.java"), "");
    checkout.launch();
    assertThat(checkout.builds()).isEqualTo(1);
  }

  @Test
  void concurrentLaunchersBuildOnce() throws Exception {
    Files.writeString(checkout.source(), "class A {} // slow\n");
    Process one = checkout.start(checkout.root, List.of("./elastune"));
    Process two = checkout.start(checkout.root, List.of("./elastune"));
    assertThat(Result.of(one).exit()).isZero();
    assertThat(Result.of(two).exit()).isZero();
    assertThat(checkout.builds()).isEqualTo(1);
  }

  @Test
  void breaksLockOfDeadLauncher() throws Exception {
    Process dead = checkout.start(checkout.root, List.of("sh", "-c", ":"));
    dead.waitFor();
    Files.createDirectories(checkout.state());
    Files.createSymbolicLink(checkout.state().resolve("lock"), Path.of("" + dead.pid()));
    assertThat(checkout.launch().exit()).isZero();
    assertThat(checkout.state().resolve("lock")).satisfies(LauncherTest::isGone);
  }

  @Test
  void failedBuildShowsErrorsAndStartsNothing() throws Exception {
    checkout.launch();
    Files.writeString(checkout.source(), "class A {} // broken\n");
    Result result = checkout.launch();

    assertThat(result.exit()).isEqualTo(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .contains("[ERROR] A.java:[1,1] is broken", checkout.state() + "/build.log");
    assertThat(checkout.state().resolve("lock")).satisfies(LauncherTest::isGone);
  }

  @Test
  void interruptedBuildLeavesNoFiles() throws Exception {
    Files.writeString(checkout.source(), "class A {} // slow\n");
    Process process = checkout.start(checkout.root, List.of("./elastune"));
    while (checkout.builds() == 0) {
      Thread.sleep(10);
    }
    process.toHandle().destroy(); // unlike process.destroy(), keeps its output readable
    assertThat(Result.of(process).exit()).isEqualTo(143);
    assertThat(checkout.state()).isDirectoryNotContaining("glob:**/{lock,next*,output*}");
  }

  @Test
  void keepsRunningBuild() throws Exception {
    assumeTrue(checkout.hasPs);
    checkout.launch();
    Path used = checkout.kept().get(0);
    Process run = checkout.start(checkout.root, List.of("./elastune"), "sleep");
    try {
      run.getInputStream().read();
      buildTwiceMore();
      assertThat(checkout.kept()).hasSize(3).contains(used);
    } finally {
      run.destroy();
      run.waitFor();
    }
    buildTwiceMore();
    assertThat(checkout.kept()).hasSize(2).doesNotContain(used);
  }

  @Test
  void reportsMissingTools() throws Exception {
    checkout.environment.put("JAVA_HOME", "/nowhere");
    assertThat(checkout.launch().err()).contains("JAVA_HOME is /nowhere, but", "Install a JDK");
    checkout.environment.remove("JAVA_HOME");
    assertThat(checkout.launch().err()).contains("Java is missing", "Install a JDK");

    checkout.environment.put("JAVA_HOME", checkout.javaHome.toString());
    Files.delete(checkout.bin.resolve("mvn"));
    assertThat(checkout.launch().err()).contains("Maven is missing", "Install Maven");
    Files.delete(checkout.javaHome.resolve("bin/javac"));
    Checkout.program(checkout.bin.resolve("mvn"), "#!/bin/sh\n");
    Result result = checkout.launch();
    assertThat(result.err()).contains("has no Java compiler", "Install a JDK");
    assertThat(result.exit()).isEqualTo(1);
  }

  @Test
  void reportsOutdatedTools() throws Exception {
    checkout.environment.put("MAVEN_VERSION", "3.6.3");
    assertThat(checkout.launch().err()).contains("Maven 3.8 or newer", "is 3.6.3.");

    Files.writeString(checkout.javaHome.resolve("release"), "JAVA_VERSION=\"1.8.0_402\"\n");
    assertThat(checkout.launch().err()).contains("Java 17 or newer", "is 1.8.0_402.");
  }

  @Test
  void readsVersionFromJavaWithoutReleaseFile() throws Exception {
    Files.delete(checkout.javaHome.resolve("release"));
    Checkout.program(
        checkout.javaHome.resolve("bin/java"), "#!/bin/sh\necho 'openjdk version \"11.0.2\"'\n");
    assertThat(checkout.launch().err()).contains("Java 17 or newer", "is 11.0.2.");
  }

  private void buildTwiceMore() throws IOException, InterruptedException {
    for (int i = 0; i < 2; i++) {
      Files.writeString(checkout.source(), "class A { int more; }\n");
      assertThat(checkout.launch().exit()).isZero();
    }
  }

  private static void isGone(Path link) {
    assertThat(Files.isSymbolicLink(link)).isFalse();
  }
}
