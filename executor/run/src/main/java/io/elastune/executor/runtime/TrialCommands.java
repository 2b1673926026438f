package io.elastune.executor.runtime;

import io.elastune.core.ShellWord;
import io.elastune.core.job.CommandTemplate;
import io.elastune.core.job.TrialSpec;
import io.elastune.core.search.ConfigurationCodec;
import io.elastune.provisioner.ImageTime;
import io.elastune.provisioner.PreparationStep;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Builds the shell commands of a job as instances execute them: the interpreter of {@code
 * trial.python} comes first on the {@code PATH}. An instance without it, or without the container
 * image of the job, fails in its setup.
 */
final class TrialCommands {
  private final TrialSpec trial;

  TrialCommands(TrialSpec trial) {
    this.trial = trial;
  }

  /**
   * Returns the command of one worker.
   *
   * @param configuration the values of its placeholders, as for JSON
   * @param hyperparameters the names that are placeholders
   */
  String run(Map<String, Object> configuration, Set<String> hyperparameters) {
    return trial.python().map(TrialCommands::path).orElse("")
        + new CommandTemplate(trial.run())
            .expand(ConfigurationCodec.ofJava(configuration), hyperparameters);
  }

  /** Returns the command that prepares an instance; empty if nothing has to be done or checked. */
  Optional<String> setup() {
    return trial
        .python()
        .map(python -> path(python) + trial.setup().map(TrialCommands::nested).orElse("") + check())
        .or(() -> trial.image().map(this::setupOfImage))
        .or(trial::setup);
  }

  /** The user's commands may log in to a registry, or build the image. */
  private String setupOfImage(String image) {
    String name = ShellWord.quoted(image);
    return "docker version --format '{{.Server.Version}}' >/dev/null || "
        + fail(
            PreparationStep.IMAGE.exit(),
            "trial.image: no Docker engine answers on this instance; install Docker, use a machine"
                + " image that has it, or leave out trial.image")
        + "; "
        + trial.setup().map(TrialCommands::nested).orElse("")
        + ImageTime.printed(
            "docker image inspect "
                + name
                + " >/dev/null 2>&1 || docker pull --quiet "
                + name
                + " || "
                + fail(
                    PreparationStep.IMAGE.exit(),
                    "trial.image: this instance cannot pull "
                        + image
                        + "; correct the name, or log in to its registry in trial.setup"));
  }

  /** In a shell of its own, the user's commands cannot skip the check with {@code exit}. */
  private static String nested(String commands) {
    return "( " + commands + "\n)\n";
  }

  /** Starts on the first line, so that messages of the shell have the user's line numbers. */
  private static String path(String python) {
    String folder = python.substring(0, python.lastIndexOf('/'));
    String prefix = python.startsWith("/") ? "" : "$PWD/";
    return "export PATH=\"" + prefix + "\"" + ShellWord.quoted(folder) + "\":$PATH\"; ";
  }

  /** Starts the interpreter: the links of a virtual environment may lead nowhere. */
  private String check() {
    String python = trial.python().orElseThrow();
    String message =
        "trial.python: "
            + python
            + " does not run on this instance; create it in trial.setup, or correct the path";
    return ShellWord.quoted(python) + " -c '' || " + fail(1, message);
  }

  private static String fail(int exit, String message) {
    return "{ echo " + ShellWord.quoted(message) + " >&2; exit " + exit + "; }";
  }
}
