package io.elastune.executor.ray.rented;

import io.elastune.core.config.FileParser;
import io.elastune.core.config.codec.Codec;
import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.NumberCodecs;
import io.elastune.core.config.codec.QuantityCodecs;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.codec.StringCodecs;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Parses the section {@code rented_nodes} of {@code clouds.yaml}. */
final class RentedSection {
  private static final int LARGEST_PORT = 65535;

  /** The scripts of instances quote paths, so they must not contain quotes. */
  private static final Codec<String> PATH =
      StringCodecs.matching("path such as /opt/ray", Pattern.compile("/[A-Za-z0-9_.+/-]*"));

  private static final Field<RentedSettings, String> HEAD_ADDRESS =
      Field.optional(
          "head_address",
          StringCodecs.matching("host name or address", Pattern.compile("[A-Za-z0-9.-]+")),
          "the primary address of this machine",
          RentedSettings::headAddress,
          "The address of this machine at which instances reach the head of the Ray cluster.",
          "10.0.0.5");
  private static final Field<RentedSettings, Integer> HEAD_PORT =
      Field.withDefault(
          "head_port",
          NumberCodecs.wholeNumber(0, LARGEST_PORT),
          0,
          RentedSettings::headPort,
          "The port of the head; 0 for any free one.",
          "6379");
  private static final Field<RentedSettings, String> HEAD_PYTHON =
      Field.optional(
          "head_python",
          StringCodecs.text(),
          "python3",
          RentedSettings::headPython,
          "The Python interpreter of this machine that has Ray.",
          "/opt/ray/bin/python");
  private static final Field<RentedSettings, String> PYTHON =
      Field.optional(
          "python",
          PATH,
          "none: each instance installs Ray",
          RentedSettings::python,
          "The Python interpreter in the machine image that has Ray.",
          "/opt/ray/bin/python");
  private static final Field<RentedSettings, String> FOLDER =
      Field.withDefault(
          "folder",
          PATH,
          RentedSettings.DEFAULT.folder(),
          RentedSettings::folder,
          "The folder for code, checkpoints and logs on instances.",
          "/mnt/elastune");
  private static final Field<RentedSettings, Duration> JOIN_TIMEOUT =
      Field.withDefault(
          "join_timeout",
          QuantityCodecs.duration(Duration.ofSeconds(10)),
          RentedSettings.DEFAULT.joinTimeout(),
          RentedSettings::joinTimeout,
          "How long a booted instance may take to join the Ray cluster.",
          "5m");
  private static final Section<RentedSettings> SECTION =
      Section.of(
          "rented_nodes",
          "Settings of rented instances that join a Ray cluster.",
          List.of(HEAD_ADDRESS, HEAD_PORT, HEAD_PYTHON, PYTHON, FOLDER, JOIN_TIMEOUT),
          fieldValues ->
              new RentedSettings(
                  fieldValues.find(HEAD_ADDRESS),
                  fieldValues.get(HEAD_PORT),
                  fieldValues.find(HEAD_PYTHON),
                  fieldValues.find(PYTHON),
                  fieldValues.get(FOLDER),
                  fieldValues.get(JOIN_TIMEOUT)));
  private static final Field<Optional<RentedSettings>, RentedSettings> NODES =
      Field.optional("rented_nodes", SECTION, "defaults", some -> some, "Rented instances.", "");

  /** Open, because providers parse their own sections. */
  private static final Section<Optional<RentedSettings>> FILE =
      Section.<Optional<RentedSettings>>of(
              "",
              "Settings of the cloud accounts.",
              List.of(NODES),
              fieldValues -> fieldValues.find(NODES))
          .allowUnknownFields();

  private RentedSection() {}

  /**
   * Returns the settings in a file; defaults if it or the section is missing.
   *
   * @throws io.elastune.core.config.FileProblemsException with all problems of the section
   * @throws CloudException if the file cannot be read
   */
  static RentedSettings read(Path file) {
    try {
      return FileParser.parse(file.toString(), Files.readString(file), FILE)
          .orThrow()
          .orElse(RentedSettings.DEFAULT);
    } catch (NoSuchFileException e) {
      return RentedSettings.DEFAULT;
    } catch (IOException e) {
      throw new CloudException(
          new CloudFailure.Invalid("Reading " + file + " failed: " + e.getMessage()), e);
    }
  }
}
