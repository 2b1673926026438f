package io.elastune.provisioner.aws.terraform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.core.properties.Tier;
import io.elastune.provisioner.aws.model.CloudsFile;
import io.elastune.provisioner.aws.model.RegionSettings;
import io.elastune.provisioner.aws.moto.Moto;
import io.elastune.provisioner.aws.sdk.SdkRegions;
import io.elastune.provisioner.terraform.TerraformModule;
import io.elastune.provisioner.terraform.TerraformProviderContract;
import io.elastune.provisioner.terraform.TerraformRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Applies and destroys the module with the real provider of AWS, in an account of moto. */
class AwsProviderIT extends TerraformProviderContract {
  private static final String REGION = "us-east-1";

  /** Only private nodes have these. */
  private static final Set<String> OF_PRIVATE_NODES = Set.of("NAT gateway", "address");

  AwsProviderIT() {
    super("aws", "aws", "hashicorp/aws");
  }

  /**
   * The example has public nodes; the module itself is applied with private nodes and a release.
   */
  @ParameterizedTest
  @ValueSource(strings = {"examples/minimal", ""})
  @Execution(ExecutionMode.CONCURRENT) // the provider mostly waits
  @Tag(Tier.NIGHTLY)
  void applyIsCompleteAndDestroyLeavesNothing(String example) throws Exception {
    assumeTrue(Moto.isThere(), "skipped: moto is not installed (pip install 'moto[server]')");
    in(
        example,
        run -> {
          try (MotoAccount account = MotoAccount.start(imageParameter())) {
            use(run, account);
            applyAndDestroy(run, account, example);
          }
        });
  }

  private static void applyAndDestroy(TerraformRun run, MotoAccount account, String example)
      throws Exception {
    boolean publicNodes = !example.isEmpty();
    run.succeeds(with(example, "plan", "-out=plan"));
    run.succeeds("apply", "plan");
    Map<String, List<String>> created = account.inventory();
    assertThat(created)
        .allSatisfy(
            (type, ids) ->
                assertThat(ids.isEmpty())
                    .as(type)
                    .isEqualTo(publicNodes && OF_PRIVATE_NODES.contains(type)));
    JsonNode outputs = JsonMapper.shared().readTree(run.succeeds("output", "-json"));
    assertSettings(output(outputs, "clouds_yaml"), created, publicNodes);
    assertThat(output(outputs, "controller_session"))
        .endsWith("--target " + created.get("instance").get(0));

    run.succeeds(with(example, "plan", "-detailed-exitcode"));
    run.succeeds(with(example, "destroy", "-auto-approve"));
    assertThat(account.inventory()).allSatisfy((type, ids) -> assertThat(ids).as(type).isEmpty());
  }

  private static String output(JsonNode outputs, String name) {
    return outputs.path(name).path("value").asString();
  }

  private static void assertSettings(
      String cloudsYaml, Map<String, List<String>> created, boolean publicNodes) {
    Map<String, RegionSettings> regions =
        CloudsFile.parse("clouds.yaml", cloudsYaml, SdkRegions.names()).orThrow();
    assertThat(regions).containsOnlyKeys(REGION);
    RegionSettings settings = regions.get(REGION);
    assertThat(settings.launchTemplate()).contains(created.get("launch template").get(0));
    assertThat(settings.zones())
        .containsExactly(Optional.of(REGION + "a"), Optional.of(REGION + "b"));
    assertThat(created.get("security group")).containsAll(settings.securityGroups());
    assertThat(settings.instanceProfile().stream()).isSubsetOf(created.get("instance profile"));
    assertThat(settings.bucket()).contains(created.get("bucket").get(0));
    assertThat(settings.publicAddress()).isEqualTo(publicNodes);
  }

  private static void use(TerraformRun run, MotoAccount account) throws Exception {
    Path empty = Files.writeString(run.folder().resolve("aws.ini"), "");
    run.set("AWS_ENDPOINT_URL", account.url());
    run.set("AWS_REGION", REGION);
    run.set("AWS_ACCESS_KEY_ID", "test");
    run.set("AWS_SECRET_ACCESS_KEY", "test");
    run.set("AWS_CONFIG_FILE", empty.toString());
    run.set("AWS_SHARED_CREDENTIALS_FILE", empty.toString());
  }

  private static String[] with(String example, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    new AwsApplyIT()
        .variables(example)
        .forEach((name, value) -> all.add("-var=" + name + "=" + value));
    return all.toArray(String[]::new);
  }

  private static String imageParameter() throws Exception {
    String variables = Files.readString(TerraformModule.root().resolve("aws/variables.tf"));
    Matcher parameter = Pattern.compile("default *= \"(/aws/service/[^\"]+)\"").matcher(variables);
    assertThat(parameter.find()).isTrue();
    return parameter.group(1);
  }
}
