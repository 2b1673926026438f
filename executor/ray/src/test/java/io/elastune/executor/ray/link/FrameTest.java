package io.elastune.executor.ray.link;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Tests frames with many drawn contents, cuts and errors. */
class FrameTest {
  private static final JsonMapper JSON = new JsonMapper();

  @Test
  void everySequenceIsReadAsItWasWritten() throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    for (int round = 0; round < 300; round++) {
      List<Frame> frames = draw(random);
      FrameReader reader = new FrameReader(new PiecewiseStream(bytes(frames), random.split()));

      for (Frame expected : frames) {
        Frame actual = reader.read().orElseThrow();
        assertThat(actual.header()).isEqualTo(expected.header());
        assertThat(actual.bytes()).isEqualTo(expected.bytes());
      }
      assertThat(reader.read()).isEmpty();
    }
  }

  @Test
  void everyCutIsAnErrorOrTheEnd() throws IOException {
    SplittableRandom random = new SplittableRandom(2);
    byte[] whole = bytes(List.of(frame(random, 30), frame(random, 0), frame(random, 9)));
    List<Integer> ends = new ArrayList<>();
    for (int length = 0; length < whole.length; length++) {
      FrameReader reader = new FrameReader(new ByteArrayInputStream(whole, 0, length));
      try {
        while (reader.read().isPresent()) {
          assertThat(length).isPositive();
        }
        ends.add(length);
      } catch (EOFException e) {
        assertThat(e).hasMessageContaining("ended");
      }
    }

    assertThat(ends).hasSize(3).contains(0); // and the two ends of whole frames
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\n",
        "no json\n",
        "[1]\n",
        "{\"id\":1\n",
        "{\"bytes\":-1}\n",
        "{\"bytes\":4194305}\n",
        "{\"bytes\":99999999999}\n",
        "{\"bytes\":\"3\"}\nabc"
      })
  void invalidFrameIsAnError(String text) {
    assertThatThrownBy(() -> read(text.getBytes(UTF_8))).isInstanceOf(IOException.class);
  }

  @Test
  void endlessLineIsAnError() {
    byte[] line = "x".repeat(Frame.MAX_LINE + 1).getBytes(UTF_8);

    assertThatThrownBy(() -> read(line))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("longer than");
  }

  @Test
  void garbageNeverFailsInAnotherWay() {
    SplittableRandom random = new SplittableRandom(3);
    for (int round = 0; round < 2000; round++) {
      byte[] garbage = new byte[random.nextInt(200)];
      random.nextBytes(garbage);
      try {
        read(garbage).ifPresent(frame -> assertThat(frame.header()).isNotNull());
      } catch (IOException e) {
        assertThat(e).isNotNull();
      }
    }
  }

  @Test
  void tooLargeFrameIsNotWritten() {
    FrameWriter writer = new FrameWriter(new ByteArrayOutputStream());
    Frame large = new Frame(JSON.createObjectNode(), new byte[Frame.MAX_BYTES + 1]);

    assertThatIllegalArgumentException().isThrownBy(() -> writer.write(large));
  }

  private static Optional<Frame> read(byte[] bytes) throws IOException {
    return new FrameReader(new ByteArrayInputStream(bytes)).read();
  }

  private static List<Frame> draw(SplittableRandom random) {
    List<Frame> frames = new ArrayList<>();
    int count = random.nextInt(6);
    for (int i = 0; i < count; i++) {
      frames.add(frame(random, random.nextBoolean() ? 0 : random.nextInt(5000)));
    }
    return frames;
  }

  private static Frame frame(SplittableRandom random, int size) {
    ObjectNode header = JSON.createObjectNode();
    header.put("id", random.nextInt());
    StringBuilder text = new StringBuilder();
    random.ints(random.nextInt(50), 1, 0xD7FF).forEach(text::appendCodePoint);
    header.put("text", text.toString()); // also line ends and quotes
    byte[] bytes = new byte[size];
    random.nextBytes(bytes);
    return new Frame(header, bytes);
  }

  private static byte[] bytes(List<Frame> frames) throws IOException {
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    FrameWriter writer = new FrameWriter(stream);
    for (Frame frame : frames) {
      writer.write(frame);
    }
    return stream.toByteArray();
  }

  /** Delivers its bytes in pieces of drawn sizes, as a pipe does. */
  private static final class PiecewiseStream extends InputStream {
    private final InputStream bytes;
    private final SplittableRandom random;

    PiecewiseStream(byte[] bytes, SplittableRandom random) {
      this.bytes = new ByteArrayInputStream(bytes);
      this.random = random;
    }

    @Override
    public int read() throws IOException {
      return bytes.read();
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      return bytes.read(target, offset, Math.min(length, 1 + random.nextInt(700)));
    }
  }
}
