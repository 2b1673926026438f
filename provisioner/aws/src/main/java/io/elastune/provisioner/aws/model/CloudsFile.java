package io.elastune.provisioner.aws.model;

import io.elastune.core.config.FileParser;
import io.elastune.core.config.ParseResult;
import io.elastune.core.config.codec.MapCodecs;
import io.elastune.core.config.codec.MapCodecs.ListedNames;
import io.elastune.core.config.codec.RecordSection;
import io.elastune.core.config.codec.Section;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Parses the AWS section of {@code clouds.yaml}: settings by region. */
public final class CloudsFile {
  private static final Pattern REGION = Pattern.compile("[a-z]{2}(-[a-z]+)+-[0-9]+");

  /** Sections of other providers are ignored. */
  @FileSection(title = "", doc = "Settings of the cloud accounts.")
  private record AwsRegions(
      @FileField(doc = "Regions, with the launch settings of each.", example = "")
          Map<String, RegionSettings> aws) {}

  private static Section<AwsRegions> section(Set<String> regions) {
    ListedNames listed =
        new ListedNames(
            regions, "is no region of AWS that this version of Elastune knows", "new_region");
    return RecordSection.define(AwsRegions.class)
        .codec(
            Aws.PROVIDER,
            MapCodecs.nonEmpty(REGION, "a region such as us-east-1", listed, RegionSection.SECTION))
        .section()
        .allowUnknownFields();
  }

  private CloudsFile() {}

  /**
   * Returns the settings by region, in the order of the file, or all problems of the file.
   *
   * @param fileName the file name in messages
   * @param regions the regions that AWS has
   */
  public static ParseResult<Map<String, RegionSettings>> parse(
      String fileName, String text, Set<String> regions) {
    return FileParser.parse(fileName, text, section(regions)).map(AwsRegions::aws);
  }
}
