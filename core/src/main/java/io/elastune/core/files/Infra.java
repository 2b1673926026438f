package io.elastune.core.files;

import io.elastune.core.files.schema.Codec;
import io.elastune.core.files.schema.Nearest;
import io.elastune.core.files.schema.Reading;
import io.elastune.core.files.schema.Texts;
import java.util.List;
import java.util.regex.Pattern;

/** Where something can be rented: {@code local}, {@code simulated}, or a cloud's region or zone. */
final class Infra {
  static final String LOCAL = "local";
  private static final List<String> WITHOUT_REGION = List.of(LOCAL, "simulated");
  private static final List<String> CLOUDS = List.of("aws", "gcp");
  private static final List<String> LATER = List.of("ray", "azure");
  private static final List<String> FORMS =
      List.of(LOCAL, "simulated", "aws/REGION[/ZONE]", "gcp/REGION[/ZONE]");
  private static final Pattern PART = Pattern.compile("[a-z0-9-]+");

  static final Codec<String> CODEC =
      Texts.checked("place (" + String.join(", ", FORMS) + ")", Infra::read);

  private Infra() {}

  private static Reading<String> read(String text) {
    List<String> parts = List.of(text.split("/", -1));
    String provider = parts.get(0);
    if (WITHOUT_REGION.contains(provider)) {
      return parts.size() == 1
          ? Reading.right(text)
          : Reading.wrong(provider + " has no regions", "did you mean " + provider + "?");
    }
    if (CLOUDS.contains(provider)) {
      return readRegion(text, parts);
    }
    if (LATER.contains(provider)) {
      return Reading.wrong(
          provider + " is not yet available", "available: " + String.join(", ", FORMS));
    }
    List<String> providers = List.of(LOCAL, "simulated", "aws", "gcp");
    String near = Nearest.to(provider, providers).orElse("");
    return Reading.wrong(
        "must be one of " + String.join(", ", FORMS) + ", not \"" + text + "\"",
        near.isEmpty() ? "" : "did you mean " + near + text.substring(provider.length()) + "?");
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
