package io.elastune.cli.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The launcher's build, for commands in a separate process that also need classes of the tests. Its
 * class-data-sharing archive, which is valid for every class path that begins with the launcher's
 * jar, saves a third of the processor time of a command.
 */
public final class LauncherBuild {
  private static final Path STATE = ExampleFiles.REPOSITORY.resolve("target/launcher");
  private static final Path JAVA_HOME = Path.of(System.getProperty("java.home"));

  private static final String LAUNCHER = ExampleFiles.REPOSITORY.resolve("elastune").toString();

  private static boolean isCurrent;
  private static List<String> command = List.of();

  private LauncherBuild() {}

  /**
   * Returns the launcher. It first builds what has changed, which takes longer on a busy machine
   * than tests wait for a command.
   */
  public static synchronized String launcher() throws IOException {
    if (!isCurrent) {
      try {
        ExternalPrograms.output(
            ExampleFiles.REPOSITORY,
            Map.of("JAVA_HOME", JAVA_HOME.toString()),
            LAUNCHER,
            "--version");
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException();
      }
      isCurrent = true;
    }
    return LAUNCHER;
  }

  /**
   * Returns the beginning of a command that starts a JVM: its flags, and the class path of the
   * tests. The launcher first builds what has changed.
   */
  public static synchronized List<String> java() throws IOException {
    if (command.isEmpty()) {
      launcher();
      command =
          List.copyOf(command(STATE.resolve(Files.readAllLines(STATE.resolve("current")).get(0))));
    }
    return command;
  }

  private static List<String> command(Path build) throws IOException {
    // A build has one archive for each JDK with which it was started.
    Path archive = only(build, "*" + System.getProperty("java.runtime.version") + "*-clouds.jsa");
    List<String> arguments = new ArrayList<>();
    arguments.add(JAVA_HOME.resolve("bin/java").toString());
    arguments.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    if (Files.size(archive) > 0) { // empty: it could not be created
      arguments.addAll(List.of("-XX:SharedArchiveFile=" + archive, "-Xlog:cds=off"));
    }
    Path jar = only(build.resolve("lib"), "elastune-cli-*.jar");
    arguments.add("-cp");
    arguments.add(jar + File.pathSeparator + System.getProperty("java.class.path"));
    return arguments;
  }

  private static Path only(Path folder, String glob) throws IOException {
    try (var files = Files.newDirectoryStream(folder, glob)) {
      List<Path> found = new ArrayList<>();
      files.forEach(found::add);
      assertThat(found).as(glob + " in " + folder).hasSize(1);
      return found.get(0);
    }
  }
}
