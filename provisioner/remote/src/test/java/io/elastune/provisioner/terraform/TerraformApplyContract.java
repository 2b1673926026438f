package io.elastune.provisioner.terraform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.core.properties.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * Tests a module with the real Terraform and emulated providers: every expression is evaluated, and
 * every argument checked against the schema of the real provider.
 */
public abstract class TerraformApplyContract {
  private final String cloud;
  private final String cli;
  @TempDir private Path scratch;

  /**
   * @param cloud the folder of the module
   * @param cli the command of the cloud that the module's scripts call
   */
  protected TerraformApplyContract(String cloud, String cli) {
    this.cloud = cloud;
    this.cli = cli;
  }

  /** Returns the variables of an example, or of the module for the empty path. */
  protected abstract Map<String, String> variables(String example);

  /** Returns an invalid value for each variable that has one. */
  protected abstract Map<String, String> invalid();

  /**
   * Checks the settings with Elastune's own reader.
   *
   * @param publicAddress whether the nodes must have public addresses
   */
  protected abstract void assertSettings(String cloudsYaml, boolean publicAddress);

  /** Runs an action with Terraform in a folder of the module. */
  private void in(String example, Action action) throws Exception {
    assumeTrue(TerraformRun.isInstalled(), "skipped: no terraform on the PATH");
    Optional<String> python = EmulatedProviders.python();
    assumeTrue(
        python.isPresent(),
        "skipped: no Python with grpc_tools and msgpack; set ELASTUNE_TERRAFORM_PYTHON");
    TerraformRun run = new TerraformRun(scratch, cloud + "/" + example, cli);
    try (EmulatedProviders providers =
        EmulatedProviders.start(python.orElseThrow(), scratch.resolve("log"))) {
      run.set("TF_REATTACH_PROVIDERS", providers.reattach());
      succeeds(run, List.of("init", "-no-color"), "");
      action.run(run, providers);
    }
  }

  /** What a test does with Terraform. */
  private interface Action {
    void run(TerraformRun run, EmulatedProviders providers) throws Exception;
  }

  @Test
  void filesAreFormatted() throws Exception {
    assumeTrue(TerraformRun.isInstalled(), "skipped: no terraform on the PATH");
    TerraformRun run = new TerraformRun(scratch, cloud, cli);
    succeeds(run, List.of("fmt", "-check", "-recursive", "-diff"), "");
  }

  @Test
  void applyMakesSettingsAndDestroyLeavesNothing() throws Exception {
    assertApplyMakesSettingsAndDestroyLeavesNothing("examples/minimal");
  }

  @ParameterizedTest
  @ValueSource(strings = {"examples/existing-network", ""})
  @Tag(Tier.NIGHTLY)
  void otherExamplesToo(String example) throws Exception {
    assertApplyMakesSettingsAndDestroyLeavesNothing(example);
  }

  private void assertApplyMakesSettingsAndDestroyLeavesNothing(String example) throws Exception {
    in(
        example,
        (run, providers) -> {
          succeeds(run, List.of("validate", "-no-color"), "");
          succeeds(run, List.of("apply", "-no-color", "-auto-approve"), example);
          String settings = succeeds(run, List.of("output", "-raw", "clouds_yaml"), "");
          assertSettings(settings, example.equals("examples/minimal"));
          succeeds(run, List.of("plan", "-no-color", "-detailed-exitcode"), example);
          assertUserDataIsValid(providers.logged("create"));

          succeeds(run, List.of("destroy", "-no-color", "-auto-approve"), example);
          assertThat(ids(providers.logged("delete")))
              .isNotEmpty()
              .containsExactlyInAnyOrderElementsOf(ids(providers.logged("create")));
          assertThat(run.calls()).filteredOn(call -> call.contains("delete")).hasSize(2);
        });
  }

  @Test
  void destroyRefusesWhileRunIsInProgress() throws Exception {
    String example = "examples/minimal";
    in(
        example,
        (run, providers) -> {
          succeeds(run, List.of("apply", "-no-color", "-auto-approve"), example);
          run.instances("i-0123");
          TerraformRun.Output refused =
              run.terraform(with(example, "destroy", "-no-color", "-auto-approve"));
          assertThat(refused.exitCode()).isNotZero();
          assertThat(refused.text()).contains("A run is in progress").contains("i-0123");
          assertThat(providers.logged("delete")).isEmpty();

          if (cli.equals("aws")) { // a list of Google covers all regions
            run.instances("");
            run.elsewhere("i-4567");
            refused = run.terraform(with(example, "destroy", "-no-color", "-auto-approve"));
            assertThat(refused.exitCode()).isNotZero();
            assertThat(refused.text()).contains("in progress in eu-west-1: i-4567");
            assertThat(providers.logged("delete")).isEmpty();
          }

          run.failToList();
          refused = run.terraform(with(example, "destroy", "-no-color", "-auto-approve"));
          assertThat(refused.exitCode()).isNotZero();
          assertThat(refused.text()).contains("cannot be listed");
          assertThat(providers.logged("delete")).isEmpty();

          run.set("ELASTUNE_FORCE", "1");
          succeeds(run, List.of("destroy", "-no-color", "-auto-approve"), example);
          assertThat(providers.logged("delete")).hasSameSizeAs(providers.logged("create"));
        });
  }

  @Test
  void invalidVariablesAreRefused() throws Exception {
    in(
        "",
        (run, providers) -> {
          // Terraform skips a validation that refers to another invalid variable.
          Map<String, String> others = new TreeMap<>(invalid());
          String zones = others.remove("zones");
          assertRefused(run, others);
          assertRefused(run, Map.of("zones", zones));
          TerraformModule module = TerraformModule.read(TerraformModule.root().resolve(cloud));
          assertThat(invalid().keySet())
              .containsExactlyInAnyOrderElementsOf(
                  module
                      .blocks("variable")
                      .filter(variable -> !variable.text("type").equals("bool"))
                      .map(HclBlock::name)
                      .toList());
        });
  }

  /**
   * Applies the minimal example without the lines that match a pattern, and returns the output of
   * the failure.
   */
  protected final String refusalWithout(String pattern) throws Exception {
    String example = "examples/minimal";
    StringBuilder text = new StringBuilder();
    in(
        example,
        (run, providers) -> {
          Path main = run.folder().resolve("main.tf");
          List<String> lines = Files.readAllLines(main);
          assertThat(lines.removeIf(line -> line.matches(pattern))).isTrue();
          Files.write(main, lines);
          TerraformRun.Output refused =
              run.terraform(with(example, "apply", "-no-color", "-auto-approve"));
          assertThat(refused.exitCode()).isNotZero();
          text.append(refused.text());
        });
    return text.toString();
  }

  private void assertRefused(TerraformRun run, Map<String, String> values)
      throws IOException, InterruptedException {
    Map<String, String> all = new TreeMap<>(variables(""));
    all.putAll(values);
    List<String> arguments = new ArrayList<>(List.of("plan", "-no-color"));
    all.forEach((name, value) -> arguments.add("-var=" + name + "=" + value));
    TerraformRun.Output refused = run.terraform(arguments.toArray(String[]::new));
    String text = refused.text().replaceAll("\\s+", " ");
    assertThat(refused.exitCode()).isNotZero();
    assertThat(values.keySet())
        .allSatisfy(name -> assertThat(text).containsPattern(" " + name + " (must|needs) "));
  }

  /** The scripts of the controller must be valid after their values were inserted. */
  private void assertUserDataIsValid(List<JsonNode> created) throws Exception {
    List<String> scripts =
        created.stream()
            .map(entry -> entry.path("values"))
            .flatMap(
                values ->
                    List.of(
                        values.path("user_data"), values.path("metadata").path("startup-script"))
                        .stream())
            .filter(JsonNode::isString)
            .map(JsonNode::asString)
            .toList();
    assertThat(scripts).hasSize(1);
    Path file = Files.writeString(scratch.resolve("user-data"), scripts.get(0));
    assertThat(scripts.get(0)).contains("/etc/elastune/clouds.yaml").doesNotContain("${");
    assertThat(new ProcessBuilder("bash", "-n", file.toString()).inheritIO().start().waitFor())
        .isZero();
  }

  private static List<String> ids(List<JsonNode> entries) {
    return entries.stream()
        .map(entry -> entry.path("type").asString() + " " + entry.path("values").path("id"))
        .toList();
  }

  private String[] with(String example, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    variables(example).forEach((name, value) -> all.add("-var=" + name + "=" + value));
    return all.toArray(String[]::new);
  }

  /** Runs terraform, with the variables of the example for commands that take them. */
  private String succeeds(TerraformRun run, List<String> command, String example)
      throws IOException, InterruptedException {
    boolean takes = List.of("apply", "plan", "destroy").contains(command.get(0));
    String[] plain = command.toArray(String[]::new);
    return run.succeeds(takes ? with(example, plain) : plain);
  }
}
