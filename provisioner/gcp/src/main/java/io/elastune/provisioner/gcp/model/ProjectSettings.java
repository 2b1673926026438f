package io.elastune.provisioner.gcp.model;

import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The settings for Google Cloud in {@code clouds.yaml}.
 *
 * @param project the project's ID; empty for that of the credentials
 * @param regions the settings by region
 */
@FileSection(title = "gcp", doc = "Launch settings for Google Cloud.")
public record ProjectSettings(
    @FileField(
            doc = "The project to bill.",
            without = "the project of the credentials",
            example = "my-project")
        Optional<String> project,
    @FileField(doc = "Regions, with the launch settings of each.", example = "")
        Map<String, RegionSettings> regions) {
  public ProjectSettings {
    regions = Collections.unmodifiableMap(new LinkedHashMap<>(regions));
  }
}
