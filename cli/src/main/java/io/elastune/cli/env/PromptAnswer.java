package io.elastune.cli.env;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Reads the user's answers to prompts. */
public final class PromptAnswer {
  private PromptAnswer() {}

  /** Prints a prompt and returns the answer without surrounding blanks; empty if there is none. */
  public static String prompt(String question, CliEnvironment cliEnvironment, Output output) {
    output.text().print(question + " ");
    output.text().flush();
    Optional<String> line = line(cliEnvironment);
    if (line.isEmpty()) {
      output.text().println(); // the end of input does not end the line
    }
    return line.orElse("");
  }

  /** Returns whether an answer confirms: {@code yes} or {@code y}, in any case. */
  public static boolean isYes(String answer) {
    return answer.equalsIgnoreCase("yes") || answer.equalsIgnoreCase("y");
  }

  /** Returns the next input line without surrounding blanks; empty if there is none. */
  public static String readLine(CliEnvironment cliEnvironment) {
    return line(cliEnvironment).orElse("");
  }

  private static Optional<String> line(CliEnvironment cliEnvironment) {
    try {
      BufferedReader reader =
          new BufferedReader(new InputStreamReader(cliEnvironment.in(), StandardCharsets.UTF_8));
      return Optional.ofNullable(reader.readLine()).map(String::strip);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
