package io.elastune.core.config;

import io.elastune.core.config.codec.Codec;
import io.elastune.core.config.codec.QuantityCodecs;
import io.elastune.core.config.codec.RecordSection;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.codec.StringCodecs;
import io.elastune.core.config.codec.VariantCodec;
import io.elastune.core.config.yaml.MapNode;
import io.elastune.core.config.yaml.ProblemCollector;
import io.elastune.core.config.yaml.YamlNode;
import io.elastune.core.policy.FluidOptions;
import io.elastune.core.policy.HermesOptions;
import io.elastune.core.policy.HyperSchedOptions;
import io.elastune.core.policy.ListOptions;
import io.elastune.core.policy.PolicyOptions;
import io.elastune.core.policy.PolicyType;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The field {@code policy} of a job file: the name of a policy, or a map with its type and options.
 */
final class PolicyCodec implements Codec<PolicyOptions> {
  private static final String TYPE = "type";

  private static final Section<ListOptions> LIST =
      Section.of(
          "policy (list)",
          "Starts waiting trials in order.",
          List.of(),
          fieldValues -> ListOptions.DEFAULT);

  /** The only codec; created after the fields that it uses. */
  static final PolicyCodec CODEC = new PolicyCodec();

  private final Section<FluidOptions> fluid =
      RecordSection.define(FluidOptions.class)
          .defaults(FluidOptions.DEFAULT)
          .codec("shareGain", QuantityCodecs.fraction(false))
          .section();
  private final Section<HermesOptions> hermes =
      RecordSection.define(HermesOptions.class).defaults(HermesOptions.DEFAULT).section();
  private final Section<HyperSchedOptions> hyperSched =
      RecordSection.define(HyperSchedOptions.class).defaults(HyperSchedOptions.DEFAULT).section();
  private final Codec<PolicyType> words = StringCodecs.word(PolicyType.values());
  private final VariantCodec<PolicyOptions> variants =
      new VariantCodec<>(
          "policy", Arrays.stream(PolicyType.values()).map(this::variant).toList(), Map.of());

  private PolicyCodec() {}

  private static PolicyOptions defaults(PolicyType type) {
    return switch (type) {
      case LIST -> ListOptions.DEFAULT;
      case FLUID -> FluidOptions.DEFAULT;
      case HERMES -> HermesOptions.DEFAULT;
      case HYPERSCHED -> HyperSchedOptions.DEFAULT;
    };
  }

  private VariantCodec.Variant<? extends PolicyOptions> variant(PolicyType type) {
    return switch (type) {
      case LIST -> new VariantCodec.Variant<>(type.word(), ListOptions.class, LIST);
      case FLUID -> new VariantCodec.Variant<>(type.word(), FluidOptions.class, fluid);
      case HERMES -> new VariantCodec.Variant<>(type.word(), HermesOptions.class, hermes);
      case HYPERSCHED ->
          new VariantCodec.Variant<>(type.word(), HyperSchedOptions.class, hyperSched);
    };
  }

  @Override
  public Optional<PolicyOptions> read(YamlNode yamlNode, ProblemCollector problemCollector) {
    if (!(yamlNode instanceof MapNode map)) {
      return words.read(yamlNode, problemCollector).map(PolicyCodec::defaults);
    }
    Optional<YamlNode> type = map.find(TYPE).map(MapNode.MapEntry::value);
    return type.isPresent() && words.read(type.get(), problemCollector).isEmpty()
        ? Optional.empty()
        : variants.read(map, problemCollector);
  }

  @Override
  public Object write(PolicyOptions value) {
    return value.equals(ListOptions.DEFAULT) ? value.word() : variants.write(value);
  }

  @Override
  public String type() {
    return words.type() + ", or a map with type and options";
  }

  @Override
  public Map<String, Object> jsonSchema() {
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("oneOf", List.of(words.jsonSchema(), variants.jsonSchema()));
    return schema;
  }

  @Override
  public List<Codec<?>> parts() {
    return List.of(fluid, hermes, hyperSched);
  }
}
