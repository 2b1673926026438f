package io.elastune.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.job.Job;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks that all files under configs/ are valid. */
class ShippedFilesTest {
  private static final Path CONFIGS = RepositoryRoot.ROOT.resolve("configs");

  @Test
  void shippedFilesHaveNoProblems() throws IOException {
    List<String> problems = new ArrayList<>();
    List<Path> files = files();
    for (Path file : files) {
      parse(file).problems().forEach(problem -> problems.add(problem.toString()));
    }
    assertThat(problems).isEmpty();
    assertThat(files).isNotEmpty();
  }

  @Test
  void referencedFilesExist() throws IOException {
    for (Path file : files()) {
      if (file.getFileName().toString().startsWith("job")) {
        Job job = job(file.toString(), file).orThrow();
        Stream.of(job.resources().offers(), job.profile().file())
            .flatMap(Optional::stream)
            .forEach(name -> assertThat(file.resolveSibling(name)).exists());
      }
    }
  }

  private static List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(CONFIGS)) {
      return all.filter(file -> !CONFIGS.relativize(file).toString().contains("target"))
          .filter(
              file -> file.toString().matches(".*/((job|profile|offers)[^/]*\\.yaml|[^/]*\\.json)"))
          .sorted()
          .toList();
    }
  }

  private static ParseResult<?> parse(Path file) {
    String name = file.getFileName().toString();
    String shown = RepositoryRoot.ROOT.relativize(file).toString();
    String text = text(file);
    if (name.startsWith("job")) {
      return job(shown, file);
    }
    if (name.startsWith("profile")) {
      return ProfileFile.parse(shown, text);
    }
    return name.startsWith("offers") ? OffersFile.parse(shown, text) : PlanFile.parse(shown, text);
  }

  private static ParseResult<Job> job(String shown, Path file) {
    return JobFile.parse(
        shown,
        text(file),
        Overrides.NONE,
        named ->
            new ParseResult.ValidFile<>(
                new ReferencedFiles.TextFile(named, text(file.resolveSibling(named)))));
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
