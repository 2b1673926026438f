package io.elastune.core.config;

import io.elastune.core.config.codec.Codec;
import io.elastune.core.config.codec.NearestName;
import io.elastune.core.config.codec.NumberCodecs;
import io.elastune.core.config.codec.RecordSection;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.codec.StringCodecs;
import io.elastune.core.config.yaml.MapNode;
import io.elastune.core.config.yaml.ProblemCollector;
import io.elastune.core.config.yaml.ScalarNode;
import io.elastune.core.config.yaml.YamlNode;
import io.elastune.core.field.Bounds;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import io.elastune.core.job.Preference;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The field {@code prefer} of a job file: a word, or what an hour is worth. */
final class PreferenceCodec implements Codec<Preference> {
  /** The only codec; created after the fields that it uses. */
  static final PreferenceCodec CODEC = new PreferenceCodec();

  private static final List<String> WORDS =
      List.of(Preference.CHEAPEST.text(), Preference.BALANCED.text(), Preference.FASTEST.text());

  private final Codec<Preference> words =
      StringCodecs.word(
          new Preference[] {Preference.CHEAPEST, Preference.BALANCED, Preference.FASTEST},
          Preference::text,
          List.of(),
          Map.of());
  private final Section<HourWorth> hours =
      RecordSection.define(HourWorth.class)
          .codec("hourWorthUsd", NumberCodecs.above0(Bounds.MOST_USD, "USD"))
          .section();

  private PreferenceCodec() {}

  /** The map form. */
  @FileSection(title = "prefer", doc = "The price of time, instead of a word.")
  record HourWorth(
      @FileField(
              doc = "What it is worth to complete an hour earlier: the plan minimizes the sum.",
              example = "5")
          double hourWorthUsd) {}

  @Override
  public Optional<Preference> read(YamlNode yamlNode, ProblemCollector problemCollector) {
    if (yamlNode instanceof MapNode) {
      return hours
          .read(yamlNode, problemCollector)
          .map(hour -> Preference.hourWorth(hour.hourWorthUsd()));
    }
    if (yamlNode instanceof ScalarNode scalar && NearestName.hint(scalar.text(), WORDS).isEmpty()) {
      problemCollector.add(
          scalar,
          "must be one of " + String.join(", ", WORDS) + ", not " + scalar.describe(),
          "or the worth of an hour: {hour_worth_usd: 5}, or --prefer hour_worth_usd=5");
      return Optional.empty();
    }
    return words.read(yamlNode, problemCollector);
  }

  @Override
  public Object write(Preference value) {
    return value.rule() == Preference.Rule.HOUR_WORTH
        ? hours.write(new HourWorth(value.hourWorthUsd()))
        : words.write(value);
  }

  @Override
  public String type() {
    return words.type() + ", or a map";
  }

  @Override
  public Map<String, Object> jsonSchema() {
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("oneOf", List.of(words.jsonSchema(), hours.jsonSchema()));
    return schema;
  }

  @Override
  public List<Codec<?>> parts() {
    return List.of(hours);
  }
}
