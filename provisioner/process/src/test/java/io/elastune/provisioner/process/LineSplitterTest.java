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

  @Test
  void markerInLongLineBeginsNewLine() {
    String beyond = "x".repeat(LineSplitter.MAX_BYTES);
    String within = "x".repeat(LineSplitter.MAX_BYTES - 10);

    assertThat(readMarked(beyond + "yyMARK 1\nz")).containsExactly(beyond + "…", "MARK 1", "z");
    assertThat(readMarked(within + "MARK 1234567890\nz"))
        .containsExactly(within, "MARK 1234567890", "z");
    assertThat(readMarked(within + "1234567MARK 1\n"))
        .containsExactly(within + "1234567MAR…", "MARK 1");
    assertThat(readMarked(beyond + "MAMARK 1\n")).containsExactly(beyond + "…", "MARK 1");
  }

  @Test
  void markerInShortLineStaysThere() {
    assertThat(readMarked("a MARK 1 MARK 2\nMARK 3")).containsExactly("a MARK 1 MARK 2", "MARK 3");
  }

  @Test
  void tooLongTextAfterMarkerIsTruncated() {
    String text = "MARK " + "x".repeat(LineSplitter.MAX_BYTES);

    assertThat(readMarked("a " + text + "\nz"))
        .containsExactly("a ", text.substring(0, LineSplitter.MAX_BYTES) + "…", "z");
  }

  private static List<String> read(String text) {
    List<String> lines = new ArrayList<>();
    LineSplitter.read(stream(text), addTo(lines));
    return lines;
  }

  private static List<String> readMarked(String text) {
    List<String> lines = new ArrayList<>();
    LineSplitter.withMarker("MARK ", addTo(lines)).read(stream(text));
    return lines;
  }

  private static ByteArrayInputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  private static LineSplitter.Sink addTo(List<String> lines) {
    return (line, length, cut) ->
        lines.add(new String(line, 0, length, StandardCharsets.UTF_8) + (cut ? "…" : ""));
  }
}
