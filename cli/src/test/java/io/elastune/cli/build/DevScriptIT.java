package io.elastune.cli.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.elastune.cli.testing.CommandResult;
import io.elastune.cli.testing.ExampleFiles;
import io.elastune.cli.testing.ExternalPrograms;
import io.elastune.core.properties.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs {@code scripts/dev} in a small project: all POMs of this one, but each module has only a
 * class and a test, which records that it runs. Every module uses a rule of {@code core}.
 */
@Tag(Tier.NIGHTLY) // starts Maven many times
@DisabledOnOs(OS.WINDOWS)
class DevScriptIT {
  /** The checks of the compiler add nothing here. */
  private static final List<String> FAST = List.of("-B", "-q", "-P", "!rules,!error-prone,!format");

  private static final Set<String> MODULES = new TreeSet<>();

  @TempDir static Path folder;

  /** Always in the same folder, which is part of the inputs. */
  private static Path project;

  private final Map<String, String> environment = new HashMap<>();

  @BeforeAll
  static void build() throws Exception {
    project = folder.resolve("project");
    DevScriptIT first = new DevScriptIT();
    first.create();
    first.assertTests(MODULES);
    Files.move(project, folder.resolve("built"));
  }

  /** Restores the project with the results of its first build. */
  @BeforeEach
  void restore() throws Exception {
    ExternalPrograms.output(folder, Map.of(), "sh", "-c", "rm -rf project && cp -a built project");
  }

  private void create() throws Exception {
    List<String> copied =
        ExternalPrograms.output(
                ExampleFiles.REPOSITORY,
                Map.of(),
                "git",
                "ls-files",
                "*pom.xml",
                ".mvn",
                ".gitignore",
                "core/src/test/java/io/elastune/core/buildreport/BuildPart.java",
                "core/src/test/java/io/elastune/core/buildreport/BuildReport.java",
                "scripts/dev",
                "scripts/dev-cache.xml",
                "scripts/direct-python")
            .lines()
            .toList();
    for (String file : copied) {
      if (file.startsWith("configs/")) {
        continue; // a project of its own
      }
      Path to = project.resolve(file);
      Files.createDirectories(to.getParent());
      Files.copy(ExampleFiles.REPOSITORY.resolve(file), to, StandardCopyOption.COPY_ATTRIBUTES);
      if (file.endsWith("/pom.xml") && !Files.readString(to).contains("<packaging>pom")) {
        MODULES.add(file.replace("/pom.xml", ""));
      }
    }
    write("README.md", "read by cli\n");
    write("configs/job.yaml", "read by core and cli\n");
    writeRule(1);
    for (String module : MODULES) {
      writeMain(module, "first");
      writeTest(module, "SmallTest", module, "");
    }
    writeTest("cli", "SmallIT", "cli IT", "");
    ExternalPrograms.output(project, Map.of(), "git", "init", "-q");
  }

  private void write(String file, String text) throws IOException {
    Path path = project.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  private void writeRule(int value) throws IOException {
    write(
        "core/src/main/java/io/elastune/core/Rule.java",
        "package io.elastune.core; public class Rule { public static int value() { return "
            + value
            + "; } }\n");
  }

  private static String packageOf(String module) {
    return "small." + module.replace('/', '.');
  }

  private void writeMain(String module, String text) throws IOException {
    String name = packageOf(module);
    write(
        module + "/src/main/java/" + name.replace('.', '/') + "/Small.java",
        "package %s; class Small { static final String TEXT = \"%s\"; }\n".formatted(name, text));
  }

  private void writeTest(String module, String type, String recorded, String more)
      throws IOException {
    String name = packageOf(module);
    write(
        module + "/src/test/java/" + name.replace('.', '/') + "/" + type + ".java",
        """
        package %s;

        class %s {
          @org.junit.jupiter.api.Test
          void rule() throws Exception {
            java.nio.file.Files.writeString(
                java.nio.file.Path.of(System.getenv("CALLS")),
                "%s\\n",
                java.nio.file.StandardOpenOption.CREATE,
                java.nio.file.StandardOpenOption.APPEND);
            org.assertj.core.api.Assertions.assertThat(io.elastune.core.Rule.value()).isPositive();
            %s
          }
        }
        """
            .formatted(name, type, recorded, more));
  }

  private CommandResult dev(String... arguments) throws IOException, InterruptedException {
    Path calls = folder.resolve("calls");
    Files.deleteIfExists(calls);
    List<String> command = new ArrayList<>(List.of(project.resolve("scripts/dev").toString()));
    command.addAll(FAST);
    command.addAll(List.of(arguments));
    Path out = folder.resolve("out");
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.redirectOutput(out.toFile()).environment().putAll(environment);
    builder.environment().put("CALLS", calls.toString());
    int exit = builder.start().waitFor();
    CommandResult result = new CommandResult(exit, Files.readString(out), "");
    assumeFalse(result.out().contains("cannot be downloaded"), result.out());
    return result;
  }

  /** Returns what has recorded that it ran, which may be nothing. */
  private Set<String> tested() throws IOException {
    Path calls = folder.resolve("calls");
    return Files.exists(calls) ? new TreeSet<>(Files.readAllLines(calls)) : Set.of();
  }

  private void assertTests(Set<String> expected, String... arguments) throws Exception {
    CommandResult result = dev(arguments);
    assertThat(result.exit()).as(result.out()).isZero();
    assertThat(tested()).as(result.out()).isEqualTo(expected);
  }

  @Test
  void changedModulesAndThoseThatUseThemAreTestedAgain() throws Exception {
    assertThat(MODULES).contains("core", "cli", "executor/ray", "provisioner/aws").hasSize(17);
    CommandResult unchanged = dev();
    assertThat(unchanged.out()).contains("ran in: no module; not again in: cli core");
    assertThat(tested()).isEmpty();

    writeMain("cli", "second");
    assertTests(Set.of("cli"));

    // A rule of core, from which nothing but the results of tests changes.
    writeRule(2);
    assertTests(MODULES);

    writeMain("executor/ray", "second");
    writeTest("provisioner/gcp", "SmallTest", "provisioner/gcp", ";");
    assertTests(Set.of("executor/ray", "provisioner/gcp", "plan", "cli"));

    // The results of the first build are still there.
    writeRule(1);
    writeMain("cli", "first");
    writeMain("executor/ray", "first");
    writeTest("provisioner/gcp", "SmallTest", "provisioner/gcp", "");
    assertTests(Set.of());
  }

  @Test
  void filesOutsideOfModulesAndTheEnvironmentAreInputs() throws Exception {
    write("README.md", "changed\n");
    assertTests(Set.of("cli"));
    write("terraform/aws/main.tf", "read by provisioner/remote, which aws and gcp use\n");
    assertTests(
        Set.of(
            "provisioner/remote",
            "provisioner/aws",
            "provisioner/gcp",
            "executor/ray",
            "plan",
            "cli"));
    write("cli/src/test/resources/.hidden", "the extension itself ignores hidden files\n");
    assertTests(Set.of("cli"));
    write("configs/new.yaml", "read by core and cli\n");
    assertTests(MODULES);

    Path pom = project.resolve("profiler/pom.xml");
    write("profiler/pom.xml", Files.readString(pom).replace("</project>", "<!-- --></project>"));
    assertTests(Set.of("profiler", "inputs", "plan", "cli"));
    assertTests(MODULES, "-Delastune.tier=nightly");
    environment.put("ELASTUNE_RAY_PYTHON", "/nowhere/python");
    assertTests(MODULES);
    environment.clear();
    assertTests(Set.of());
  }

  @Test
  void failedTestsAreRepeatedUntilTheyPass() throws Exception {
    writeRule(0);
    for (int i = 0; i < 2; i++) {
      assertThat(dev().exit()).isNotZero();
      assertThat(tested()).containsExactly("core"); // so nothing above it is tested
    }

    writeRule(1);
    writeTest("profiler", "SmallTest", "profiler", "throw new Error();");
    for (int i = 0; i < 2; i++) {
      CommandResult failed = dev();
      assertThat(failed.exit()).isNotZero();
      assertThat(failed.out()).contains("ran in: profiler; not again in: core ");
      assertThat(tested()).containsExactly("profiler");
    }
    writeTest("profiler", "SmallTest", "profiler", "");
    assertTests(Set.of());
  }

  @Test
  void unitTestsAreNotTakenForIntegrationTests() throws Exception {
    assertTests(Set.of("cli IT"), "verify");
    assertTests(Set.of("cli IT"), "verify"); // these always run
    assertTests(Set.of());

    // The phase test uses stored results, but does not store any: see scripts/dev.
    writeMain("cli", "second");
    assertTests(Set.of("cli"), "test");
    assertTests(Set.of("cli"), "test");
    assertTests(Set.of("cli"));
    assertTests(Set.of(), "test");
    // A selection of tests has a result of its own.
    assertTests(Set.of("cli"), "-Dtest=small.cli.*Test", "-Dsurefire.failIfNoSpecifiedTests=false");
  }

  @Test
  void damagedResultsAreNotUsed() throws Exception {
    change(stored("core", "elastune-core.jar"));
    change(stored("simulator", "buildinfo.xml"));
    change(stored("planner", "SHA256"));
    Files.write(stored("profiler", "elastune-profiler.jar"), new byte[0]);
    Files.delete(stored("provisioner-aws", "elastune-provisioner-aws-tests.jar"));
    Files.delete(stored("provisioner-gcp", "SHA256")); // as if killed before all was stored
    Path folders = stored("cli", "buildinfo.xml").resolveSibling("more");
    Files.createDirectories(folders);
    Files.writeString(folders.resolve("file"), "");
    Set<String> damaged =
        Set.of(
            "core",
            "simulator",
            "planner",
            "profiler",
            "provisioner/aws",
            "provisioner/gcp",
            "cli");

    CommandResult result = dev();

    assertThat(result.exit()).as(result.out()).isZero();
    assertThat(tested()).as(result.out()).isEqualTo(damaged);
    assertThat(result.out()).contains("deleted a damaged result of elastune-core");
    assertTests(Set.of());
  }

  /** Changes one bit. */
  private static void change(Path file) throws IOException {
    byte[] content = Files.readAllBytes(file);
    content[content.length / 2] ^= 1;
    Files.write(file, content);
  }

  /** Returns a stored file of a module. */
  private Path stored(String module, String name) throws IOException {
    try (Stream<Path> files = Files.walk(project.resolve("target/dev-cache"))) {
      return files
          .filter(file -> file.toString().contains("/elastune-" + module + "/"))
          .filter(file -> file.endsWith(name))
          .findFirst()
          .orElseThrow();
    }
  }
}
