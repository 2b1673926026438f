package io.elastune.core.files;

import io.elastune.core.files.schema.Codec;
import io.elastune.core.files.schema.Nearest;
import io.elastune.core.files.schema.Reading;
import io.elastune.core.files.schema.Texts;
import io.elastune.core.offer.Offer;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Validates locations ({@code infra}): {@code local}, {@code simulated}, or a region or zone of a
 * cloud. {@code simulated/LOCATION} simulates the offers of LOCATION.
 */
final class Infra {
  static final String LOCAL = "local";
  private static final String SIMULATED = Offer.SIMULATED;
  private static final List<String> PROVIDERS = List.of(LOCAL, SIMULATED, "aws", "gcp");
  private static final List<String> CLOUDS = List.of("aws", "gcp");
  private static final List<String> LATER = List.of("ray", "azure");
  private static final List<String> FORMS =
      List.of(LOCAL, SIMULATED + "[/LOCATION]", "aws/REGION[/ZONE]", "gcp/REGION[/ZONE]");
  private static final Pattern PART = Pattern.compile("[a-z0-9-]+");

  static final Codec<String> CODEC =
      Texts.checked("location (" + String.join(", ", FORMS) + ")", Infra::read);

  private Infra() {}

  private static Reading<String> read(String text) {
    List<String> parts = List.of(text.split("/", -1));
    String provider = parts.get(0);
    if (provider.equals(LOCAL)) {
      return parts.size() == 1
          ? Reading.right(text)
          : Reading.wrong(provider + " has no regions", "did you mean " + provider + "?");
    }
    if (provider.equals(SIMULATED)) {
      return parts.size() == 1 ? Reading.right(text) : readSimulated(text, parts.get(1));
    }
    if (CLOUDS.contains(provider)) {
      return readRegion(text, parts);
    }
    if (LATER.contains(provider)) {
      return Reading.wrong(
          provider + " is not yet available", "available: " + String.join(", ", FORMS));
    }
    String near = Nearest.to(provider, PROVIDERS).orElse("");
    return Reading.wrong(
        "must be one of " + String.join(", ", FORMS) + ", not \"" + text + "\"",
        near.isEmpty() ? "" : "did you mean " + near + text.substring(provider.length()) + "?");
  }

  private static Reading<String> readSimulated(String text, String provider) {
    if (provider.equals(SIMULATED)) {
      return Reading.wrong(
          SIMULATED + "/ must be followed by a location other than simulated",
          "did you mean " + SIMULATED + "?");
    }
    Reading<String> place = read(text.substring(SIMULATED.length() + 1));
    return place.value().isPresent() ? Reading.right(text) : place;
  }

  private static Reading<String> readRegion(String text, List<String> parts) {
    String form = parts.get(0) + "/REGION or " + parts.get(0) + "/REGION/ZONE";
    boolean named = parts.stream().allMatch(part -> PART.matcher(part).matches());
    if (parts.size() == 1) {
      return Reading.wrong("needs a region: " + form, "");
    }
    return named && parts.size() <= 3
        ? Reading.right(text)
        : Reading.wrong("must be " + form + ", not \"" + text + "\"", "");
  }
}
