package io.elastune.provisioner.gcp.model;

import io.elastune.core.files.Parsed;
import io.elastune.core.files.Reader;
import io.elastune.core.files.schema.Field;
import io.elastune.core.files.schema.Maps;
import io.elastune.core.files.schema.Section;
import io.elastune.core.files.schema.Texts;
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
          Texts.matching("ID of a project", PROJECT),
          "the project of the credentials",
          ProjectSettings::project,
          "The project to bill.",
          "my-project");
  private static final Field<ProjectSettings, Map<String, RegionSettings>> REGIONS =
      Field.required(
          "regions",
          Maps.ofSome(REGION, "a region such as us-central1", RegionSection.SECTION),
          ProjectSettings::regions,
          "Regions, with the launch settings of each.",
          "");
  private static final Section<ProjectSettings> PROJECT_SECTION =
      Section.of(
          "gcp",
          "Launch settings for Google Cloud.",
          List.of(ID, REGIONS),
          values -> new ProjectSettings(values.find(ID), values.get(REGIONS)));

  private static final Field<Optional<ProjectSettings>, ProjectSettings> GCP =
      Field.optional("gcp", PROJECT_SECTION, "none", some -> some, "Settings of Google Cloud.", "");

  /** Open, because other providers parse their own sections. */
  private static final Section<Optional<ProjectSettings>> SECTION =
      Section.<Optional<ProjectSettings>>of(
              "", "Settings of the cloud accounts.", List.of(GCP), values -> values.find(GCP))
          .open();

  private CloudsFile() {}

  /**
   * Returns the settings, or all problems in them. The settings are empty if the file has no {@code
   * gcp} section.
   *
   * @param fileName the file's name in messages
   */
  public static Parsed<Optional<ProjectSettings>> parse(String fileName, String text) {
    return Reader.parse(fileName, text, SECTION);
  }
}
