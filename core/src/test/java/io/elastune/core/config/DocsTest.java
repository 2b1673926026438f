package io.elastune.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.Section;
import io.elastune.core.config.yaml.MapNode;
import io.elastune.core.config.yaml.YamlTreeReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that the documentation and JSON Schemas in docs/ match the code that reads the files. */
class DocsTest {
  private static final String WRITE = "elastune.docs.write";
  private static final String HOW =
      "%s does not match the code. To regenerate it:%n"
          + "  mvn -pl core test -Dtest=DocsTest -D"
          + WRITE
          + "=true%n";
  private static final Path DOCS = RepositoryRoot.ROOT.resolve("docs");
  private static final Map<String, Section<?>> SECTIONS = sections();

  private static Map<String, Section<?>> sections() {
    Map<String, Section<?>> sections = new LinkedHashMap<>();
    sections.put("job", JobSection.SECTION);
    sections.put("profile", ProfileSection.SECTION);
    sections.put("offers", OffersFile.SECTION);
    sections.put("plan", PlanSection.of(""));
    return sections;
  }

  @Test
  void documentationIsUpToDate() throws IOException {
    compare(DOCS.resolve("job-file.md"), FileFormatPage.of(SECTIONS));
  }

  @ParameterizedTest
  @ValueSource(strings = {"job", "profile", "offers", "plan"})
  void jsonSchemasAreUpToDate(String kind) throws IOException {
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    schema.put("title", "Elastune " + kind + " file");
    schema.put("description", SECTIONS.get(kind).doc());
    schema.putAll(SECTIONS.get(kind).jsonSchema());
    String text = SchemaLayout.write(schema);
    assertThat(text).doesNotContainPattern("imum\": \""); // a limit is a number
    compare(DOCS.resolve("schema/" + kind + ".schema.json"), text);
  }

  @Test
  void examplesAreValid() {
    assertThat(JobFile.parse("job.yaml", FileFormatPage.example("job"), Overrides.NONE).problems())
        .isEmpty();
    assertThat(ProfileFile.parse("profile.yaml", FileFormatPage.example("profile")).problems())
        .isEmpty();
    assertThat(OffersFile.parse("offers.yaml", FileFormatPage.example("offers")).problems())
        .isEmpty();
    assertThat(PlanFile.parse("plan.json", FileFormatPage.example("plan")).problems()).isEmpty();
  }

  @Test
  void examplesOfFieldsAreValid() {
    SECTIONS.values().forEach(DocsTest::checkExamples);
  }

  private static void checkExamples(Section<?> section) {
    for (Field<?, ?> field : section.fields()) {
      if (!field.example().isEmpty()) {
        String text = field.name() + ": " + field.example() + "\n";
        ProblemList problems = new ProblemList();
        MapNode map = (MapNode) YamlTreeReader.read(section.title(), text, problems).orElseThrow();
        field.codec().read(map.find(field.name()).orElseThrow().value(), problems);
        assertThat(problems.sorted()).as(text).isEmpty();
      }
      assertThat(field.doc()).as(field.name()).matches("(?s)[A-Z`].*\\.");
      Section.sectionsIn(field).forEach(DocsTest::checkExamples);
    }
  }

  private static void compare(Path file, String expected) throws IOException {
    if (Boolean.getBoolean(WRITE)) {
      Files.createDirectories(file.getParent());
      Files.writeString(file, expected);
    }
    String actual = Files.exists(file) ? Files.readString(file) : "";
    assertThat(actual).as(HOW, RepositoryRoot.ROOT.relativize(file)).isEqualTo(expected);
  }
}
