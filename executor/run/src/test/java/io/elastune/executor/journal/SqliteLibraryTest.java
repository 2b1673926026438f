package io.elastune.executor.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteLibraryTest {
  @TempDir Path folder;

  @Test
  void libraryDoesNotStayInFolderOfFile() throws Exception {
    open(folder.resolve("run.db"), "-Djava.io.tmpdir=" + folder.resolve("missing"));

    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left.map(path -> path.getFileName().toString())).containsExactly("run.db");
    }
  }

  /** For example a folder without room, or one from which nothing may be executed. */
  @Test
  void folderForTemporaryFilesReplacesOneThatCannotHoldTheLibrary() throws Exception {
    Path temporary = Files.createDirectory(folder.resolve("temporary"));

    open(folder.resolve("missing/run.db"), "-Djava.io.tmpdir=" + temporary);

    assertThat(temporary).isEmptyDirectory();
  }

  @Test
  void failureNamesBothFolders() throws Exception {
    Path none = folder.resolve("none");
    Path missing = folder.resolve("missing");

    assertThat(start(missing.resolve("run.db"), "-Djava.io.tmpdir=" + none).output())
        .contains(
            "cannot load SQLite's library from "
                + missing
                + " (NoSuchFileException) or "
                + none
                + " (NoSuchFileException)");
  }

  private static void open(Path file, String... options) throws Exception {
    Ended ended = start(file, options);
    assertThat(ended.exit()).as(ended.output()).isEqualTo(OpensAndDies.EXIT);
    assertThat(ended.output().lines()).contains("opened");
  }

  private record Ended(int exit, String output) {}

  /** Opens a file in a process of its own, because a process loads the library once. */
  private static Ended start(Path file, String... options) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(OpensAndDies.class.getName(), file.toString()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), output);
  }

  /** Opens a file and dies without cleaning up, like a process that is killed. */
  static final class OpensAndDies {
    static final int EXIT = 9;

    private OpensAndDies() {}

    public static void main(String[] args) throws Exception {
      Path file = Path.of(args[0]);
      SqliteLibrary.load(file.getParent());
      Files.createDirectories(file.getParent());
      SqlConnection.open(file, false, (verb, cause) -> new IllegalStateException(verb, cause))
          .run("CREATE TABLE t (x INTEGER)");
      System.out.println("opened");
      Runtime.getRuntime().halt(EXIT);
    }
  }
}
