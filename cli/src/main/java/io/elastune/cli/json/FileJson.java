package io.elastune.cli.json;

import io.elastune.core.config.OffersFile;
import io.elastune.core.config.ProfileFile;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.core.profile.Profile;
import io.elastune.plan.json.JsonDocuments;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Converts offers and profiles to JSON, with the fields of their YAML files. */
public final class FileJson {
  private FileJson() {}

  /** Returns the document of {@code offers --json}. */
  public static JsonNode offers(OfferCatalog catalog) {
    if (catalog.offers().isEmpty()) { // an offers file must not be empty
      return JsonDocuments.of(EmptyCatalog.of(catalog));
    }
    return yaml(OffersFile.write(catalog));
  }

  /** Returns the document of {@code profiles show --json}. */
  public static JsonNode profile(Profile profile) {
    return yaml(ProfileFile.write(profile));
  }

  private static JsonNode yaml(String text) {
    return new YAMLMapper().readTree(text);
  }
}
