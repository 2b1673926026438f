package io.elastune.cli.execute;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.env.PromptAnswer;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ExitCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Decides which code a resumed run uses if the code in the workdir or the job has changed. */
final class CodePrompt {
  private static final int MOST_NAMED = 3;

  private final CliEnvironment cliEnvironment;
  private final Output output;

  CodePrompt(CliEnvironment cliEnvironment, Output output) {
    this.cliEnvironment = cliEnvironment;
    this.output = output;
  }

  /**
   * Asks the user.
   *
   * @param command the command that resumes the run, without its choice of code
   * @param changes the files that differ from the snapshot of the run
   * @param jobChanges how the job file differs from that of the run
   * @throws CommandFailure if no terminal is attached, or the answer is none of the choices
   */
  CodeChoice choose(String command, List<String> changes, JobChanges jobChanges) {
    List<String> whats = new ArrayList<>();
    if (!changes.isEmpty()) {
      whats.add("the code has changed since the snapshot of the run: " + named(changes));
    }
    if (!jobChanges.isEmpty()) {
      whats.add(jobChanges.text());
    }
    if (!cliEnvironment.terminal()) {
      throw undecided(command, String.join("; ", whats), jobChanges);
    }
    for (String what : whats) {
      output
          .text()
          .println(what.substring(0, 1).toUpperCase(Locale.ROOT) + what.substring(1) + ".");
    }
    jobChanges.remedies().forEach(output.text()::println);
    if (changes.isEmpty()) {
      String answer = ask("Type 'yes' to resume the run with its own job:");
      if (PromptAnswer.isYes(answer)) {
        return CodeChoice.SNAPSHOT;
      }
      return choice(answer)
          .orElseThrow(() -> undecided(command, "the run was not resumed", jobChanges));
    }
    return choice(
            ask(
                (jobChanges.isEmpty() ? "" : "The run keeps its own job. ")
                    + "Type 'current' to continue with the present code of the workdir, or"
                    + " 'snapshot' with the code that the run has used so far:"))
        .orElseThrow(() -> undecided(command, "no code was chosen", jobChanges));
  }

  private String ask(String question) {
    return PromptAnswer.prompt(question, cliEnvironment, output);
  }

  private static Optional<CodeChoice> choice(String answer) {
    return Arrays.stream(CodeChoice.values())
        .filter(choice -> choice.word().equalsIgnoreCase(answer))
        .findFirst();
  }

  private static String named(List<String> changes) {
    int more = changes.size() - MOST_NAMED;
    return String.join(", ", changes.subList(0, Math.min(MOST_NAMED, changes.size())))
        + (more > 0 ? " and " + more + " more" : "");
  }

  private static CommandFailure undecided(String command, String why, JobChanges jobChanges) {
    return CommandFailure.of(
        ExitCode.NOT_CONFIRMED,
        "--code",
        why,
        "choose: "
            + command
            + " --code current (the code in the workdir) or --code snapshot (as before); the run"
            + " keeps its own job in both cases"
            + jobChanges.remedies().stream()
                .map(remedy -> ". " + remedy)
                .collect(Collectors.joining()));
  }
}
