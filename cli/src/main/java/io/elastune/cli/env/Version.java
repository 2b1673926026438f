package io.elastune.cli.env;

/** The version of Elastune. */
public final class Version {
  private Version() {}

  /** Returns the version of the jar, or "development" if run from class folders. */
  public static String text() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }
}
