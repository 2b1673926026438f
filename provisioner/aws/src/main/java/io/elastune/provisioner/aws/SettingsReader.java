package io.elastune.provisioner.aws;

import io.elastune.core.config.FileProblem;
import io.elastune.core.config.FileProblemsException;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.aws.model.CloudsFile;
import io.elastune.provisioner.aws.model.RegionSettings;
import io.elastune.provisioner.aws.sdk.SdkRegions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Reads the AWS section of {@code clouds.yaml}. */
final class SettingsReader {
  private static final String AWS = "aws:";

  private SettingsReader() {}

  /** Returns whether the file has an AWS section, valid or not. */
  static boolean hasSection(Path file) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines.anyMatch(line -> line.startsWith(AWS));
    } catch (IOException | UncheckedIOException e) {
      return false; // read() reports why it cannot be read
    }
  }

  /**
   * Returns the settings by region.
   *
   * @throws CloudException if the file cannot be read
   * @throws FileProblemsException with all problems of the file, or if it is missing
   */
  static Map<String, RegionSettings> read(Path file) {
    try {
      return CloudsFile.parse(file.toString(), Files.readString(file), SdkRegions.names())
          .orThrow();
    } catch (NoSuchFileException e) {
      FileProblem problem =
          new FileProblem(
              file.toString(),
              0,
              "aws",
              "file not found: it defines how instances are launched in your AWS account",
              "see docs/aws.md for an example");
      throw new FileProblemsException(List.of(problem));
    } catch (IOException e) {
      throw new CloudException(
          new CloudFailure.Invalid("Reading " + file + " failed: " + e.getMessage()), e);
    }
  }
}
