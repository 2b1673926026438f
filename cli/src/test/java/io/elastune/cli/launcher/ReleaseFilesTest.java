package io.elastune.cli.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.ExampleFiles;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Compares the description of the release zip with the files that use its contents. */
class ReleaseFilesTest {
  private static final Path ROOT = ExampleFiles.REPOSITORY;

  /** Created by the release profile of cli/pom.xml. */
  private static final Set<String> BUILT =
      Set.of("BUILD", "THIRD-PARTY.txt", "sbom.json", "lib", "configs/quickstart/classes");

  private final Set<String> zip = new TreeSet<>(BUILT);

  @BeforeEach
  void readAssembly() throws Exception {
    NodeList sets =
        document(ROOT.resolve("packaging/assembly.xml")).getElementsByTagName("fileSet");
    for (int i = 0; i < sets.getLength(); i++) {
      Element set = (Element) sets.item(i);
      String directory = texts(set, "directory").get(0);
      if (directory.startsWith("${project.build.directory}")) {
        assertThat(BUILT)
            .containsAll(
                texts(set, "include").isEmpty()
                    ? texts(set, "outputDirectory")
                    : texts(set, "include"));
        continue;
      }
      Path source = ROOT.resolve("cli").resolve(directory).normalize();
      for (String include : texts(set, "include")) {
        List<String> found = matches(source, include, texts(set, "exclude"));
        assertThat(found).as(include + " in " + source).isNotEmpty();
        zip.addAll(found);
      }
    }
  }

  @Test
  void containerCopiesFilesOfTheZip() throws IOException {
    Matcher copy =
        Pattern.compile("(?m)^COPY (.*) \\S+$")
            .matcher(Files.readString(ROOT.resolve("packaging/Containerfile")));
    List<String> sources = new ArrayList<>();
    while (copy.find()) {
      sources.addAll(List.of(copy.group(1).split(" ", -1)));
    }
    assertThat(sources)
        .contains("lib", "elastune", "install.sh")
        .allMatch(
            source ->
                zip.contains(source)
                    || zip.stream().anyMatch(file -> file.startsWith(source + "/")));
  }

  @Test
  void versionsAgree() throws Exception {
    String java =
        document(ROOT.resolve("pom.xml"))
            .getElementsByTagName("maven.compiler.release")
            .item(0)
            .getTextContent();
    assertThat(Files.readString(ROOT.resolve("packaging/Containerfile")))
        .containsPattern("ARG JAVA=eclipse-temurin:" + java + "-jre-\\w+@sha256:[0-9a-f]{64}\n");
    assertThat(Files.readString(ROOT.resolve("terraform/aws/files/controller.sh")))
        .contains("java-" + java + "-amazon-corretto-headless");
    assertThat(Files.readString(ROOT.resolve("terraform/gcp/files/controller.sh")))
        .contains("openjdk-" + java + "-jre-headless");
    String ray =
        Files.readString(ROOT.resolve("executor/ray/src/test/python/ray-requirements.txt")).strip();
    assertThat(Files.readString(ROOT.resolve("docs/rented-nodes.md"))).contains(ray);
  }

  @Test
  void filesOfTheLauncherAndTheQuickStartAreInTheZip() throws IOException {
    Matcher used =
        Pattern.compile("configs/[-a-z/]+\\.(yaml|json)")
            .matcher(Files.readString(ROOT.resolve("elastune")));
    Set<String> files =
        new TreeSet<>(
            Set.of(
                "configs/quickstart/setup.sh",
                "configs/gpu/train.py",
                "python/elastune_trial.py",
                "LICENSE"));
    while (used.find()) {
      files.add(used.group());
    }
    assertThat(files).hasSizeGreaterThan(4);
    assertThat(zip)
        .containsAll(files)
        .filteredOn(file -> file.contains("/src/"))
        .allMatch(file -> file.startsWith("configs/examples/java-library/"));
  }

  private static List<String> matches(Path source, String include, List<String> excludes)
      throws IOException {
    PathMatcher matcher = matcher(include);
    List<PathMatcher> excluded = excludes.stream().map(ReleaseFilesTest::matcher).toList();
    Path start = source.resolve(include.replaceAll("[^/]*\\*.*", ""));
    try (Stream<Path> files = Files.walk(start)) {
      return files
          .filter(Files::isRegularFile)
          .map(source::relativize)
          .filter(matcher::matches)
          .filter(file -> excluded.stream().noneMatch(exclude -> exclude.matches(file)))
          .map(Path::toString)
          .toList();
    }
  }

  private static PathMatcher matcher(String pattern) {
    return FileSystems.getDefault().getPathMatcher("glob:" + pattern);
  }

  private static List<String> texts(Element parent, String name) {
    NodeList found = parent.getElementsByTagName(name);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < found.getLength(); i++) {
      texts.add(found.item(i).getTextContent().strip());
    }
    return texts;
  }

  private static Document document(Path file) throws Exception {
    return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
  }
}
