package io.elastune.cli.env;

import java.util.Optional;

/** The version of Elastune, and the build that runs. */
public final class Version {
  /** Set by the launcher: the commit of the build, with the suffix "-dirty" for changed files. */
  private static final String COMMIT = "elastune.commit";

  /** Set by the launcher: "release", or empty in a checkout. */
  private static final String BUILD = "elastune.build";

  private static final String DIRTY = "-dirty";

  private Version() {}

  /** Returns the version of the jar, or "development" if run from class folders. */
  public static String text() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  /** Returns version, commit and build, such as "0.1.0 (commit 1b821a57aa01, release)". */
  public static String withBuild() {
    return withBuild(
        text(),
        Optional.ofNullable(System.getProperty(COMMIT)),
        Optional.ofNullable(System.getProperty(BUILD)));
  }

  static String withBuild(String version, Optional<String> commit, Optional<String> build) {
    String name = commit.filter(text -> !text.isEmpty()).orElse("unknown");
    boolean dirty = name.endsWith(DIRTY);
    String clean = dirty ? name.substring(0, name.length() - DIRTY.length()) : name;
    return version
        + " (commit "
        + clean
        + (dirty ? ", dirty" : "")
        + ", "
        + build.filter(text -> !text.isEmpty()).orElse("checkout")
        + ")";
  }
}
