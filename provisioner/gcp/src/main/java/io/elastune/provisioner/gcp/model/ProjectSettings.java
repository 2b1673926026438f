package io.elastune.provisioner.gcp.model;

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
public record ProjectSettings(Optional<String> project, Map<String, RegionSettings> regions) {
  public ProjectSettings {
    regions = Collections.unmodifiableMap(new LinkedHashMap<>(regions));
  }
}
