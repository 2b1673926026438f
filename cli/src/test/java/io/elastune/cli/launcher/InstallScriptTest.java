package io.elastune.cli.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.ExampleFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Runs install.sh of a release with a fake launcher, in a scratch root folder. */
@DisabledOnOs(OS.WINDOWS)
class InstallScriptTest {
  private static final Path SCRIPT = ExampleFiles.REPOSITORY.resolve("packaging/install.sh");

  @TempDir Path folder;
  private Path root;
  private Path clouds;
  private Path calls;

  private record Result(int exit, String output) {}

  @BeforeEach
  void unpack() throws IOException {
    root = folder.resolve("root");
    calls = folder.resolve("calls");
    clouds = folder.resolve("clouds.yaml");
    Files.writeString(clouds, "aws:\n  us-east-1: {}\n");
    unpack("jar");
  }

  @Test
  void controllersOfTerraformInstallWithTheirOwnArguments() throws Exception {
    for (String cloud : List.of("aws", "gcp")) {
      Path script = ExampleFiles.REPOSITORY.resolve("terraform/" + cloud + "/files/controller.sh");
      Matcher call =
          Pattern.compile("\"\\$folder\"/elastune-\\*/install\\.sh (.*)")
              .matcher(Files.readString(script));
      assertThat(call.find()).as(script.toString()).isTrue();
      List<String> arguments = new ArrayList<>(List.of("--root", root.toString()));
      for (String argument : call.group(1).split(" ", -1)) {
        arguments.add(argument.equals("/etc/elastune/clouds.yaml") ? clouds.toString() : argument);
      }
      Result result = install(arguments);
      assertThat(result.exit()).as(result.output()).isZero();
      assertThat(root.resolve("opt/elastune/current/lib/elastune-cli-1.2.jar")).exists();
    }
    Path home = root.resolve("opt/elastune");
    assertThat(calls)
        .content()
        .isEqualTo("runtime build in %1$s%nruntime build in %1$s%n".formatted(home));
  }

  @Test
  void commandUsesTheSharedSettingsUnlessTheUserHasOwn() throws Exception {
    assertThat(install("--clouds", clouds.toString(), "--root", root.toString()).exit()).isZero();
    String command = root.resolve("usr/local/bin/elastune").toString();
    Path home = Files.createDirectories(folder.resolve("home/.elastune"));

    assertThat(run(command, "status").output()).isEqualTo("jar of status with " + clouds + "\n");
    Files.writeString(home.resolve("clouds.yaml"), "");
    assertThat(run(command, "status").output()).isEqualTo("jar of status with \n");
  }

  @Test
  void olderBuildRemainsForRunsInProgress() throws Exception {
    assertThat(install("--root", root.toString()).exit()).isZero();
    Path first = root.resolve("opt/elastune/current").toRealPath();
    assertThat(install("--root", root.toString()).exit()).isZero();
    assertThat(root.resolve("opt/elastune/current").toRealPath()).isEqualTo(first);

    unpack("other");
    assertThat(install("--root", root.toString()).exit()).isZero();
    assertThat(root.resolve("opt/elastune/current").toRealPath()).isNotEqualTo(first);
    assertThat(first.resolve("lib/elastune-cli-1.2.jar")).hasContent("jar");
    assertThat(run(root.resolve("usr/local/bin/elastune").toString(), "plan").output())
        .isEqualTo("other of plan with \n");
    try (var files = Files.list(root.resolve("opt/elastune"))) {
      assertThat(files.map(file -> String.valueOf(file.getFileName())))
          .hasSize(3)
          .contains("current")
          .noneMatch(name -> name.startsWith("new."));
    }
  }

  @Test
  void failedBuildOfTheRuntimeIsReported() throws Exception {
    Files.createFile(folder.resolve("unavailable"));
    Result result = install("--runtime", "--root", root.toString());

    assertThat(result.exit()).isOne();
    assertThat(result.output()).contains("no packages", "The node runtime was not built");
  }

  @Test
  void wrongArgumentsInstallNothing() throws Exception {
    assertThat(install("--rooot", "x").output()).contains("unknown option: --rooot");
    assertThat(install("--clouds").output()).contains("--clouds needs a value");
    assertThat(install("--root", root.toString(), "--clouds", "none.yaml").output())
        .contains("none.yaml does not exist");
    Files.delete(folder.resolve("release/lib/elastune-cli-1.2.jar"));
    assertThat(install("--root", root.toString()).output()).contains("has no jars");
    assertThat(root).doesNotExist();
  }

  private void unpack(String jar) throws IOException {
    Path release = Files.createDirectories(folder.resolve("release/lib")).getParent();
    Files.writeString(release.resolve("lib/elastune-cli-1.2.jar"), jar);
    Files.copy(SCRIPT, release.resolve("install.sh"), StandardCopyOption.REPLACE_EXISTING);
    program(
        release.resolve("elastune"),
        """
        #!/bin/sh
        if [ "$1" = runtime ]; then
          echo "$* in $ELASTUNE_HOME" >>"$CALLS"
          [ ! -e "${CALLS%calls}unavailable" ] || { echo 'no packages' >&2; exit 2; }
          exit 0
        fi
        echo "$(cat "$(dirname "$0")"/lib/*.jar) of $1 with ${ELASTUNE_CLOUDS:-}"
        """);
  }

  private Result install(String... arguments) throws Exception {
    return install(List.of(arguments));
  }

  private Result install(List<String> arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add("sh");
    command.add(folder.resolve("release/install.sh").toString());
    command.addAll(arguments);
    return run(command.toArray(String[]::new));
  }

  private Result run(String... command) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.directory(folder.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("ELASTUNE_"));
    builder.environment().put("HOME", folder.resolve("home").toString());
    builder.environment().put("CALLS", calls.toString());
    Process process = builder.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Result(process.waitFor(), output);
  }

  private static void program(Path file, String script) throws IOException {
    Files.writeString(file, script);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
