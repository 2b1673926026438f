package io.elastune.cli.world;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Reads the user's answers to prompts. */
public final class Answer {
  private Answer() {}

  /** Prints a prompt and returns the answer without surrounding blanks; empty if there is none. */
  public static String to(String question, World world, Output output) {
    output.people().print(question + " ");
    output.people().flush();
    return next(world);
  }

  /** Returns the next input line without surrounding blanks; empty if there is none. */
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
