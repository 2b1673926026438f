package io.elastune.cli.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.cli.launcher.FakeCheckout.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisabledOnOs(OS.WINDOWS)
class LauncherScriptIT {
  @TempDir private static Path shared;
  private static FakeCheckout built;

  @TempDir Path folder;
  private FakeCheckout fakeCheckout;

  /** A build starts a hundred programs. Most tests begin with a copy of this one. */
  @BeforeAll
  static void buildOnce() throws Exception {
    built = new FakeCheckout(shared);
    assertThat(built.launch().exit()).isZero();
  }

  @AfterAll
  static void deleteLinks() throws IOException {
    built.close();
  }

  @BeforeEach
  void checkOut() throws IOException {
    fakeCheckout = new FakeCheckout(folder);
  }

  @AfterEach
  void close() throws IOException {
    fakeCheckout.close();
  }

  @Test
  void buildsOnlyOnFirstUse() throws Exception {
    Result first = fakeCheckout.launch();
    assertThat(first.exit()).isZero();
    assertThat(first.err()).contains("building", "[1/2] Elastune core\n");
    assertThat(first.out()).doesNotContain("[INFO]");

    Result second = fakeCheckout.launch();
    assertThat(second.err()).isEmpty();
    assertThat(fakeCheckout.buildCount()).isEqualTo(1);
  }

  @Test
  void execsJavaWithAllArguments() throws Exception {
    fakeCheckout.copyBuildOf(built);
    Result result = fakeCheckout.launch("run", "a b", "", "*", "it's", "$HOME");

    assertThat(result.out())
        .startsWith("<" + result.process() + ">")
        .contains(
            "<" + fakeCheckout.storedBuilds().get(0) + "/lib/elastune-cli-0.1.0-SNAPSHOT.jar>")
        .endsWith("<run><a b><><*><it's><$HOME>");
  }

  @Test
  void usesArchiveOnlyIfItExists() throws Exception {
    fakeCheckout.copyBuildOf(built);
    assertThat(fakeCheckout.launch().out())
        .contains("<-XX:SharedArchiveFile=" + fakeCheckout.storedBuilds().get(0));

    Files.writeString(fakeCheckout.storedBuilds().get(0).resolve("java-17.0.9-.jsa"), "");
    assertThat(fakeCheckout.launch().out()).doesNotContain("SharedArchiveFile");
  }

  @Test
  void usesCloudArchiveOnlyForClouds() throws Exception {
    fakeCheckout.copyBuildOf(built);
    assertThat(fakeCheckout.launch("plan", "job.yaml").out()).contains("/java-17.0.9-.jsa>");
    assertThat(fakeCheckout.launch("--help").out()).contains("/java-17.0.9-.jsa>");

    assertThat(fakeCheckout.launch("orphans").out()).contains("/java-17.0.9--clouds.jsa>");
    assertThat(fakeCheckout.launch("plan", "job.yaml", "--clouds", "mine.yaml").out())
        .contains("/java-17.0.9--clouds.jsa>");
  }

  @ParameterizedTest
  @CsvSource({
    "run,      'infra: [local] # or aws/us-east-1', false",
    "run,      'infra: [aws/us-east-1]',            true",
    "plan,     'infra: [gcp/us-central1]',          true",
    "run,      'store: s3://bucket/prefix',         true",
    "run,      'offers: offers.yaml',               true",
    "run,      '{\"offers\": \"offers.yaml\"}',       true",
    "run,      'offers: missing.yaml',              true",
    "run,      '{name: \"a #b\", infra: [aws/x]}',  true",
    "import,   'infra: [aws/us-east-1]',            false",
    "status,   'infra: [local]',                    true",
  })
  void commandsWithoutCloudHaveNoneInTheirClassPath(String command, String job, boolean clouds)
      throws Exception {
    fakeCheckout.copyBuildOf(built);
    Path folder = Files.createDirectories(fakeCheckout.root.resolve("jobs"));
    Files.writeString(folder.resolve("job.yaml"), job + "\n");
    Files.writeString(folder.resolve("offers.yaml"), "- infra: aws/us-east-1\n");

    String out = fakeCheckout.launch(command, folder.resolve("job.yaml").toString()).out();

    String lib = fakeCheckout.storedBuilds().get(0) + "/lib/";
    String core = lib + "elastune-cli-0.1.0-SNAPSHOT.jar";
    assertThat(out)
        .contains(
            clouds
                ? "<-cp><%s:%saws/elastune-provisioner-aws-0.1.0-SNAPSHOT.jar:%sgcp/elastune-provisioner-gcp-0.1.0-SNAPSHOT.jar><io.elastune.cli.Main>"
                    .formatted(core, lib, lib)
                : "<-jar><" + core + ">");
  }

  /** Java cannot open a file named é in the locale C. */
  @ParameterizedTest
  @CsvSource({
    "'',        '',      '',          C.utf8",
    "'',        '',      C,           C.utf8",
    "'',        POSIX,   en_US.UTF-8, C.utf8",
    "'',        '',      en_US.UTF-8, ''",
    "C,         '',      '',          C.utf8",
    "POSIX,     '',      en_US.UTF-8, C.utf8",
    "C.UTF-8,   '',      '',          ''",
  })
  void namesAreUtf8WithoutLocale(String all, String ctype, String lang, String expected)
      throws Exception {
    fakeCheckout.copyBuildOf(built);
    FakeCheckout.program(
        fakeCheckout.bin.resolve("locale"), "#!/bin/sh\nprintf '%s\\n' C C.utf8 POSIX\n");
    FakeCheckout.program(
        fakeCheckout.javaHome.resolve("bin/java"), "#!/bin/sh\nprintf '%s' \"$LC_CTYPE\"\n");
    fakeCheckout.environment.putAll(Map.of("LC_ALL", all, "LC_CTYPE", ctype, "LANG", lang));

    assertThat(fakeCheckout.launch().out()).isEqualTo(expected);
  }

  /** Containers with a release may have few programs. */
  @Test
  void releaseNeedsNeitherGrepNorHead() throws Exception {
    fakeCheckout.copyBuildOf(built);
    fakeCheckout.toRelease();
    FakeCheckout.program(
        fakeCheckout.bin.resolve("locale"), "#!/bin/sh\nprintf '%s\\n' C C.UTF-8 C.utf8\n");
    for (String program : List.of("grep", "head", "mvn")) {
      Files.delete(fakeCheckout.bin.resolve(program));
    }
    assertThat(fakeCheckout.launch().exit()).isZero(); // creates the archives

    Result result = fakeCheckout.launch("run");
    assertThat(result.err()).isEmpty();
    assertThat(result.out()).contains("/java-17.0.9-.jsa>").endsWith("<run>");
    FakeCheckout.program(
        fakeCheckout.javaHome.resolve("bin/java"), "#!/bin/sh\nprintf '%s' \"$LC_CTYPE\"\n");
    assertThat(fakeCheckout.launch().out()).isEqualTo("C.UTF-8");
  }

  /** The disk may have been full. */
  @Test
  void archiveThatCouldNotBeCreatedIsTriedAgainOnAnotherDay() throws Exception {
    fakeCheckout.copyBuildOf(built);
    fakeCheckout.toRelease();
    Path archive = Files.createFile(fakeCheckout.root.resolve("java-17.0.9-.jsa"));
    Path left = Files.createFile(fakeCheckout.root.resolve("tmp.1.classes"));
    assertThat(fakeCheckout.launch().out()).doesNotContain("SharedArchiveFile");

    FileTime before = FileTime.from(Instant.now().minus(Duration.ofHours(49)));
    Files.setLastModifiedTime(archive, before);
    Files.setLastModifiedTime(left, before);
    assertThat(fakeCheckout.launch().out()).contains("/java-17.0.9-.jsa>");
    assertThat(left).doesNotExist();
  }

  @Test
  void startsThroughLinkFromAnyFolder() throws Exception {
    fakeCheckout.copyBuildOf(built);
    Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("a checkout/elastune"));
    assertThat(Result.of(fakeCheckout.start(Path.of("/"), List.of(link.toString()))).exit())
        .isZero();
    Process named = fakeCheckout.start(fakeCheckout.root, List.of("sh", "elastune"));
    assertThat(Result.of(named).exit()).isZero();
    assertThat(fakeCheckout.buildCount()).isEqualTo(1);
  }

  @Test
  void rebuildsAfterChange() throws Exception {
    fakeCheckout.copyBuildOf(built);
    fakeCheckout.launch();
    Files.writeString(fakeCheckout.source(), "class A { int more; }\n");
    fakeCheckout.launch();
    assertThat(fakeCheckout.buildCount()).isEqualTo(2);
  }

  @Test
  void rebuildsAfterAddOrRemove() throws Exception {
    fakeCheckout.copyBuildOf(built);
    fakeCheckout.launch();
    Path added = fakeCheckout.root.resolve("provisioner/api/src/main/B.java");
    FakeCheckout.write(added, "class B {}\n");
    fakeCheckout.launch();
    assertThat(fakeCheckout.buildCount()).isEqualTo(2);

    Files.delete(added);
    fakeCheckout.launch();
    assertThat(fakeCheckout.buildCount()).isEqualTo(3);
  }

  @Test
  void rebuildsAfterReplacementByOlderFile() throws Exception {
    fakeCheckout.copyBuildOf(built);
    fakeCheckout.launch();
    Path old = folder.resolve("old");
    Files.writeString(old, "class A { int old; }\n");
    Files.setLastModifiedTime(old, FileTime.from(Instant.EPOCH));
    Files.delete(fakeCheckout.source());
    Files.move(old, fakeCheckout.source());
    fakeCheckout.launch();
    assertThat(fakeCheckout.buildCount()).isEqualTo(2);
  }

  @Test
  void ignoresEditorFilesAndTests() throws Exception {
    fakeCheckout.copyBuildOf(built);
    fakeCheckout.launch();
    FakeCheckout.write(fakeCheckout.root.resolve("core/src/main/.A.java.swp"), "");
    FakeCheckout.write(fakeCheckout.root.resolve("core/src/main/A.java~"), "");
    FakeCheckout.write(fakeCheckout.root.resolve("core/src/test/ATest.java"), "");
    fakeCheckout.launch();
    assertThat(fakeCheckout.buildCount()).isEqualTo(1);
  }

  @Test
  void concurrentLaunchersBuildOnce() throws Exception {
    Files.writeString(fakeCheckout.source(), "class A {} // slow\n");
    Process one = fakeCheckout.start(fakeCheckout.root, List.of("./elastune"));
    Process two = fakeCheckout.start(fakeCheckout.root, List.of("./elastune"));
    assertThat(Result.of(one).exit()).isZero();
    assertThat(Result.of(two).exit()).isZero();
    assertThat(fakeCheckout.buildCount()).isEqualTo(1);
  }

  @Test
  void breaksLockOfDeadLauncher() throws Exception {
    Process dead = fakeCheckout.start(fakeCheckout.root, List.of("sh", "-c", ":"));
    dead.waitFor();
    Files.createDirectories(fakeCheckout.state());
    Files.createSymbolicLink(fakeCheckout.state().resolve("lock"), Path.of("" + dead.pid()));
    assertThat(fakeCheckout.launch().exit()).isZero();
    assertThat(fakeCheckout.state().resolve("lock")).satisfies(LauncherScriptIT::isGone);
  }

  @Test
  void failedBuildShowsErrorsAndStartsNothing() throws Exception {
    fakeCheckout.copyBuildOf(built);
    assertThat(fakeCheckout.launch().err()).isEmpty();
    Files.writeString(fakeCheckout.source(), "class A {} // broken\n");
    Result result = fakeCheckout.launch();

    assertThat(result.exit()).isEqualTo(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .contains("[ERROR] A.java:[1,1] is broken", fakeCheckout.state() + "/build.log");
    assertThat(fakeCheckout.state().resolve("lock")).satisfies(LauncherScriptIT::isGone);
  }

  @Test
  void interruptedBuildLeavesNoFiles() throws Exception {
    Files.writeString(fakeCheckout.source(), "class A {} // slow\n");
    Process process = fakeCheckout.start(fakeCheckout.root, List.of("./elastune"));
    while (fakeCheckout.buildCount() == 0) {
      Thread.sleep(10);
    }
    process.toHandle().destroy(); // unlike process.destroy(), keeps its output readable
    assertThat(Result.of(process).exit()).isEqualTo(143);
    assertThat(fakeCheckout.state()).isDirectoryNotContaining("glob:**/{lock,next*,output*}");
  }

  @Test
  void keepsRunningBuild() throws Exception {
    assumeTrue(fakeCheckout.hasPs);
    fakeCheckout.copyBuildOf(built);
    Path used = fakeCheckout.storedBuilds().get(0);
    Process run = fakeCheckout.start(fakeCheckout.root, List.of("./elastune"), "sleep");
    try {
      run.getInputStream().read();
      buildTwiceMore();
      assertThat(fakeCheckout.storedBuilds()).hasSize(3).contains(used);
    } finally {
      run.destroy();
      run.waitFor();
    }
    buildTwiceMore();
    assertThat(fakeCheckout.storedBuilds()).hasSize(2).doesNotContain(used);
  }

  @Test
  void reportsMissingTools() throws Exception {
    fakeCheckout.environment.put("JAVA_HOME", "/nowhere");
    assertThat(fakeCheckout.launch().err()).contains("JAVA_HOME is /nowhere, but", "Install a JDK");
    fakeCheckout.environment.remove("JAVA_HOME");
    assertThat(fakeCheckout.launch().err()).contains("Java is missing", "Install a JDK");

    fakeCheckout.environment.put("JAVA_HOME", fakeCheckout.javaHome.toString());
    Files.delete(fakeCheckout.bin.resolve("mvn"));
    assertThat(fakeCheckout.launch().err()).contains("Maven is missing", "Install Maven");
    Files.delete(fakeCheckout.javaHome.resolve("bin/javac"));
    FakeCheckout.program(fakeCheckout.bin.resolve("mvn"), "#!/bin/sh\n");
    Result result = fakeCheckout.launch();
    assertThat(result.err()).contains("has no Java compiler", "Install a JDK");
    assertThat(result.exit()).isEqualTo(1);
  }

  @Test
  void reportsOutdatedTools() throws Exception {
    fakeCheckout.environment.put("MAVEN_VERSION", "3.6.3");
    assertThat(fakeCheckout.launch().err()).contains("Maven 3.8 or newer", "is 3.6.3.");

    Files.writeString(fakeCheckout.javaHome.resolve("release"), "JAVA_VERSION=\"1.8.0_402\"\n");
    assertThat(fakeCheckout.launch().err()).contains("Java 17 or newer", "is 1.8.0_402.");
  }

  @Test
  void readsVersionFromJavaWithoutReleaseFile() throws Exception {
    Files.delete(fakeCheckout.javaHome.resolve("release"));
    FakeCheckout.program(
        fakeCheckout.javaHome.resolve("bin/java"),
        "#!/bin/sh\necho 'openjdk version \"11.0.2\"'\n");
    assertThat(fakeCheckout.launch().err()).contains("Java 17 or newer", "is 11.0.2.");
  }

  private void buildTwiceMore() throws IOException, InterruptedException {
    for (int i = 0; i < 2; i++) {
      Files.writeString(fakeCheckout.source(), "class A { int more; }\n");
      assertThat(fakeCheckout.launch().exit()).isZero();
    }
  }

  private static void isGone(Path link) {
    assertThat(Files.isSymbolicLink(link)).isFalse();
  }
}
