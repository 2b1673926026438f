package io.elastune.provisioner.aws.model;

import io.elastune.core.config.FileParser;
import io.elastune.core.config.ParseResult;
import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.MapCodecs;
import io.elastune.core.config.codec.Section;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Parses the AWS section of {@code clouds.yaml}: settings by region. */
public final class CloudsFile {
  private static final Pattern REGION = Pattern.compile("[a-z]{2}(-[a-z]+)+-[0-9]+");

  private static final Field<Map<String, RegionSettings>, Map<String, RegionSettings>> AWS =
      Field.required(
          "aws",
          MapCodecs.nonEmpty(REGION, "a region such as us-east-1", RegionSection.SECTION),
          regions -> regions,
          "Regions, with the launch settings of each.",
          "");

  /** Sections of other providers are ignored. */
  private static final Section<Map<String, RegionSettings>> SECTION =
      Section.<Map<String, RegionSettings>>of(
              "",
              "Settings of the cloud accounts.",
              List.of(AWS),
              fieldValues -> fieldValues.get(AWS))
          .allowUnknownFields();

  private CloudsFile() {}

  /**
   * Returns the settings by region, in the order of the file, or all problems of the file.
   *
   * @param fileName the file name in messages
   */
  public static ParseResult<Map<String, RegionSettings>> parse(String fileName, String text) {
    return FileParser.parse(fileName, text, SECTION);
  }
}
