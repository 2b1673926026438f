package io.elastune.provisioner.terraform;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Tests of a Terraform module that need no Terraform. */
public abstract class TerraformModuleContract {
  private static final Pattern VARIABLE = Pattern.compile("\\bvar\\.(\\w+)");
  private static final Pattern LOCAL = Pattern.compile("\\blocal\\.(\\w+)");
  private static final Pattern OUTPUT = Pattern.compile("\\bmodule\\.elastune\\.(\\w+)");
  private static final Pattern OBJECT =
      Pattern.compile("(?<![\\w.])(data\\.)?((?:aws|google|terraform)_\\w+)\\.(\\w+)");
  private static final Pattern ATTRIBUTE =
      Pattern.compile(
          "(?<![\\w.])(data\\.)?((?:aws|google)_\\w+)\\.(\\w+)(?:\\[[^\\]]*\\])?\\.(\\w+)");
  private static final Pattern TEMPLATE =
      Pattern.compile("(?s)templatefile\\(\"\\$\\{path\\.module\\}/([^\"]+)\", \\{(.*)\\}\\)");
  private static final Pattern PLACEHOLDER = Pattern.compile("(?<!\\$)[$%]\\{[^}]*\\}");
  private static final Pattern GIVEN = Pattern.compile("(?m)(?:^|\\{)\\s*(\\w+)\\s*=(?!=)");

  private final String cloud;
  private final String provider;
  protected TerraformModule module = new TerraformModule(Path.of(""), List.of());
  private List<TerraformModule> examples = List.of();

  /**
   * @param cloud the folder of the module
   * @param provider the name of its only provider
   */
  protected TerraformModuleContract(String cloud, String provider) {
    this.cloud = cloud;
    this.provider = provider;
  }

  @BeforeEach
  void read() throws IOException {
    Path folder = TerraformModule.root().resolve(cloud);
    module = TerraformModule.read(folder);
    examples =
        List.of(
            TerraformModule.read(folder.resolve("examples/minimal")),
            TerraformModule.read(folder.resolve("examples/existing-network")));
  }

  private Stream<TerraformModule> all() {
    return Stream.concat(Stream.of(module), examples.stream());
  }

  @Test
  void variablesAreDescribedTypedAndValidated() {
    assertThat(all().flatMap(some -> some.blocks("variable")))
        .isNotEmpty()
        .allSatisfy(
            variable -> {
              assertThat(variable.text("description")).endsWith(".\"");
              assertThat(variable.arguments()).containsKey("type");
              HclBlock validation = variable.block("validation").orElseThrow();
              assertThat(validation.text("condition")).contains("var." + variable.name());
              assertThat(validation.text("error_message")).startsWith("\"" + variable.name());
            });
  }

  @Test
  void outputsAreDescribed() {
    assertThat(module.names("output"))
        .contains("clouds_yaml", "bucket", "controller_id", "controller_session", "region");
    assertThat(all().flatMap(some -> some.blocks("output")))
        .allSatisfy(output -> assertThat(output.arguments()).containsKeys("description", "value"));
  }

  /** Long descriptions are shortened in the README. */
  @Test
  void readmeNamesVariablesAndOutputs() throws IOException {
    Set<String> rows =
        found(
            Files.readAllLines(module.folder().resolve("README.md")).stream(),
            Pattern.compile("^\\| `(\\w+)` \\|"),
            1);
    Set<String> names = new TreeSet<>(module.names("variable"));
    names.addAll(module.names("output"));
    assertThat(rows).isEqualTo(names);
  }

  @Test
  void variablesAndLocalsExistAndAreUsed() {
    assertThat(all())
        .allSatisfy(
            some -> {
              Stream<String> used =
                  some.blocks().stream()
                      .filter(block -> !block.type().equals("variable"))
                      .flatMap(HclBlock::expressions);
              assertThat(found(used, VARIABLE, 1)).isEqualTo(some.names("variable"));
              Set<String> locals =
                  some.blocks("locals")
                      .flatMap(block -> block.arguments().keySet().stream())
                      .collect(Collectors.toSet());
              assertThat(found(some.expressions(), LOCAL, 1)).isEqualTo(locals);
            });
  }

  @Test
  void examplesUseExistingVariablesAndOutputs() {
    Set<String> required =
        module
            .blocks("variable")
            .filter(variable -> !variable.arguments().containsKey("default"))
            .map(HclBlock::name)
            .collect(Collectors.toSet());
    assertThat(examples)
        .allSatisfy(
            example -> {
              Set<String> given =
                  new TreeSet<>(
                      example.blocks("module").findFirst().orElseThrow().arguments().keySet());
              given.remove("source");
              assertThat(module.names("variable")).containsAll(given);
              assertThat(given).containsAll(required);
              assertThat(example.names("output"))
                  .isEqualTo(found(example.expressions(), OUTPUT, 1))
                  .isSubsetOf(module.names("output"));
            });
  }

  @Test
  void onlyProviderIsThatOfTheCloud() {
    HclBlock providers =
        module
            .blocks("terraform")
            .findFirst()
            .orElseThrow()
            .block("required_providers")
            .orElseThrow();
    assertThat(providers.arguments().keySet()).containsExactly(provider);
  }

  @Test
  void argumentsAreThoseOfTheProvider() throws IOException {
    ProviderSchemas schemas = new ProviderSchemas();
    assertThat(Stream.concat(module.blocks("resource"), module.blocks("data")))
        .filteredOn(block -> !block.labels().get(0).equals("terraform_data"))
        .isNotEmpty()
        .allSatisfy(block -> assertThat(schemas.problems(block)).isEmpty());
  }

  @Test
  void referencesExist() throws IOException {
    ProviderSchemas schemas = new ProviderSchemas();
    Set<String> known = new TreeSet<>(module.names("resource"));
    module.names("data").forEach(name -> known.add("data." + name));
    assertThat(known).containsAll(found(module.expressions(), OBJECT, 0));
    assertThat(module.expressions().flatMap(text -> ATTRIBUTE.matcher(text).results()))
        .isNotEmpty()
        .allSatisfy(
            match -> {
              String group = match.group(1) == null ? "resource" : "data";
              HclBlock block =
                  new HclBlock(group, List.of(match.group(2), match.group(3)), Map.of(), List.of());
              JsonNode schema = schemas.of(block);
              assertThat(schema.has(match.group(4))).as(match.group()).isTrue();
            });
  }

  @Test
  void templatesGetTheirValues() throws IOException {
    List<MatchResult> calls =
        module.expressions().flatMap(text -> TEMPLATE.matcher(text).results()).toList();
    assertThat(calls).isNotEmpty();
    for (MatchResult call : calls) {
      String text = Files.readString(module.folder().resolve(call.group(1)));
      Set<String> used = new TreeSet<>();
      PLACEHOLDER
          .matcher(text)
          .results()
          .flatMap(some -> Pattern.compile("\\b[a-z_]+\\b").matcher(words(some)).results())
          .forEach(word -> used.add(word.group()));
      assertThat(found(Stream.of(call.group(2)), GIVEN, 1)).as(call.group(1)).isEqualTo(used);
    }
  }

  /** Returns a placeholder without keywords, functions and strings. */
  private static String words(MatchResult placeholder) {
    return placeholder.group().replaceAll("\"[^\"]*\"|\\bif\\b|\\bendif\\b|\\bjoin\\b", "");
  }

  @Test
  void guardIsDestroyedFirst() {
    Set<String> others = module.names("resource");
    others.remove("terraform_data.guard");
    HclBlock guard =
        module
            .resources("terraform_data")
            .filter(block -> block.name().endsWith(".guard"))
            .findFirst()
            .orElseThrow();
    assertThat(found(Stream.of(guard.text("depends_on")), OBJECT, 0)).isEqualTo(others);
    assertThat(guard.block("provisioner").orElseThrow().text("when")).isEqualTo("destroy");
  }

  private static Set<String> found(Stream<String> texts, Pattern pattern, int group) {
    return texts
        .flatMap(text -> pattern.matcher(text).results())
        .map(match -> match.group(group))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
