package io.elastune.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** The command {@code elastune}. */
@Command(
    name = "elastune",
    description = "Plans and carries out hyperparameter tuning within a deadline and a budget.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class)
public final class Main {

  private Main() {}

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new Main()).execute(args));
  }

  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String built = Main.class.getPackage().getImplementationVersion();
      return new String[] {"elastune " + (built == null ? "(unpackaged)" : built)};
    }
  }
}
