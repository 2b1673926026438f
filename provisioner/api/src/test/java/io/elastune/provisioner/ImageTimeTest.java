package io.elastune.provisioner;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImageTimeTest {
  private static final String LINE = "elastune: the image was pulled in %d s%n";

  @TempDir Path folder;

  private OptionalDouble read(String text) throws IOException {
    return ImageTime.inLog(Files.writeString(folder.resolve("setup.log"), text));
  }

  /** A setup that was repeated appends to its log. */
  @Test
  void lastLineOfTheLogCounts() throws IOException {
    assertThat(read("pip\n" + LINE.formatted(9) + "pip\n" + LINE.formatted(41))).hasValue(41);
    assertThat(read("x".repeat(100_000) + "\n" + LINE.formatted(7))).hasValue(7);
  }

  @Test
  void logWithoutTheLineHasNoTime() throws IOException {
    assertThat(read("")).isEmpty();
    assertThat(read("the image was pulled in 3 s\n")).isEmpty();
    assertThat(ImageTime.inLog(folder.resolve("absent.log"))).isEmpty();
  }

  @Test
  void preparationHasTheTimeOfItsSetup() throws IOException {
    Path log = Files.writeString(folder.resolve("setup.log"), LINE.formatted(30));
    NodeSetup setup = new NodeSetup("true", "/", Map.of(), log.toString());

    assertThat(NodePreparation.of(Optional.of("b"), setup, 41.5))
        .isEqualTo(
            new NodePreparation(
                Optional.of("b"),
                OptionalDouble.of(41.5),
                OptionalDouble.of(30),
                OptionalDouble.empty()));
    assertThat(NodePreparation.withoutSetup(Optional.empty()).imageS()).isEmpty();
  }
}
