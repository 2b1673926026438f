package io.elastune.provisioner.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineSplitterTest {
  @Test
  void allLineEndsSplit() {
    assertThat(read("a\nb\r\nc\rd")).containsExactly("a", "b", "c", "d");
  }

  @Test
  void emptyLinesAreKept() {
    assertThat(read("a\n\nb\r\n\r\nc\n")).containsExactly("a", "", "b", "", "c");
  }

  @Test
  void emptyInputHasNoLines() {
    assertThat(read("")).isEmpty();
  }

  @Test
  void longLineIsTruncated() {
    assertThat(
            read(
                "x".repeat(LineSplitter.MAX_BYTES)
                    + "\n"
                    + "y".repeat(LineSplitter.MAX_BYTES + 1)
                    + "\nz"))
        .containsExactly(
            "x".repeat(LineSplitter.MAX_BYTES), "y".repeat(LineSplitter.MAX_BYTES) + "…", "z");
  }

  private static List<String> read(String text) {
    List<String> lines = new ArrayList<>();
    LineSplitter.read(
        new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)),
        (line, length, cut) ->
            lines.add(new String(line, 0, length, StandardCharsets.UTF_8) + (cut ? "…" : "")));
    return lines;
  }
}
