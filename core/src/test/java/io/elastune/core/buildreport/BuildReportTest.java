package io.elastune.core.buildreport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The report of a build with two modules. */
class BuildReportTest {
  private static final String FLAKY =
      """
      <testsuite name="a.SlowIT">
        <testcase name="passes" classname="a.SlowIT" time="1"/>
        <testcase name="needsTwo" classname="a.SlowIT" time="2">
          <flakyFailure message="too late"><stackTrace/></flakyFailure>
        </testcase>
      </testsuite>
      """;

  @TempDir private Path root;

  @BeforeEach
  void writeTimes() throws IOException {
    write("core/pom.xml", "");
    write(
        "core/target/times/parts.tsv",
        "start\t1000\t500\nchecks\t1100\t550\ncompile\t4100\t2550\n");
    write("core/target/times/unit-1.tsv", "a.QuickTest\t500\t250\n(test JVM)\t0\t300\n");
    write("executor/local/pom.xml", "");
    write("executor/local/target/times/parts.tsv", "start\t0\t0\nintegration\t70000\t100\n");
    write("executor/local/target/times/integration-1.tsv", "a.SlowIT\t69000\t65000\n");
  }

  @Test
  void statesTimeByModuleAndKindAndTheSlowestClasses() {
    assertThat(report())
        .containsPattern("core +0\\.1 \\(0\\.1\\) +2\\.0 \\(3\\.0\\) +0\\.6 \\(0\\.0\\) +- +-\n")
        .containsPattern("executor/local +- +- +- +- +65\\.1 \\(70\\.0\\)\n")
        .containsPattern("all .* 65\\.1 \\(70\\.0\\)\n")
        .containsSubsequence(
            "The 2 slowest test classes",
            "65.0 (69.0)",
            "integration  SlowIT (executor/local)",
            "0.3 (0.5)",
            "unit         QuickTest (core)");
  }

  @Test
  void countsFlakesOverBuilds() throws IOException {
    assertThat(report("--end")).contains("0 in this build", "Builds counted: 1");
    write("executor/local/target/failsafe-reports/TEST-a.SlowIT.xml", FLAKY);

    report("--end");
    String third = report("--end");

    assertThat(third)
        .contains("1 in this build", "* SlowIT.needsTwo: in 2 of the last builds")
        .contains("Builds counted: 3");
    assertThat(report()).contains("Builds counted: 3");
  }

  @Test
  void limitsFailOnlyForClassesAboveThem() throws IOException {
    write("limits", "# comment\nunit\t20\tevery commit\nintegration\t60\tevery merge\n");
    assertThat(run("--limits", root.resolve("limits").toString()))
        .isEqualTo(
            new Result(
                1,
                """
                SlowIT (executor/local, integration): 65.0 s of processor time, at most 60 s
                2 test classes compared, 1 above their limit
                """));

    write(
        "limits", "integration\t60\tevery merge\nSlowIT\t70\tfour clusters\nQuickTest\t30\tnone\n");
    assertThat(run("--limits", root.resolve("limits").toString()))
        .isEqualTo(
            new Result(
                0,
                """
                QuickTest needs no exception in this build
                2 test classes compared, 0 above their limit
                """));

    write("limits", "integration\t60\n");
    assertThat(run("--limits", root.resolve("limits").toString()).code()).isEqualTo(2);
  }

  @Test
  void namesWhatIsMissingWithoutABuild() throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      files
          .filter(file -> file.toString().endsWith(".tsv"))
          .forEach(file -> file.toFile().delete());
    }
    Files.delete(root.resolve("core/target/times"));
    Files.delete(root.resolve("executor/local/target/times"));

    assertThat(run())
        .isEqualTo(
            new Result(2, "No build has written its times: run mvn test or mvn verify first.\n"));
  }

  private record Result(int code, String text) {}

  private String report(String... options) {
    Result result = run(options);
    assertThat(result.code()).isZero();
    return result.text();
  }

  private Result run(String... options) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    BuildReport report =
        new BuildReport(
            new PrintStream(bytes, true, StandardCharsets.UTF_8), root.resolve("cache/flakes.tsv"));
    List<String> arguments =
        Stream.concat(Stream.of(root.toString(), "target"), Stream.of(options)).toList();
    int code = report.run(arguments);
    return new Result(code, bytes.toString(StandardCharsets.UTF_8));
  }

  private void write(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
