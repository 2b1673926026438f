package io.elastune.provisioner.gcp;

import io.elastune.core.config.FileProblem;
import io.elastune.core.config.FileProblemsException;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.gcp.model.CloudsFile;
import io.elastune.provisioner.gcp.model.ProjectSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Reads the Google Cloud section of {@code clouds.yaml}. */
final class SettingsReader {
  private SettingsReader() {}

  /**
   * Returns the settings; empty if the file does not exist or has no {@code gcp} section.
   *
   * @throws CloudException if the file cannot be read
   * @throws FileProblemsException with all problems in the file
   */
  static Optional<ProjectSettings> find(Path file) {
    try {
      return CloudsFile.parse(file.toString(), Files.readString(file)).orThrow();
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new CloudException(
          new CloudFailure.Invalid("Reading " + file + " failed: " + e.getMessage()), e);
    }
  }

  /**
   * Returns the settings.
   *
   * @throws FileProblemsException also if there are no settings for Google Cloud
   */
  static ProjectSettings read(Path file) {
    return find(file)
        .orElseThrow(
            () ->
                new FileProblemsException(
                    List.of(
                        new FileProblem(
                            file.toString(),
                            0,
                            "gcp",
                            "is missing: it defines how instances are created in your project",
                            "see docs/gcp.md for an example"))));
  }
}
