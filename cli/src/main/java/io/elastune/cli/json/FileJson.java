package io.elastune.cli.json;

import io.elastune.core.files.OffersFile;
import io.elastune.core.files.ProfileFile;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.core.profile.Profile;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** What files say in YAML, with the same fields in JSON. */
public final class FileJson {
  private FileJson() {}

  /** The document of {@code offers --json}. */
  public static JsonNode offers(OfferCatalog catalog) {
    if (catalog.offers().isEmpty()) { // which no file may be
      ObjectNode none = JsonNodeFactory.instance.objectNode();
      none.put("source", catalog.source()).put("date", catalog.date()).putArray("offers");
      return none;
    }
    return yaml(OffersFile.write(catalog));
  }

  /** The document of {@code profiles show --json}. */
  public static JsonNode profile(Profile profile) {
    return yaml(ProfileFile.write(profile));
  }

  private static JsonNode yaml(String text) {
    return new YAMLMapper().readTree(text);
  }
}
