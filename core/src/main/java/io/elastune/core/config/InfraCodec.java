package io.elastune.core.config;

import io.elastune.core.config.codec.Codec;
import io.elastune.core.config.codec.NearestName;
import io.elastune.core.config.codec.ReadResult;
import io.elastune.core.config.codec.StringCodecs;
import io.elastune.core.offer.Offer;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Validates locations ({@code infra}): {@code local}, {@code simulated}, a Ray cluster, or a region
 * or zone of a cloud. {@code simulated/LOCATION} simulates the offers of LOCATION.
 */
final class InfraCodec {
  static final String LOCAL = "local";
  private static final String SIMULATED = Offer.SIMULATED;
  private static final String RAY = "ray";
  private static final List<String> PROVIDERS = List.of(LOCAL, SIMULATED, RAY, "aws", "gcp");
  private static final List<String> CLOUDS = List.of("aws", "gcp");
  private static final List<String> LATER = List.of("azure");
  private static final List<String> FORMS =
      List.of(
          LOCAL,
          SIMULATED + "[/LOCATION]",
          "ray/CLUSTER",
          "aws/REGION[/ZONE]",
          "gcp/REGION[/ZONE]");
  private static final Pattern CLUSTER = Pattern.compile("[a-zA-Z][a-zA-Z0-9_-]*|[^:/\\s]+:[0-9]+");
  private static final Pattern PART = Pattern.compile("[a-z0-9-]+");

  static final Codec<String> CODEC =
      StringCodecs.checked("location (" + String.join(", ", FORMS) + ")", InfraCodec::read);

  private InfraCodec() {}

  private static ReadResult<String> read(String text) {
    List<String> parts = List.of(text.split("/", -1));
    String provider = parts.get(0);
    if (provider.equals(LOCAL)) {
      return parts.size() == 1
          ? ReadResult.valid(text)
          : ReadResult.invalid(provider + " has no regions", "did you mean " + provider + "?");
    }
    if (provider.equals(SIMULATED)) {
      return parts.size() == 1 ? ReadResult.valid(text) : readSimulated(text, parts.get(1));
    }
    if (provider.equals(RAY)) {
      return parts.size() == 2 && CLUSTER.matcher(parts.get(1)).matches()
          ? ReadResult.valid(text)
          : ReadResult.invalid(
              "must be ray/auto, ray/HOST:PORT or ray/NAME, not \"" + text + "\"", "");
    }
    if (CLOUDS.contains(provider)) {
      return readRegion(text, parts);
    }
    if (LATER.contains(provider)) {
      return ReadResult.invalid(
          provider + " is not yet available", "available: " + String.join(", ", FORMS));
    }
    String near = NearestName.find(provider, PROVIDERS).orElse("");
    return ReadResult.invalid(
        "must be one of " + String.join(", ", FORMS) + ", not \"" + text + "\"",
        near.isEmpty() ? "" : "did you mean " + near + text.substring(provider.length()) + "?");
  }

  private static ReadResult<String> readSimulated(String text, String provider) {
    if (provider.equals(SIMULATED)) {
      return ReadResult.invalid(
          SIMULATED + "/ must be followed by a location other than simulated",
          "did you mean " + SIMULATED + "?");
    }
    ReadResult<String> place = read(text.substring(SIMULATED.length() + 1));
    return place.value().isPresent() ? ReadResult.valid(text) : place;
  }

  private static ReadResult<String> readRegion(String text, List<String> parts) {
    String form = parts.get(0) + "/REGION or " + parts.get(0) + "/REGION/ZONE";
    boolean named = parts.stream().allMatch(part -> PART.matcher(part).matches());
    if (parts.size() == 1) {
      return ReadResult.invalid("needs a region: " + form, "");
    }
    return named && parts.size() <= 3
        ? ReadResult.valid(text)
        : ReadResult.invalid("must be " + form + ", not \"" + text + "\"", "");
  }
}
