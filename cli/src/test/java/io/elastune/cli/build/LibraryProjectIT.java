package io.elastune.cli.build;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.ExampleFiles;
import io.elastune.cli.testing.ExternalPrograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The sample project of the Java library builds and runs with the artifacts of this build alone.
 */
class LibraryProjectIT {
  private static final String VERSION = "0.1.0-SNAPSHOT";
  private static final Path EXAMPLES = ExampleFiles.WORKED.getParent();

  @TempDir private Path folder;

  @Test
  void projectBuildsFromScratchRepositoryAndPlans() throws Exception {
    String launcher = System.getProperty("elastune.launcher", "");
    Assumptions.assumeFalse(launcher.isEmpty(), "only a build by Maven has packaged the jars");
    Path repository = Files.createDirectory(folder.resolve("repository"));
    link(repository);
    install(Path.of(launcher).resolveSibling("elastune/lib"), repository);
    Path project = folder.resolve("project");
    ExternalPrograms.output(
        folder,
        Map.of(),
        "cp",
        "-R",
        EXAMPLES.resolve("java-library").toString(),
        project.toString());

    ExternalPrograms.output(
        project,
        Map.of("MAVEN_OPTS", "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"),
        "mvn",
        "-q",
        "-B",
        "-Dmaven.repo.local=" + repository,
        "-Dmaven.legacyLocalRepo=true",
        "compile",
        "dependency:build-classpath",
        "-Dmdep.outputFile=target/classpath");

    String classpath = Files.readString(project.resolve("target/classpath"));
    assertThat(classpath)
        .contains("elastune-plan", "elastune-provisioner-local", repository.toString())
        // It refuses offers whose processors cannot run trials.
        .contains("elastune-executor-ray")
        .doesNotContain(
            "elastune-provisioner-aws",
            "elastune-provisioner-gcp",
            "elastune-cli",
            "cpython",
            "awssdk",
            "google-cloud");
    String output =
        ExternalPrograms.output(
            EXAMPLES.resolve("worked-example"),
            Map.of("ELASTUNE_HOME", folder.resolve("home").toString()),
            "java",
            "-cp",
            project.resolve("target/classes") + ":" + classpath,
            "example.PlanExample",
            "job.yaml",
            "offers.yaml");
    assertThat(output)
        .contains(
            "4: 1 × aws/us-east-1/p3.8xlarge/on-demand", "plans on the frontier", "simulated: ");
  }

  /** Other artifacts, which a user would download, are those of this machine. */
  private static void link(Path repository) throws IOException {
    Path known =
        Path.of(
            System.getProperty(
                "localRepository", System.getProperty("user.home") + "/.m2/repository"));
    Files.createDirectory(repository.resolve("io"));
    for (Path parent : List.of(known, known.resolve("io"))) {
      try (Stream<Path> entries = Files.list(parent)) {
        for (Path entry : entries.filter(Files::isDirectory).toList()) {
          Path link = repository.resolve(known.relativize(entry));
          if (!link.endsWith("io") && !link.endsWith("io/elastune")) {
            Files.createSymbolicLink(link, entry);
          }
        }
      }
    }
  }

  /** Copies jars and POMs to where {@code mvn install} puts them. */
  private static void install(Path jars, Path repository) throws IOException {
    put("elastune", ExampleFiles.REPOSITORY.resolve("pom.xml"), "pom", repository);
    for (String group : List.of("provisioner", "executor")) {
      put(
          "elastune-" + group,
          ExampleFiles.REPOSITORY.resolve(group).resolve("pom.xml"),
          "pom",
          repository);
    }
    try (Stream<Path> files = Files.list(jars)) {
      for (Path jar : files.toList()) {
        String name = jar.getFileName().toString();
        if (name.startsWith("elastune-") && name.endsWith("-" + VERSION + ".jar")) {
          String artifact = name.substring(0, name.length() - VERSION.length() - 5);
          put(artifact, jar, "jar", repository);
          put(artifact, pom(artifact), "pom", repository);
        }
      }
    }
  }

  private static Path pom(String artifact) {
    String module = artifact.substring("elastune-".length());
    Path flat = ExampleFiles.REPOSITORY.resolve(module).resolve("pom.xml");
    return Files.exists(flat)
        ? flat
        : ExampleFiles.REPOSITORY.resolve(module.replaceFirst("-", "/")).resolve("pom.xml");
  }

  private static void put(String artifact, Path file, String type, Path repository)
      throws IOException {
    Path to = repository.resolve("io/elastune").resolve(artifact).resolve(VERSION);
    Files.createDirectories(to);
    Files.copy(file, to.resolve(artifact + "-" + VERSION + "." + type));
  }
}
