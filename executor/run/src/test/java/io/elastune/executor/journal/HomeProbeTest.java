package io.elastune.executor.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HomeProbeTest {
  @TempDir Path folder;

  /** Each probe of a new home removes it again, while others create their folder in it. */
  @Test
  void probesOfOneNewHomeDoNotDisturbEachOther() {
    List<Optional<String>> problems =
        IntStream.range(0, 200)
            .parallel()
            .mapToObj(probe -> probe(folder.resolve("home")))
            .toList();

    assertThat(problems).allMatch(Optional::isEmpty);
    assertThat(folder.resolve("home").toFile().list()).as("left in the home").isNullOrEmpty();
  }

  private static Optional<String> probe(Path home) {
    try {
      return HomeProbe.problem(home);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
