package io.elastune.core.config;

import io.elastune.core.config.codec.Codec;
import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.NumberCodecs;
import io.elastune.core.config.codec.QuantityCodecs;
import io.elastune.core.config.codec.ScalarCodecs;
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
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

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

  private final Section<FluidOptions> fluid = fluid();
  private final Section<HermesOptions> hermes = hermes();
  private final Section<HyperSchedOptions> hyperSched = hyperSched();
  private final Codec<Word> words =
      StringCodecs.word(Word.values(), word -> word.defaults().word(), List.of());
  private final VariantCodec<PolicyOptions> variants =
      new VariantCodec<>(
          "policy",
          List.of(
              new VariantCodec.Variant<>("list", ListOptions.class, LIST),
              new VariantCodec.Variant<>("fluid", FluidOptions.class, fluid),
              new VariantCodec.Variant<>("hermes", HermesOptions.class, hermes),
              new VariantCodec.Variant<>("hypersched", HyperSchedOptions.class, hyperSched)),
          Map.of());

  private PolicyCodec() {}

  /** The names of the policies. */
  private enum Word {
    LIST,
    FLUID,
    HERMES,
    HYPERSCHED;

    PolicyOptions defaults() {
      return switch (this) {
        case LIST -> ListOptions.DEFAULT;
        case FLUID -> FluidOptions.DEFAULT;
        case HERMES -> HermesOptions.DEFAULT;
        case HYPERSCHED -> HyperSchedOptions.DEFAULT;
      };
    }
  }

  private static Section<FluidOptions> fluid() {
    Field<FluidOptions, Boolean> dynamic =
        Field.withDefault(
            "dynamic",
            ScalarCodecs.trueOrFalse(),
            FluidOptions.DEFAULT.isDynamic(),
            FluidOptions::isDynamic,
            "Whether running trials change their number of GPUs when GPUs become free.",
            "false");
    Field<FluidOptions, Integer> maxGpus =
        Field.optional(
            "max_gpus",
            NumberCodecs.wholeNumber(1, Integer.MAX_VALUE),
            "the size with the highest throughput",
            options -> boxed(options.maxGpus()),
            "The most GPUs of one trial.",
            "4");
    Field<FluidOptions, Integer> maxShare =
        Field.optional(
            "max_share",
            NumberCodecs.wholeNumber(1, Integer.MAX_VALUE),
            "no limit other than share_gain",
            options -> boxed(options.maxShare()),
            "The most trials that share a GPU.",
            "2");
    Field<FluidOptions, Double> shareGain =
        Field.withDefault(
            "share_gain",
            QuantityCodecs.fraction(false),
            FluidOptions.DEFAULT_SHARE_GAIN,
            FluidOptions::shareGain,
            "Fraction of GPU time that one more trial on a GPU must save.",
            "0.1");
    Field<FluidOptions, Duration> resizeCost =
        Field.optional(
            "resize_cost",
            QuantityCodecs.duration(Duration.ZERO),
            "checkpoint and start-up of the profile",
            options -> Optionals.boxed(options.resizeS()).map(PolicyCodec::duration),
            "Time that a change of the number of GPUs costs a trial.",
            "12s");
    return Section.of(
        "policy (fluid)",
        "Divides the GPUs in proportion to the training that each trial has left.",
        List.of(dynamic, maxGpus, maxShare, shareGain, resizeCost),
        fieldValues ->
            new FluidOptions(
                fieldValues.get(dynamic),
                fieldValues.find(maxGpus).map(OptionalInt::of).orElseGet(OptionalInt::empty),
                fieldValues.find(maxShare).map(OptionalInt::of).orElseGet(OptionalInt::empty),
                fieldValues.get(shareGain),
                fieldValues
                    .find(resizeCost)
                    .map(cost -> OptionalDouble.of(cost.toNanos() / 1e9))
                    .orElseGet(OptionalDouble::empty)));
  }

  private static Section<HermesOptions> hermes() {
    Field<HermesOptions, Integer> jobsPerGpu =
        Field.withDefault(
            "jobs_per_gpu",
            NumberCodecs.wholeNumber(1, Integer.MAX_VALUE),
            HermesOptions.DEFAULT.jobsPerGpu(),
            HermesOptions::jobsPerGpu,
            "The most trials that take turns on a GPU.",
            "4");
    Field<HermesOptions, Integer> slice =
        Field.withDefault(
            "slice",
            NumberCodecs.wholeNumber(HermesOptions.LEAST_SLICE, Integer.MAX_VALUE),
            HermesOptions.DEFAULT.sliceUnits(),
            HermesOptions::sliceUnits,
            "Units of a trial after which the trials of its GPU are compared.",
            "5");
    return Section.of(
        "policy (hermes)",
        "Places several trials on each GPU, and trains the one whose metric improves fastest.",
        List.of(jobsPerGpu, slice),
        fieldValues ->
            HermesOptions.DEFAULT.with(fieldValues.get(jobsPerGpu), fieldValues.get(slice)));
  }

  private static Section<HyperSchedOptions> hyperSched() {
    Field<HyperSchedOptions, Double> resizeGain =
        Field.withDefault(
            "resize_gain",
            NumberCodecs.above0(),
            HyperSchedOptions.DEFAULT.resizeGain(),
            HyperSchedOptions::resizeGain,
            "A trial gets more GPUs only if it completes more than this multiple of its training"
                + " until the deadline.",
            "1.2");
    Field<HyperSchedOptions, Integer> resizeAfter =
        Field.withDefault(
            "resize_after",
            NumberCodecs.wholeNumber(1, Integer.MAX_VALUE),
            HyperSchedOptions.DEFAULT.resizeAfter(),
            HyperSchedOptions::resizeAfter,
            "Reports of a trial before it gets more GPUs again.",
            "3");
    return Section.of(
        "policy (hypersched)",
        "Trains as many trials as can be compared before the deadline, and gives the GPUs to the"
            + " best ones near it.",
        List.of(resizeGain, resizeAfter),
        fieldValues ->
            new HyperSchedOptions(fieldValues.get(resizeGain), fieldValues.get(resizeAfter)));
  }

  private static Optional<Integer> boxed(OptionalInt value) {
    return value.isPresent() ? Optional.of(value.getAsInt()) : Optional.empty();
  }

  private static Duration duration(double seconds) {
    return Duration.ofNanos(Math.round(seconds * 1e9));
  }

  @Override
  public Optional<PolicyOptions> read(YamlNode yamlNode, ProblemCollector problemCollector) {
    if (!(yamlNode instanceof MapNode map)) {
      return words.read(yamlNode, problemCollector).map(Word::defaults);
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
