package io.elastune.cli.guide;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.elastune.cli.CommandLineApp;
import io.elastune.cli.env.CliEnvironment;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Executes the commands of {@code guide/elastune.sh} in this process, each in a thread: most of the
 * processor time of a command is the start of its process.
 */
final class CommandServerMain {
  static final String CALLS = "calls";

  private static final int FAILED = 99;

  private CommandServerMain() {}

  /** The argument is the folder with the pipe from which it reads calls. It never ends. */
  public static void main(String[] arguments) throws IOException {
    // Open for both directions, so that it does not end with a client.
    try (RandomAccessFile pipe =
            new RandomAccessFile(Path.of(arguments[0]).resolve(CALLS).toFile(), "rw");
        BufferedReader calls =
            new BufferedReader(new InputStreamReader(new FileInputStream(pipe.getFD()), UTF_8))) {
      for (String call = calls.readLine(); call != null; call = calls.readLine()) {
        Path folder = Path.of(call);
        new Thread(() -> answer(folder), call).start();
      }
    }
  }

  private static void answer(Path call) {
    int exit = FAILED;
    try {
      exit = execute(call);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      end(call, exit);
    }
  }

  private static void end(Path call, int exit) {
    try {
      Files.writeString(call.resolve("exit"), exit + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int execute(Path call) throws IOException {
    Map<String, String> variables = new LinkedHashMap<>();
    words(call.resolve("variables"))
        .map(word -> word.split("=", 2))
        .forEach(parts -> variables.put(parts[0], parts[1]));
    List<String> arguments = words(call.resolve("arguments")).toList();
    Path folder = Path.of(Files.readString(call.resolve("folder")).stripTrailing());
    try (PrintStream out = stream(call.resolve("out"));
        PrintStream err = stream(call.resolve("err"));
        InputStream in = Files.newInputStream(call.resolve("in"))) {
      CliEnvironment cliEnvironment =
          new CliEnvironment(out, err, in, variables, folder, InstantSource.system(), false);
      return new CommandLineApp(cliEnvironment).run(arguments.toArray(String[]::new));
    }
  }

  /** Returns the parts of a file that end with NUL. */
  private static Stream<String> words(Path file) throws IOException {
    return Stream.of(Files.readString(file).split("\0", -1)).filter(word -> !word.isEmpty());
  }

  private static PrintStream stream(Path pipe) throws IOException {
    return new PrintStream(Files.newOutputStream(pipe), true, UTF_8);
  }
}
