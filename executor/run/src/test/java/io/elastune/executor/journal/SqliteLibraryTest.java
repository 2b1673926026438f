package io.elastune.executor.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteLibraryTest {
  @TempDir Path folder;

  /** A process loads the library once, so the test needs a process of its own. */
  @Test
  void libraryDoesNotStayInFolderOfFile() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                OpensAndDies.class.getName(),
                folder.resolve("run.db").toString())
            .redirectErrorStream(true)
            .start();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertThat(process.waitFor()).as(output).isEqualTo(OpensAndDies.EXIT);
    assertThat(output.lines()).contains("opened");
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left.map(path -> path.getFileName().toString())).containsExactly("run.db");
    }
  }

  /** Opens a file and dies without cleaning up, like a process that is killed. */
  static final class OpensAndDies {
    static final int EXIT = 9;

    private OpensAndDies() {}

    public static void main(String[] args) throws Exception {
      SqlConnection.open(
              Path.of(args[0]), "", (verb, cause) -> new IllegalStateException(verb, cause))
          .run("CREATE TABLE t (x INTEGER)");
      System.out.println("opened");
      Runtime.getRuntime().halt(EXIT);
    }
  }
}
