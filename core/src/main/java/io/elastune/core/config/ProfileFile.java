package io.elastune.core.config;

import io.elastune.core.config.yaml.YamlWriter;
import io.elastune.core.profile.Profile;

/** Reads and writes profile files: the measurements of one training program on one GPU model. */
public final class ProfileFile {
  private ProfileFile() {}

  /**
   * Returns the profile, or all problems of the file.
   *
   * @param fileName file name used in messages
   */
  public static ParseResult<Profile> parse(String fileName, String text) {
    return FileParser.parse(fileName, text, ProfileSection.SECTION);
  }

  /** Returns a profile file from which {@link #parse} reads an equal profile. */
  public static String write(Profile profile) {
    return YamlWriter.write(ProfileSection.SECTION.write(profile));
  }
}
