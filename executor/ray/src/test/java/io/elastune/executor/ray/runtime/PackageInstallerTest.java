package io.elastune.executor.ray.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.ray.head.RayPython;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PackageInstallerTest {
  private static final Path LOCK = Path.of("lock.txt");
  private static final Path PYTHON = Path.of("bin/python3");

  @Test
  void packagesOfTheIndexMustHaveTheirChecksums() {
    assertThat(command("lib/python3.11/site-packages", Optional.empty()))
        .endsWith("--no-deps", "--require-hashes", "-r", "lock.txt");
  }

  @Test
  void otherPythonsNeedOtherFiles() {
    assertThat(command("lib/python3.12/site-packages", Optional.empty()))
        .endsWith("ray==" + RayPython.TESTED)
        .doesNotContain("--require-hashes");
  }

  @Test
  void filesOfAFolderAreChosenByTheUser() {
    assertThat(command("lib/python3.11/site-packages", Optional.of(Path.of("wheels"))))
        .containsSequence("--no-index", "--find-links", "wheels", "ray==" + RayPython.TESTED);
  }

  @Test
  void everyShippedPackageHasAVersionAndAChecksum() throws IOException {
    try (var lock = PackageInstaller.class.getResourceAsStream("ray-requirements.lock")) {
      List<String> lines =
          new String(lock.readAllBytes(), StandardCharsets.UTF_8)
              .lines()
              .filter(line -> !line.startsWith("#"))
              .toList();
      assertThat(lines)
          .hasSizeGreaterThan(10)
          .allMatch(line -> line.matches("[a-z0-9-]+==[^ ]+ --hash=sha256:[0-9a-f]{64}"))
          .anyMatch(line -> line.startsWith("ray==" + RayPython.TESTED + " "));
    }
  }

  private static List<String> command(String target, Optional<Path> wheels) {
    return PackageInstaller.command(PYTHON, Path.of(target), wheels, LOCK);
  }
}
