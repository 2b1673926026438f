package io.elastune.inputs;

import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.Installation;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;

/** What reading inputs depends on besides the files: folders, file names for messages, a clock. */
public interface InputEnvironment {
  /** The variable that names the file with the settings of the cloud accounts. */
  String CLOUDS = "ELASTUNE_CLOUDS";

  /** Returns the variable's value, unless it is unset or empty. */
  Optional<String> variable(String name);

  /** Returns the home folder of the user: {@code $HOME}, or that of the operating system. */
  Path userHome();

  /** Returns the folder of runs, journals and profiles. */
  default Path home() {
    return variable("ELASTUNE_HOME")
        .map(this::path)
        .orElseGet(() -> userHome().resolve(".elastune"));
  }

  /** Returns the file with the settings of the cloud accounts; it may not exist. */
  default Path cloudsFile() {
    return variable(CLOUDS).map(this::path).orElseGet(() -> home().resolve("clouds.yaml"));
  }

  /** Resolves a path as the user gave it. */
  Path path(String given);

  /** Returns the name of a file for messages. */
  String displayPath(Path path);

  /** Returns the clock, from whose time a deadline counts. */
  InstantSource clock();

  /** Returns the context for opening clouds. */
  default CloudContext cloudContext() {
    return new CloudContext(home(), cloudsFile(), clock());
  }

  /** Returns a path relative to a folder if it is below it; otherwise the absolute path. */
  static String relative(Path folder, Path absolute) {
    boolean isBelow = absolute.startsWith(folder) && folder.getNameCount() > 0;
    return isBelow && !absolute.equals(folder)
        ? folder.relativize(absolute).toString()
        : absolute.toString();
  }

  /** Returns what is missing for a provider that is not installed, and the remedy. */
  default Optional<Installation.MissingExtra> missingExtra(String provider) {
    return Installation.missingExtra(provider);
  }

  /** Reports a line about inputs that are replaced, such as live prices. */
  void report(String line);
}
