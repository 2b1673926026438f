package io.elastune.cli.text;

import io.elastune.core.ShellWord;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Commands with a job file that messages suggest. If the job is a dict of a Python program, they
 * are functions of the library: its file exists only while a command needs it.
 */
public final class JobCommand {
  /** The file of a dict: see {@code _JobFile} in python/elastune/_api.py. */
  private static final Pattern OF_DICT =
      Pattern.compile("(?:.*/)?\\.elastune-[A-Za-z0-9-]*-[0-9]+-[0-9]+\\.yaml");

  private JobCommand() {}

  /** Returns a job file as users know it; empty for a dict. */
  public static Optional<String> file(String jobFile) {
    return OF_DICT.matcher(jobFile).matches() ? Optional.empty() : Optional.of(jobFile);
  }

  /** Returns a command, such as {@code elastune profile job.yaml}. */
  public static String of(String command, String jobFile) {
    return file(jobFile)
        .map(file -> "elastune " + command + " " + ShellWord.of(file))
        .orElse("elastune." + command + "(job)");
  }

  /** Returns the command that executes a job in simulated time. */
  public static String simulated(String jobFile) {
    return file(jobFile).isPresent()
        ? of("run", jobFile) + " --infra simulated"
        : "elastune.run(job, infra=[\"simulated\"])";
  }
}
