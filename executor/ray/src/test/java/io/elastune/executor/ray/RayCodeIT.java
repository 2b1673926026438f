package io.elastune.executor.ray;

import static io.elastune.executor.engine.TrialScripts.lib;
import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.code.CodeSnapshot;
import io.elastune.executor.code.CodeTree;
import io.elastune.executor.engine.AttemptSpec;
import io.elastune.executor.engine.AttemptSpecBuilder;
import io.elastune.executor.engine.Engine;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.engine.EngineTestBase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Tests how the code of a run gets to the nodes. */
@EnabledOnOs(OS.LINUX)
class RayCodeIT extends EngineTestBase {
  private static final String LONG = "a".repeat(60) + "/" + "b".repeat(60) + "/ü c.txt";

  /** A snapshot links all entries of two folders above it, which must not be those of others. */
  private Path workdir() {
    return folder.resolve("home/me/project");
  }

  @Override
  protected Engine open(Consumer<EngineEvent> consumer) throws IOException {
    return RayTrials.openLoopback(folder, 1, run, consumer);
  }

  @Override
  protected void advance(Duration time) {
    RayTrials.sleep(time);
  }

  @Override
  protected boolean isRunning(String attempt) {
    return RayTrials.processes(run, attempt).isAlive();
  }

  @Test
  void everyTrialGetsItsOwnCopyOfTheCode() throws IOException {
    write("train.sh", "#!/bin/sh\ncat " + LONG.replace(" ", "\\ ") + "; ls link; echo mine >> own");
    write(LONG, "long");
    write("own", "first");
    write("data/large", "not code");
    write(".gitignore", "data/");
    Files.setPosixFilePermissions(
        workdir().resolve("train.sh"), PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.createSymbolicLink(workdir().resolve("link"), Path.of("own"));
    Files.createSymbolicLink(workdir().resolve("outside"), Path.of("/etc"));
    CodeSnapshot code = snapshot();
    String command = "./train.sh; cat own; ls; " + lib("train");
    engine.start(withCode(spec("7-1-1", 0, 1, command, 1), code));
    engine.start(withCode(spec("8-1-1", 0, 1, command, 1), code));

    for (int trial : List.of(7, 8)) {
      assertThat(awaitEnd(trial + "-1-1").exitCode()).isZero();
      assertThat(Files.readAllLines(folder.resolve("logs/" + trial + ".log")))
          .containsSubsequence("long", "link", "first", "mine", "own", "train.sh")
          .doesNotContain("data", "outside");
    }
  }

  @Test
  void archiveDependsOnTheCodeOnly() throws IOException {
    write("a/b", "x");
    write(LONG, "y");
    Path one = CodeArchive.of(snapshot(), folder.resolve("one.tar"));
    Files.setLastModifiedTime(workdir().resolve("a/b"), FileTime.fromMillis(1));
    Path two = CodeArchive.of(snapshot(), folder.resolve("two.tar"));

    assertThat(two).hasSameBinaryContentAs(one);
  }

  private void write(String path, String text) throws IOException {
    Path file = workdir().resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text + "\n");
  }

  private CodeSnapshot snapshot() throws IOException {
    Path root = folder.resolve("code-" + System.nanoTime());
    return CodeSnapshot.take(CodeTree.of(workdir(), Set.of()), Set.of(), root);
  }

  private static AttemptSpec withCode(AttemptSpec spec, CodeSnapshot code) {
    return AttemptSpecBuilder.builder(spec).workdir("/nowhere").code(Optional.of(code)).build();
  }
}
