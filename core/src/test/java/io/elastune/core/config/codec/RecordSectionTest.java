package io.elastune.core.config.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elastune.core.config.yaml.ProblemCollector;
import io.elastune.core.config.yaml.SourcePosition;
import io.elastune.core.config.yaml.YamlNode;
import io.elastune.core.config.yaml.YamlTreeReader;
import io.elastune.core.field.Bounds;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import io.elastune.core.field.Items;
import io.elastune.core.field.Word;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class RecordSectionTest {
  private static final Section<Oven> SECTION =
      RecordSection.define(Oven.class).defaults(Oven.DEFAULT).section();

  enum Mode implements Word {
    TOP("top-heat"),
    FAN("fan");

    private final String word;

    Mode(String word) {
      this.word = word;
    }

    @Override
    public String word() {
      return word;
    }
  }

  @FileSection(title = "tray", doc = "A tray.")
  record Tray(
      @FileField(doc = "Slot.", absent = "2", example = "1") @Bounds(least = 1, most = 5)
          int slot) {}

  @FileSection(title = "oven", doc = "An oven.")
  record Oven(
      @FileField(doc = "Mode.", example = "fan") Mode mode,
      @FileField(doc = "Degrees.", example = "200") @Bounds(above0 = true, most = 300, unit = "°C")
          double targetC,
      @FileField(doc = "Time.", without = "until stopped", example = "10m")
          @Bounds(least = 1, most = 7200)
          Optional<Duration> bakeTime,
      @FileField(doc = "Trays.", example = "[{slot: 1}]") @Items List<Tray> trays,
      @FileField(
              name = "grate",
              doc = "The grate.",
              without = "all defaults",
              example = "{slot: 3}")
          Tray grid,
      @FileField(doc = "Fans.", without = "all", example = "2") @Bounds(least = 1) OptionalInt fans,
      @FileField(doc = "Watts.", without = "no limit", example = "1800")
          @Bounds(least = 0, most = 9000)
          OptionalDouble maxWatts,
      @FileField(doc = "Marks.", without = "none", example = "[a]") List<String> marks,
      List<String> derived) {
    static final Oven DEFAULT =
        new Oven(
            Mode.TOP,
            180,
            Optional.empty(),
            List.of(new Tray(4)),
            new Tray(1),
            OptionalInt.empty(),
            OptionalDouble.empty(),
            List.of(),
            List.of());
  }

  @Test
  void emptySectionHasAllDefaults() {
    Oven oven = read("{}");

    assertThat(oven.mode()).isEqualTo(Mode.TOP);
    assertThat(oven.targetC()).isEqualTo(180);
    assertThat(oven.trays()).containsExactly(new Tray(4));
    assertThat(oven.grid()).as("the defaults of the nested section").isEqualTo(new Tray(2));
    assertThat(oven.bakeTime()).isEmpty();
    assertThat(oven.fans()).isEmpty();
    assertThat(oven.maxWatts()).isEmpty();
    assertThat(oven.marks()).isEmpty();
  }

  @Test
  void readsAndWritesEveryType() {
    Map<String, Object> written =
        SECTION.write(
            read(
                "{mode: fan, target_c: 220.5, bake_time: 10m, trays: [{slot: 1}, {}], grate:"
                    + " {slot: 5}, fans: 2, max_watts: 1800, marks: [a]}"));

    assertThat(written)
        .containsExactly(
            Map.entry("mode", "fan"),
            Map.entry("target_c", 220.5),
            Map.entry("bake_time", "10m"),
            Map.entry("trays", List.of(Map.of("slot", 1L), Map.of("slot", 2L))),
            Map.entry("grate", Map.of("slot", 5L)),
            Map.entry("fans", 2L),
            Map.entry("max_watts", 1800L),
            Map.entry("marks", List.of("a")));
  }

  @Test
  void emptyValuesAreNotWritten() {
    assertThat(SECTION.write(read("{}"))).containsOnlyKeys("mode", "target_c", "trays", "grate");
  }

  @Test
  void boundsAndWordsAreReported() {
    assertThat(problems("{mode: grill, target_c: 301, trays: [], fans: 0, bake_time: 0.5s}"))
        .containsExactly(
            "mode: must be one of top-heat, fan, not the string \"grill\"",
            "target_c: must be at most 300, not 301",
            "bake_time: must be at least 1s, not 0.5s",
            "trays: must not be empty",
            "fans: must be a whole number of at least 1, not 0");
    assertThat(problems("{bake_time: 2h1s}"))
        .containsExactly("bake_time: must be at most 2h, not 2h1s");
    assertThat(read("{bake_time: 2h}").bakeTime()).contains(Duration.ofHours(2));
  }

  @Test
  void fieldWithoutDefaultIsRequired() {
    Section<Oven> withoutDefaults = RecordSection.of(Oven.class);

    assertThat(
            withoutDefaults.fields().stream()
                .filter(field -> field.need() == Field.FieldRequirement.REQUIRED)
                .map(Field::name))
        .containsExactly("mode", "target_c", "trays");
  }

  @FileSection(title = "broken", doc = "A default out of bounds.")
  record BrokenDefault(
      @FileField(doc = "Number.", absent = "0", example = "1") @Bounds(least = 1) int number) {}

  @FileSection(title = "unbounded", doc = "A number without bounds.")
  record WithoutBounds(@FileField(doc = "Number.", example = "1") int number) {}

  @Test
  void mistakesInAnnotationsFailAtOnce() {
    assertThatThrownBy(() -> RecordSection.of(BrokenDefault.class))
        .hasMessageContaining("invalid default of int number: 0");
    assertThatThrownBy(() -> RecordSection.of(WithoutBounds.class))
        .hasMessageContaining("no bounds for int number");
    assertThatThrownBy(() -> RecordSection.define(Tray.class).field("slots"))
        .hasMessageContaining("has no component slots");
  }

  private static Oven read(String text) {
    return SECTION
        .read(YamlTreeReader.read("oven.yaml", text, new Problems()).orElseThrow(), new Problems())
        .orElseThrow();
  }

  private static List<String> problems(String text) {
    Problems problems = new Problems();
    YamlNode node = YamlTreeReader.read("oven.yaml", text, problems).orElseThrow();
    SECTION.read(node, problems);
    return problems.texts();
  }

  /** The problems as PATH: MESSAGE. */
  private static final class Problems implements ProblemCollector {
    private final List<String> texts = new ArrayList<>();

    @Override
    public void add(SourcePosition sourcePosition, String field, String message, String hint) {
      texts.add(field + ": " + message);
    }

    @Override
    public int count() {
      return texts.size();
    }

    List<String> texts() {
      return texts;
    }
  }
}
