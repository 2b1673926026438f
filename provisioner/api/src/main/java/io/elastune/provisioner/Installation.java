package io.elastune.provisioner;

import java.util.Optional;
import java.util.Set;

/**
 * How Elastune is installed from wheels, which have the libraries of clouds as extras: see "Wheels"
 * in docs/install.md.
 */
public final class Installation {
  /**
   * Whether the package index has Elastune. Messages follow this constant by themselves, README and
   * docs after the command in InstallationDocsTest.
   */
  static final boolean PUBLISHED = false;

  /** Where installers find the wheels until then. */
  private static final String SOURCE = "--no-index --find-links ";

  private static final Set<String> EXTRAS = Set.of("aws", "gcp");

  private Installation() {}

  /** What is missing, and how it is installed. */
  public record MissingExtra(String reason, String remedy) {}

  /**
   * Returns the options with which installers find the wheels, followed by a space if there are
   * any.
   *
   * @param folder with the wheels of the release build
   */
  static String source(boolean published, String folder) {
    return published ? "" : SOURCE + folder + " ";
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
    return missing(PUBLISHED, user, wheel, extra);
  }

  static MissingExtra missing(boolean published, String user, String wheel, String extra) {
    String command = "pip install %s'elastune[%s]'".formatted(source(published, "FOLDER"), extra);
    return new MissingExtra(
        user + " needs the wheel " + wheel + ", which is not installed",
        published ? command : command + ", where FOLDER has the wheels of the release build");
  }

  private static Optional<String> extra(String provider) {
    // Buckets have schemes of their own.
    String name = provider.equals("s3") ? "aws" : provider.equals("gs") ? "gcp" : provider;
    return EXTRAS.contains(name) ? Optional.of(name) : Optional.empty();
  }
}
