package io.elastune.cli.world;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** What somebody at the terminal answers. */
public final class Answer {
  private Answer() {}

  /** Asks; gives the answer without blanks around it, empty if there is none. */
  public static String to(String question, World world, Output output) {
    output.people().print(question + " ");
    output.people().flush();
    return next(world);
  }

  /** The next line at the terminal, without blanks around it; empty if there is none. */
  public static String next(World world) {
    try {
      BufferedReader reader =
          new BufferedReader(new InputStreamReader(world.in(), StandardCharsets.UTF_8));
      String line = reader.readLine();
      return line == null ? "" : line.strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
