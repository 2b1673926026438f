package io.elastune.provisioner.terraform;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The arguments of the resources that the modules use, by the Terraform providers' own schemas.
 * {@code scripts/terraform-schemas.py} writes the file from their published description.
 */
final class ProviderSchemas {
  private static final Set<String> META_ARGUMENTS =
      Set.of("count", "for_each", "depends_on", "provider");
  private static final Set<String> META_BLOCKS = Set.of("lifecycle", "provisioner");

  private final JsonNode providers;

  ProviderSchemas() throws IOException {
    providers =
        JsonMapper.shared()
            .readTree(Files.readString(TerraformModule.root().resolve("test/schemas.json")));
  }

  /** Returns the schema of a resource or data source; missing if it is unknown. */
  JsonNode of(HclBlock block) {
    String group = block.type().equals("data") ? "data" : "resources";
    return providers
        .valueStream()
        .map(provider -> provider.path(group).path(block.labels().get(0)))
        .filter(schema -> !schema.isMissingNode())
        .findFirst()
        .orElseGet(() -> providers.path("unknown"));
  }

  /** Returns the arguments and blocks that the schema does not accept, and those that it misses. */
  List<String> problems(HclBlock block) {
    JsonNode schema = of(block);
    if (schema.isMissingNode()) {
      return List.of(block.name() + ": unknown type");
    }
    List<String> problems = new ArrayList<>();
    check(block.name(), block, schema, true, problems);
    return problems;
  }

  private void check(
      String path, HclBlock block, JsonNode schema, boolean outer, List<String> problems) {
    for (String name : block.arguments().keySet()) {
      JsonNode known = schema.path(name);
      boolean accepted =
          (known.has("required") || known.has("optional")) && !known.path("block").asBoolean(false);
      if (!accepted && !(outer && META_ARGUMENTS.contains(name))) {
        problems.add(path + ": no argument " + name);
      }
    }
    for (HclBlock inner : block.blocks()) {
      boolean dynamic = inner.type().equals("dynamic");
      String name = dynamic ? inner.labels().get(0) : inner.type();
      if (outer && META_BLOCKS.contains(name)) {
        continue;
      }
      if (!schema.path(name).path("block").asBoolean(false)) {
        problems.add(path + ": no block " + name);
        continue;
      }
      HclBlock content = dynamic ? inner.block("content").orElseThrow() : inner;
      check(path + "." + name, content, schema.path(name).path("nested"), false, problems);
    }
    schema
        .propertyStream()
        .filter(entry -> entry.getValue().path("required").asBoolean(false))
        .filter(entry -> !block.arguments().containsKey(entry.getKey()))
        .filter(entry -> block.block(entry.getKey()).isEmpty())
        .forEach(entry -> problems.add(path + ": without " + entry.getKey()));
  }
}
