package io.elastune.provisioner.aws.model;

import io.elastune.core.files.Parsed;
import io.elastune.core.files.Reader;
import io.elastune.core.files.schema.Field;
import io.elastune.core.files.schema.Maps;
import io.elastune.core.files.schema.Section;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Parses the AWS section of {@code clouds.yaml}: settings by region. */
public final class CloudsFile {
  private static final Pattern REGION = Pattern.compile("[a-z]{2}(-[a-z]+)+-[0-9]+");

  private static final Field<Map<String, RegionSettings>, Map<String, RegionSettings>> AWS =
      Field.required(
          "aws",
          Maps.ofSome(REGION, "a region such as us-east-1", RegionSection.SECTION),
          regions -> regions,
          "Regions, with the launch settings of each.",
          "");

  /** Sections of other providers are ignored. */
  private static final Section<Map<String, RegionSettings>> SECTION =
      Section.<Map<String, RegionSettings>>of(
              "", "Settings of the cloud accounts.", List.of(AWS), values -> values.get(AWS))
          .open();

  private CloudsFile() {}

  /**
   * Returns the settings by region, in the order of the file, or all problems of the file.
   *
   * @param fileName the file name in messages
   */
  public static Parsed<Map<String, RegionSettings>> parse(String fileName, String text) {
    return Reader.parse(fileName, text, SECTION);
  }
}
