package io.elastune.provisioner.gcp.account;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How instances are rented on Google Cloud.
 *
 * @param project the project's id; empty takes that of the credentials
 * @param regions how instances are made in each region
 */
public record ProjectSettings(Optional<String> project, Map<String, RegionSettings> regions) {
  public ProjectSettings {
    regions = Collections.unmodifiableMap(new LinkedHashMap<>(regions));
  }
}
