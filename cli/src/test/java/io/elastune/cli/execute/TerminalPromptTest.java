package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** Tests prompts at the terminal while a run is in progress. */
class TerminalPromptTest {
  private final ByteArrayOutputStream screen = new ByteArrayOutputStream();
  private final Keyboard keyboard = new Keyboard();
  private final TerminalPrompt terminal = terminal();

  @Test
  void lineAnswersPrompt() throws Exception {
    CompletableFuture<String> money = asked("More money?");
    type("  yes ");

    assertThat(money.get()).isEqualTo("yes");
    assertThat(screen.toString(StandardCharsets.UTF_8)).isEqualTo("More money? ");
  }

  @Test
  void lineAnswersLatestPrompt() throws Exception {
    CompletableFuture<String> money = asked("More money?");
    CompletableFuture<String> stop = asked("Stop this run?");
    assertThat(money.get()).as("a superseded prompt").isEmpty();
    type("stop");
    assertThat(stop.get()).isEqualTo("stop");

    CompletableFuture<String> again = asked("More money?");
    type("yes");
    assertThat(again.get()).isEqualTo("yes");
  }

  @Test
  void endOfInputIsEmptyAnswer() throws Exception {
    keyboard.lines.add("");
    assertThat(asked("More money?").get()).isEmpty();
  }

  /** Prompts, and returns once the prompt is on the screen. */
  private CompletableFuture<String> asked(String question) {
    int before = screen.size();
    CompletableFuture<String> answer =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return terminal.prompt(question);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            },
            task -> new Thread(task).start());
    while (screen.size() < before + question.length() + 1) {
      Thread.onSpinWait();
    }
    return answer;
  }

  private void type(String line) {
    keyboard.lines.add(line + "\n");
  }

  private TerminalPrompt terminal() {
    PrintStream out = new PrintStream(screen, true, StandardCharsets.UTF_8);
    CliEnvironment cliEnvironment =
        new CliEnvironment(out, out, keyboard, Map.of(), Path.of(""), InstantSource.system(), true);
    return new TerminalPrompt(cliEnvironment, new Output(cliEnvironment, false));
  }

  /** Supplies each line as soon as it is typed; an empty line is the end of input. */
  private static final class Keyboard extends InputStream {
    final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    @Override
    public int read() {
      throw new UnsupportedOperationException("lines are read as a whole");
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      try {
        byte[] line = lines.take().getBytes(StandardCharsets.UTF_8);
        System.arraycopy(line, 0, buffer, offset, line.length);
        return line.length == 0 ? -1 : line.length;
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
  }
}
