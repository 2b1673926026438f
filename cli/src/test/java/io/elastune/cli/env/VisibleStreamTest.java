package io.elastune.cli.env;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

class VisibleStreamTest {
  private static final String LOUD = "\u001b[2Jforged\u009b31m\u202e";
  private static final String SHOWN = "\\u001b[2Jforged\\u009b31m\\u202e";

  /** All ways to print a text. */
  static Stream<Consumer<PrintStream>> ways() {
    return Stream.of(
        out -> out.println(LOUD),
        out -> out.print(LOUD + System.lineSeparator()),
        out -> out.println((Object) LOUD),
        out -> out.printf("%s%n", LOUD),
        out -> out.append(LOUD).println());
  }

  @ParameterizedTest
  @MethodSource("ways")
  void printsVisibleCharactersOnly(Consumer<PrintStream> way) {
    assertThat(printed(way)).isEqualTo(SHOWN + System.lineSeparator());
  }

  @Test
  void keepsTheMeaningOfJson() {
    String json = JsonMapper.shared().writeValueAsString(Map.of("name", LOUD));

    assertThat(JsonMapper.shared().readTree(printed(out -> out.println(json))).path("name"))
        .isEqualTo(JsonMapper.shared().readTree(json).path("name"));
  }

  @Test
  void writesBytesAsTheyAre() {
    assertThat(printed(out -> out.writeBytes("\u001b[1A".getBytes(StandardCharsets.UTF_8))))
        .isEqualTo("\u001b[1A");
  }

  private static String printed(Consumer<PrintStream> way) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    CliEnvironment environment =
        new CliEnvironment(
            stream,
            stream,
            InputStream.nullInputStream(),
            Map.of(),
            Path.of(""),
            InstantSource.system(),
            true);
    way.accept(environment.out());
    way.accept(environment.err());
    String both = bytes.toString(StandardCharsets.UTF_8);
    assertThat(both.substring(0, both.length() / 2)).isEqualTo(both.substring(both.length() / 2));
    return both.substring(0, both.length() / 2);
  }
}
