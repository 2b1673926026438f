package io.elastune.provisioner.gcp.model;

import io.elastune.core.config.FileParser;
import io.elastune.core.config.ParseResult;
import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.MapCodecs;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.codec.StringCodecs;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Parses the Google Cloud section of {@code clouds.yaml}. */
public final class CloudsFile {
  private static final Pattern REGION = Pattern.compile("[a-z]+(-[a-z]+)+[0-9]+");
  private static final Pattern PROJECT =
      Pattern.compile("([a-z0-9.-]+:)?[a-z][a-z0-9-]{4,28}[a-z0-9]");

  private static final Field<ProjectSettings, String> ID =
      Field.optional(
          "project",
          StringCodecs.matching("ID of a project", PROJECT),
          "the project of the credentials",
          ProjectSettings::project,
          "The project to bill.",
          "my-project");
  private static final Field<ProjectSettings, Map<String, RegionSettings>> REGIONS =
      Field.required(
          "regions",
          MapCodecs.nonEmpty(REGION, "a region such as us-central1", RegionSection.SECTION),
          ProjectSettings::regions,
          "Regions, with the launch settings of each.",
          "");
  private static final Section<ProjectSettings> PROJECT_SECTION =
      Section.of(
          "gcp",
          "Launch settings for Google Cloud.",
          List.of(ID, REGIONS),
          fieldValues -> new ProjectSettings(fieldValues.find(ID), fieldValues.get(REGIONS)));

  private static final Field<Optional<ProjectSettings>, ProjectSettings> GCP =
      Field.optional("gcp", PROJECT_SECTION, "none", some -> some, "Settings of Google Cloud.", "");

  /** Open, because other providers parse their own sections. */
  private static final Section<Optional<ProjectSettings>> SECTION =
      Section.<Optional<ProjectSettings>>of(
              "",
              "Settings of the cloud accounts.",
              List.of(GCP),
              fieldValues -> fieldValues.find(GCP))
          .allowUnknownFields();

  private CloudsFile() {}

  /**
   * Returns the settings, or all problems in them. The settings are empty if the file has no {@code
   * gcp} section.
   *
   * @param fileName the file's name in messages
   */
  public static ParseResult<Optional<ProjectSettings>> parse(String fileName, String text) {
    return FileParser.parse(fileName, text, SECTION);
  }
}
