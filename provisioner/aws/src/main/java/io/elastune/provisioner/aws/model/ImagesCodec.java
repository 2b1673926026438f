package io.elastune.provisioner.aws.model;

import io.elastune.core.config.codec.Codec;
import io.elastune.core.config.codec.MapCodecs;
import io.elastune.core.config.codec.StringCodecs;
import io.elastune.core.config.yaml.MapNode;
import io.elastune.core.config.yaml.ProblemCollector;
import io.elastune.core.config.yaml.YamlNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads one image, or one for each architecture. */
final class ImagesCodec implements Codec<Images> {
  private static final Codec<String> IMAGE =
      StringCodecs.matching(
          "id that begins with ami-, or resolve:ssm:PARAMETER",
          Pattern.compile("ami-[0-9a-f]+|resolve:ssm:[A-Za-z0-9_./:-]+"));
  private static final Codec<Map<String, String>> BY_ARCHITECTURE =
      MapCodecs.nonEmpty(
          Pattern.compile(Images.X86 + "|" + Images.ARM), Images.X86 + " or " + Images.ARM, IMAGE);

  @Override
  public Optional<Images> read(YamlNode yamlNode, ProblemCollector problemCollector) {
    return yamlNode instanceof MapNode
        ? BY_ARCHITECTURE.read(yamlNode, problemCollector).map(Images::new)
        : IMAGE.read(yamlNode, problemCollector).map(Images::of);
  }

  @Override
  public Object write(Images value) {
    return BY_ARCHITECTURE.write(value.byArchitecture());
  }

  @Override
  public String type() {
    return IMAGE.type() + ", or a map of them by architecture";
  }

  @Override
  public Map<String, Object> jsonSchema() {
    return Map.of("anyOf", List.of(IMAGE.jsonSchema(), BY_ARCHITECTURE.jsonSchema()));
  }
}
