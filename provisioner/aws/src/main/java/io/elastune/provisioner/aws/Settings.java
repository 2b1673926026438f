package io.elastune.provisioner.aws;

import io.elastune.core.files.FileProblem;
import io.elastune.core.files.FileProblemsException;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.aws.account.CloudsFile;
import io.elastune.provisioner.aws.account.RegionSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Reads {@code clouds.yaml}. */
final class Settings {
  private static final String AWS = "aws:";

  private Settings() {}

  /** Whether the file has a part about AWS, right or wrong. */
  static boolean isThere(Path file) {
    try (Stream<String> lines = Files.lines(file)) {
      return lines.anyMatch(line -> line.startsWith(AWS));
    } catch (IOException | UncheckedIOException e) {
      return false; // whoever needs it tells why it cannot be read
    }
  }

  /**
   * The settings by region.
   *
   * @throws CloudException if it cannot be read
   * @throws FileProblemsException with all that is wrong with it, or if there is none
   */
  static Map<String, RegionSettings> read(Path file) {
    try {
      return CloudsFile.parse(file.toString(), Files.readString(file)).orThrow();
    } catch (NoSuchFileException e) {
      FileProblem problem =
          new FileProblem(
              file.toString(),
              0,
              "aws",
              "there is no such file: it says how instances are launched in your AWS account",
              "docs/aws.md shows one");
      throw new FileProblemsException(List.of(problem));
    } catch (IOException e) {
      throw new CloudException(
          new CloudFailure.Invalid(file + " cannot be read: " + e.getMessage()), e);
    }
  }
}
