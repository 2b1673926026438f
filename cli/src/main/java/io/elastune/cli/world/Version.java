package io.elastune.cli.world;

/** Which Elastune this is. */
public final class Version {
  private Version() {}

  /** The jar's version; "development" when run from class folders. */
  public static String text() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }
}
