package io.elastune.core.files;

import io.elastune.core.files.tree.YamlWriter;
import io.elastune.core.profile.Profile;

/** Profile files: what was measured of one training program on one GPU model. */
public final class ProfileFile {
  private ProfileFile() {}

  /**
   * The profile, or everything that is wrong with the file.
   *
   * @param fileName for messages
   */
  public static Parsed<Profile> parse(String fileName, String text) {
    return Reader.parse(fileName, text, ProfileSection.SECTION);
  }

  /** A profile file from which {@link #parse} makes an equal profile. */
  public static String write(Profile profile) {
    return YamlWriter.write(ProfileSection.SECTION.write(profile));
  }
}
