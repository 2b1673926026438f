package io.elastune.cli.estimate;

import io.elastune.core.config.ProfileFile;
import io.elastune.core.profile.Profile;
import java.nio.file.Path;

/** Writes an assumed profile for {@code --profile}, with comments. */
final class AssumedProfileFile {
  private AssumedProfileFile() {}

  /** Returns the text of the file. */
  static String text(Profile profile, String origin) {
    return "# Assumed times of "
        + profile.program()
        + " on "
        + profile.gpu()
        + ": nothing was measured.\n# "
        + origin
        + "\n# Every prediction from this file is marked with ~. Replace it with a measurement:\n"
        + "#   elastune profile job.yaml\n"
        + ProfileFile.write(profile);
  }

  /** Returns {@code file}, with the GPU model in its name if there are several models. */
  static Path path(Path file, String gpu, boolean several) {
    if (!several) {
      return file;
    }
    String name = file.getFileName().toString();
    int dot = name.lastIndexOf('.');
    String base = dot > 0 ? name.substring(0, dot) : name;
    String extension = dot > 0 ? name.substring(dot) : "";
    return file.resolveSibling(base + "-" + gpu + extension);
  }
}
