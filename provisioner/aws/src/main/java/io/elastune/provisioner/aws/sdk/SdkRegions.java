package io.elastune.provisioner.aws.sdk;

import java.util.Set;
import java.util.stream.Collectors;
import software.amazon.awssdk.regions.Region;

/** The regions of AWS, of all partitions. */
public final class SdkRegions {
  private static final Set<String> NAMES =
      Region.regions().stream()
          .filter(region -> !region.isGlobalRegion())
          .map(Region::id)
          .collect(Collectors.toUnmodifiableSet());

  private SdkRegions() {}

  /** Returns their names, as of the version of the SDK. */
  public static Set<String> names() {
    return NAMES;
  }
}
