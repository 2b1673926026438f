package io.elastune.executor.ray.rented;

import io.elastune.core.config.FileParser;
import io.elastune.core.config.codec.Codec;
import io.elastune.core.config.codec.ListCodecs;
import io.elastune.core.config.codec.RecordSection;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.codec.StringCodecs;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import io.elastune.executor.ray.acceptance.AcceptanceSettings;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** Parses the section {@code rented_nodes} of {@code clouds.yaml}. */
final class RentedSection {
  /** The scripts of instances quote paths, so they must not contain quotes. */
  private static final Codec<String> PATH =
      StringCodecs.matching("path such as /opt/ray", Pattern.compile("/[A-Za-z0-9_.+/-]*"));

  private static final String REGION = "[a-z]+(-[a-z]+)+-?[0-9]+";

  /** Providers parse their own sections. */
  @FileSection(title = "", doc = "Settings of the cloud accounts.")
  private record RentedFile(
      @FileField(doc = "Rented instances.", without = "defaults", example = "")
          RentedSettings rentedNodes) {}

  private static final Section<RentedSettings> NODES =
      RecordSection.define(RentedSettings.class)
          .codec(
              "headAddress",
              StringCodecs.matching("host name or address", Pattern.compile("[A-Za-z0-9.-]+")))
          .codec("python", PATH)
          .codec("folder", PATH)
          .codec(
              "connectedRegions",
              ListCodecs.distinct(
                  StringCodecs.matching("region such as us-east-1", Pattern.compile(REGION))))
          .codec("acceptance", AcceptanceSettings.section(AcceptanceSettings.DEFAULT))
          .defaults(RentedSettings.DEFAULT)
          .section();
  private static final Section<RentedFile> FILE =
      RecordSection.define(RentedFile.class)
          .codec("rentedNodes", NODES)
          .section()
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
          .rentedNodes();
    } catch (NoSuchFileException e) {
      return RentedSettings.DEFAULT;
    } catch (IOException e) {
      throw new CloudException(
          new CloudFailure.Invalid("Reading " + file + " failed: " + e.getMessage()), e);
    }
  }
}
