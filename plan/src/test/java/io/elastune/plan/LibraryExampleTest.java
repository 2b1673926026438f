package io.elastune.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** The sample project runs, and uses only the stable package. */
class LibraryExampleTest {
  static final Path REPOSITORY = Path.of("").toAbsolutePath().getParent();
  static final Path PROJECT = REPOSITORY.resolve("configs/examples/java-library");

  /** What the example prints for the worked example. */
  static final String[] OUTPUT = {
    "4: 1 × aws/us-east-1/p3.8xlarge/on-demand", "plans on the frontier", "simulated: "
  };

  @TempDir private Path folder;

  @Test
  @ResourceLock(Resources.SYSTEM_OUT)
  void exampleCompilesAndPlans() throws Exception {
    assertThat(
            ToolProvider.getSystemJavaCompiler()
                .run(
                    null,
                    null,
                    null,
                    "-d",
                    folder.toString(),
                    "-proc:none",
                    "-cp",
                    System.getProperty("java.class.path"),
                    PROJECT.resolve("src/main/java/example/PlanExample.java").toString()))
        .isZero();
    Path worked = PROJECT.resolveSibling("worked-example");
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream before = System.out;
    try (URLClassLoader classes = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
      System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
      String[] arguments = {
        worked.resolve("job.yaml").toString(), worked.resolve("offers.yaml").toString()
      };
      classes
          .loadClass("example.PlanExample")
          .getMethod("main", String[].class)
          .invoke(null, (Object) arguments);
    } finally {
      System.setOut(before);
    }
    assertThat(printed.toString(StandardCharsets.UTF_8)).contains(OUTPUT);
  }

  @Test
  void examplesUseOnlyStablePackages() throws IOException {
    try (Stream<Path> files = Files.walk(REPOSITORY.resolve("configs"))) {
      assertThat(
              files
                  .filter(file -> file.toString().endsWith(".java"))
                  .flatMap(LibraryExampleTest::lines)
                  .filter(line -> line.contains("io.elastune."))
                  .filter(line -> !line.contains("io.elastune.plan.api.")))
          .isEmpty();
    }
    assertThat(lines(PROJECT.resolve("src/main/java/example/PlanExample.java")))
        .anyMatch(line -> line.contains("io.elastune.plan.api."));
  }

  private static Stream<String> lines(Path file) {
    try {
      return Files.readAllLines(file).stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
