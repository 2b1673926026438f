package io.elastune.cli.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.ExampleFiles;
import io.elastune.cli.testing.ExternalPrograms;
import io.elastune.cli.testing.RunningCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code scripts/quick} in a small repository, after a setup without Maven. */
@EnabledOnOs({OS.LINUX, OS.MAC})
class QuickScriptTest {
  private static final String POM =
      """
      <project xmlns="http://maven.apache.org/POM/4.0.0"><modules>%s</modules></project>
      """;

  @TempDir Path folder;
  private Path repository;

  @BeforeEach
  void create() throws Exception {
    assumeTrue(
        ExternalPrograms.isInstalled("python3") && ExternalPrograms.isInstalled("javac"),
        "skipped: no python3 or no javac");
    repository = Files.createDirectories(folder.resolve("repository/scripts")).getParent();
    Files.copy(
        ExampleFiles.REPOSITORY.resolve("scripts/quick"),
        repository.resolve("scripts/quick"),
        StandardCopyOption.COPY_ATTRIBUTES);
    write("pom.xml", POM.formatted("<module>core</module><module>parts</module>"));
    write("core/pom.xml", POM.formatted(""));
    write("parts/pom.xml", POM.formatted("<module>one</module>"));
    write("parts/one/pom.xml", POM.formatted(""));
    source("core", "class A { static final int VALUE = 1; }");
    source("parts/one", "class B { int value = A.VALUE; }");
  }

  private void write(String file, String text) throws IOException {
    Path path = repository.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  private void source(String module, String text) throws IOException {
    write(module + "/src/main/java/" + text.charAt("class ".length()) + ".java", text + "\n");
  }

  /** Writes what the setup writes, for sources without libraries. */
  private void setUp() throws IOException {
    write("target/quick/jars", "");
    write("target/quick/processors", "");
    write("target/quick/base", "");
    Files.setLastModifiedTime(repository.resolve("target/quick/base"), FileTime.fromMillis(0));
  }

  private CommandResult run(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(repository.resolve("scripts/quick").toString()));
    command.addAll(List.of(arguments));
    return RunningCommand.start(new ProcessBuilder(command), folder).awaitExit();
  }

  @Test
  void changedModulesAreCompiledInTheirOrder() throws Exception {
    setUp();

    assertThat(run("compile").assertExit(0).err())
        .isEqualTo("compiled core main\ncompiled parts/one main\n");
    assertThat(run("compile").assertExit(0).err()).isEmpty();
    assertThat(run("compile", "parts/one").assertExit(0).err())
        .isEqualTo("compiled parts/one main\n");

    source("core", "class A { static final int VALUE = missing; }");
    assertThat(run("compile").assertExit(1).err())
        .contains("cannot find symbol", "core does not compile");
    source("core", "class A { static final int VALUE = 2; }");
    assertThat(run("compile").assertExit(0).err()).isEqualTo("compiled core main\n");
  }

  @Test
  void mistakesAreNamed() throws Exception {
    assertThat(run("compile").assertExit(1).err()).contains("run scripts/quick setup first");
    setUp();
    assertThat(run("compile", "part").assertExit(1).err())
        .contains("part has no main sources; modules: core parts/one");
    assertThat(run("test", "core", "NoTest").assertExit(1).err()).contains("core has no test");
    assertThat(run("build").assertExit(1).err()).contains("unknown command");
    assertThat(run("--help").assertExit(0).out()).contains("scripts/quick setup");
  }
}
