package io.elastune.cli.supply;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.ExampleFiles;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares what this build uses with the recorded checksums: see "Supply chain" in docs/install.md.
 */
class ChecksumsTest {
  private static final Path ROOT = ExampleFiles.REPOSITORY;

  @Test
  void librariesHaveTheirRecordedChecksums() throws Exception {
    Map<String, String> recorded = new HashMap<>();
    for (String line : Files.readAllLines(ROOT.resolve("packaging/checksums/checksums.sha256"))) {
      recorded.put(line.substring(0, line.indexOf(' ')), line.strip());
    }
    Map<String, String> different = new TreeMap<>();
    int compared = 0;
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path jar = Path.of(entry);
      if (isOfRepository(jar) && !name(jar).startsWith("elastune-")) {
        compared++;
        String sum = sha256(jar);
        if (!recorded.getOrDefault(sum, "").endsWith("/" + jar.getFileName())) {
          different.put(entry, sum);
        }
      }
    }
    assertThat(different).as("after a change of dependencies: scripts/release --record").isEmpty();
    assertThat(compared).isGreaterThan(50);
  }

  /** In a repository, the path is GROUP/ARTIFACT/VERSION/FILE. Jars of modules are in others. */
  private static boolean isOfRepository(Path jar) {
    Path version = jar.resolveSibling("").normalize();
    return name(jar).startsWith(name(version.resolveSibling("")) + "-" + name(version));
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName());
  }

  private static String sha256(Path file) throws IOException, NoSuchAlgorithmException {
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
    return HexFormat.of().formatHex(digest);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "executor/local/src/test/python/frameworks-requirements",
        "executor/local/src/test/python/mypy-requirements",
        "executor/local/src/test/python/torch-requirements",
        "executor/ray/src/test/python/ray-requirements",
        "executor/run/src/test/python/optuna-requirements",
        "python/notebook-requirements",
        "terraform/test/requirements",
      })
  void locksHaveWhatTheRequirementsName(String name) throws IOException {
    List<Component> required = Component.ofRequirements(ROOT.resolve(name + ".txt"));
    Path lock = ROOT.resolve(name + ".lock");
    Set<Component> locked = new TreeSet<>(Component.ofRequirements(lock));
    assertThat(locked).as("scripts/lock-requirements %s.txt", name).containsAll(required);
    assertThat(Files.readAllLines(lock))
        .filteredOn(line -> !line.startsWith("#"))
        .hasSameSizeAs(locked)
        .allMatch(line -> line.matches(".* --hash=sha256:[0-9a-f]{64}"));
  }
}
