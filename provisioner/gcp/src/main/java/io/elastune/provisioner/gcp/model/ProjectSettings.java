package io.elastune.provisioner.gcp.model;

import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
  /** The network that a project has from the start, with a subnetwork of that name per region. */
  public static final String DEFAULT_NETWORK = "default";

  private static final Pattern IN_PROJECT = Pattern.compile("(?:^|/)projects/([^/]+)/");

  public ProjectSettings {
    regions = Collections.unmodifiableMap(new LinkedHashMap<>(regions));
  }

  /**
   * Returns the network of the instances in a region, as far as the settings show it: {@link
   * #DEFAULT_NETWORK}, the project of a subnetwork that is given by its full path, or {@code own}.
   */
  public String networkOf(String region) {
    return Optional.ofNullable(regions.get(region))
        .flatMap(RegionSettings::subnetwork)
        .map(ProjectSettings::networkOfSubnetwork)
        .orElse(DEFAULT_NETWORK);
  }

  private static String networkOfSubnetwork(String subnetwork) {
    if (subnetwork.equals(DEFAULT_NETWORK)) {
      return DEFAULT_NETWORK;
    }
    Matcher path = IN_PROJECT.matcher(subnetwork);
    return path.find() ? path.group(1) : "own";
  }
}
