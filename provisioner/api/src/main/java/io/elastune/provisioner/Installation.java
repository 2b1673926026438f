package io.elastune.provisioner;

import java.util.Optional;
import java.util.Set;

/**
 * How Elastune is installed from wheels, which have the libraries of clouds as extras: see "Wheels"
 * in docs/install.md.
 */
public final class Installation {
  /**
   * Where installers find the wheels; empty once they are on the package index. README, docs and
   * messages follow this constant.
   */
  static final String SOURCE = "--no-index --find-links FOLDER ";

  /** The folder of the wheels in a checkout, after a build of the release. */
  public static final String BUILT = "cli/target/release";

  private static final Set<String> EXTRAS = Set.of("aws", "gcp");

  private Installation() {}

  /** What is missing, and how it is installed. */
  public record MissingExtra(String reason, String remedy) {}

  /**
   * Returns the command that installs Elastune.
   *
   * @param folder with the wheels
   * @param extra {@code [aws]}, for example, or empty
   */
  public static String command(String folder, String extra) {
    String what = extra.isEmpty() ? "elastune" : "'elastune[" + extra + "]'";
    return "pip install " + SOURCE.replace("FOLDER", folder) + what;
  }

  /** Returns the extra with the libraries of a provider, if it is one and is not installed. */
  public static Optional<MissingExtra> missingExtra(String provider) {
    return CloudProviders.named(provider).isPresent()
        ? Optional.empty()
        : extra(provider).map(name -> missing(provider, "elastune_" + name, name));
  }

  /** Returns that the files for rented instances are missing, which all extras install. */
  public static MissingExtra missingNodes() {
    return missing("the node runtime", "elastune_nodes", "aws");
  }

  private static MissingExtra missing(String user, String wheel, String extra) {
    String source = SOURCE.isEmpty() ? "" : ", where FOLDER has the wheels of the release build";
    return new MissingExtra(
        user + " needs the wheel " + wheel + ", which is not installed",
        command("FOLDER", extra) + source);
  }

  private static Optional<String> extra(String provider) {
    // Buckets have schemes of their own.
    String name = provider.equals("s3") ? "aws" : provider.equals("gs") ? "gcp" : provider;
    return EXTRAS.contains(name) ? Optional.of(name) : Optional.empty();
  }
}
