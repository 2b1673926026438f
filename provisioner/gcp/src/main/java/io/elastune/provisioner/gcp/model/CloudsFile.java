package io.elastune.provisioner.gcp.model;

import io.elastune.core.config.FileParser;
import io.elastune.core.config.ParseResult;
import io.elastune.core.config.codec.MapCodecs;
import io.elastune.core.config.codec.MapCodecs.ListedNames;
import io.elastune.core.config.codec.RecordSection;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.codec.StringCodecs;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import io.elastune.provisioner.remote.CsvResource;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Parses the Google Cloud section of {@code clouds.yaml}. */
public final class CloudsFile {
  private static final Pattern REGION = Pattern.compile("[a-z]+(-[a-z]+)+[0-9]+");
  private static final Pattern PROJECT =
      Pattern.compile("([a-z0-9.-]+:)?[a-z][a-z0-9-]{4,28}[a-z0-9]");

  private static final ListedNames REGIONS =
      new ListedNames(
          CsvResource.required(CloudsFile.class, "regions.csv").stream()
              .map(cells -> cells.get(0))
              .collect(Collectors.toSet()),
          "is no region of Google Cloud that this version of Elastune knows",
          "new_region");

  private static final Section<ProjectSettings> PROJECT_SECTION =
      RecordSection.define(ProjectSettings.class)
          .codec("project", StringCodecs.matching("ID of a project", PROJECT))
          .codec(
              "regions",
              MapCodecs.nonEmpty(
                  REGION, "a region such as us-central1", REGIONS, RegionSection.SECTION))
          .section();

  /** Sections of other providers are ignored. */
  @FileSection(title = "", doc = "Settings of the cloud accounts.")
  private record GcpAccount(
      @FileField(doc = "Settings of Google Cloud.", without = "none", example = "")
          Optional<ProjectSettings> gcp) {}

  private static final Section<GcpAccount> SECTION =
      RecordSection.define(GcpAccount.class)
          .codec(Gcp.PROVIDER, PROJECT_SECTION)
          .section()
          .allowUnknownFields();

  private CloudsFile() {}

  /**
   * Returns the settings, or all problems in them. The settings are empty if the file has no {@code
   * gcp} section.
   *
   * @param fileName the file's name in messages
   */
  public static ParseResult<Optional<ProjectSettings>> parse(String fileName, String text) {
    return FileParser.parse(fileName, text, SECTION).map(GcpAccount::gcp);
  }
}
