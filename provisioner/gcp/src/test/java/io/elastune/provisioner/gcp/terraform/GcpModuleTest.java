package io.elastune.provisioner.gcp.terraform;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.terraform.HclBlock;
import io.elastune.provisioner.terraform.TerraformModule;
import io.elastune.provisioner.terraform.TerraformModuleContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class GcpModuleTest extends TerraformModuleContract {
  /** From here Google's Identity-Aware Proxy connects, after it has checked the caller. */
  private static final String IAP = "[\"35.235.240.0/20\"]";

  /** Predefined roles, each of which is bound to one resource. */
  private static final Set<String> PREDEFINED =
      Set.of(
          "\"roles/compute.osLogin\"",
          "\"roles/iam.serviceAccountTokenCreator\"",
          "\"roles/iam.serviceAccountUser\"",
          "\"roles/iap.tunnelResourceAccessor\"",
          "\"roles/run.invoker\"");

  private static final String ON_BUCKET = "google_project_iam_custom_role.checkpoints.id";

  GcpModuleTest() {
    super("gcp", "google");
  }

  @Test
  void rolesAreThoseOfTheDocumentation() throws IOException {
    String docs = Files.readString(TerraformModule.root().resolve("../docs/gcp.md"));
    List<String> roles =
        Pattern.compile("(?s)```yaml\n([^`]*?includedPermissions:.*?)```")
            .matcher(docs)
            .results()
            .map(match -> match.group(1))
            .toList();
    Path policies = TerraformModule.root().resolve("gcp/policies");
    assertThat(roles)
        .containsExactly(
            Files.readString(policies.resolve("run.yaml")),
            Files.readString(policies.resolve("instances.yaml")));

    Matcher condition = Pattern.compile("expression=([^']+)'").matcher(docs);
    assertThat(condition.find()).isTrue();
    assertThat(local("only_nodes").replace("\\\"", "\"")).isEqualTo('"' + condition.group(1) + '"');
  }

  @Test
  void controllerHasAllPermissionsOfTheRoles() {
    assertThat(local("act_as")).isEqualTo("\"iam.serviceAccounts.actAs\"");
    assertThat(local("run_permissions")).contains("run.yaml");
    assertThat(local("instance_permissions")).contains("instances.yaml");
    assertThat(permissions("run")).isEqualTo("setsubtract(local.run_permissions, [local.act_as])");
    assertThat(permissions("instances")).isEqualTo("local.instance_permissions");
    assertThat(resource("google_service_account_iam_member", "node").text("role"))
        .isEqualTo("\"roles/iam.serviceAccountUser\"");
    for (String name : List.of("run", "instances")) {
      HclBlock binding = resource("google_project_iam_member", name);
      assertThat(binding.text("role")).isEqualTo("google_project_iam_custom_role." + name + ".id");
      assertThat(binding.text("member")).isEqualTo("google_service_account.controller.member");
    }
  }

  @Test
  void checkpointsAreReachedByTheirRoleAlone() {
    assertThat(permissions("checkpoints")).contains("policies/checkpoints.yaml");
    assertThat(module.resources("google_storage_bucket_iam_member"))
        .singleElement()
        .satisfies(
            binding -> {
              assertThat(binding.text("role")).isEqualTo(ON_BUCKET);
              assertThat(binding.text("bucket"))
                  .isEqualTo("google_storage_bucket.checkpoints.name");
              assertThat(binding.text("member"))
                  .isEqualTo("google_service_account.controller.member");
            });
  }

  @Test
  void onlyElastuneInstancesCanBeChanged() {
    assertThat(local("delete")).isEqualTo("\"compute.instances.delete\"");
    assertThat(permissions("reaper"))
        .isEqualTo("setsubtract(local.reaper_permissions, [local.delete])");
    assertThat(permissions("reaper_delete")).isEqualTo("[local.delete]");
    for (String name : List.of("instances", "reaper_delete")) {
      HclBlock binding = resource("google_project_iam_member", name);
      assertThat(binding.block("condition").orElseThrow().text("expression"))
          .isEqualTo("local.only_nodes");
    }
  }

  private String permissions(String role) {
    return resource("google_project_iam_custom_role", role).text("permissions");
  }

  private String local(String name) {
    return module
        .blocks("locals")
        .filter(block -> block.arguments().containsKey(name))
        .findFirst()
        .orElseThrow()
        .text(name);
  }

  @Test
  void rolesAreCustomOrBoundToOneResource() {
    assertThat(
            module
                .blocks("resource")
                .filter(block -> block.labels().get(0).endsWith("_iam_member")))
        .isNotEmpty()
        .allSatisfy(
            binding -> {
              boolean project = binding.labels().get(0).equals("google_project_iam_member");
              String role = binding.text("role");
              assertThat(
                      project
                          ? role.startsWith("google_project_iam_custom_role.")
                          : PREDEFINED.contains(role) || role.equals(ON_BUCKET))
                  .as(role)
                  .isTrue();
            });
    assertThat(module.expressions())
        .noneMatch(text -> text.contains("allUsers") || text.contains("allAuthenticatedUsers"));
  }

  /** A user of the controller could otherwise give its metadata a key of root. */
  @Test
  void controllerCannotChangeItself() {
    assertThat(local("only_nodes")).contains("startsWith(\\\"elastune-\\\")");
    assertThat(resource("google_compute_instance", "controller").text("name"))
        .isEqualTo("local.controller_name");
    assertThat(local("controller_name")).isEqualTo("\"controller-${var.name}\"");
    assertThat(
            module
                .resources("google_compute_instance_iam_member")
                .map(binding -> binding.text("role")))
        .containsExactly("\"roles/compute.osLogin\""); // without sudo
  }

  @Test
  void exampleStoresCheckpointsInTheBucket() throws IOException {
    assertThat(local("checkpoint_store"))
        .isEqualTo("\"gs://${google_storage_bucket.checkpoints.name}/checkpoints\"");
    assertThat(Files.readString(module.folder().resolve("files/job.yaml")))
        .contains("checkpoint: {store: ${store}}");
  }

  /** In a new organization, the default account of builds has no role. */
  @Test
  void nothingIsBuilt() {
    assertThat(module.expressions())
        .noneMatch(text -> text.contains("cloudbuild") || text.contains("cloudfunctions"));
    HclBlock template =
        resource("google_cloud_run_v2_service", "reaper").block("template").orElseThrow();
    HclBlock container = template.block("containers").orElseThrow();
    assertThat(container.text("args"))
        .isEqualTo("[\"-c\", file(\"${path.module}/reaper/main.py\")]");
    assertThat(resource("google_cloud_run_v2_service", "reaper").text("deletion_protection"))
        .isEqualTo("false");
  }

  /** Until then, Google refuses the resources of an API that was just enabled. */
  @Test
  void allResourcesWaitForTheApis() {
    assertThat(module.expressions())
        .filteredOn(text -> text.contains("google_project_service.apis"))
        .allMatch(text -> text.startsWith("[\n") || text.startsWith("sort("));
  }

  @Test
  void nothingReachesTheNodesFromOutside() {
    assertThat(module.resources("google_compute_firewall"))
        .hasSize(2)
        .allSatisfy(
            rule -> {
              assertThat(rule.text("direction")).isEqualTo("\"INGRESS\"");
              if (rule.arguments().containsKey("source_ranges")) {
                assertThat(rule.text("source_ranges")).isEqualTo(IAP);
                assertThat(rule.text("target_tags")).isEqualTo("[local.controller_tag]");
                assertThat(rule.block("allow").orElseThrow().text("ports")).isEqualTo("[\"22\"]");
              } else {
                assertThat(rule.text("source_tags")).isEqualTo(rule.text("target_tags"));
              }
            });
  }

  @Test
  void bucketsAreNotPublic() {
    assertThat(module.resources("google_storage_bucket"))
        .hasSize(1)
        .allSatisfy(
            bucket -> {
              assertThat(bucket.text("public_access_prevention")).isEqualTo("\"enforced\"");
              assertThat(bucket.text("uniform_bucket_level_access")).isEqualTo("true");
            });
    assertThat(resource("google_storage_bucket", "checkpoints").blocks("lifecycle_rule"))
        .isNotEmpty();
  }

  @Test
  void controllerRestartsAndIsNotOnSpot() {
    HclBlock controller = resource("google_compute_instance", "controller");
    HclBlock scheduling = controller.block("scheduling").orElseThrow();
    assertThat(scheduling.text("automatic_restart")).isEqualTo("true");
    assertThat(scheduling.text("provisioning_model")).isEqualTo("\"STANDARD\"");
    assertThat(controller.text("metadata"))
        .contains("enable-oslogin         = \"TRUE\"", "block-project-ssh-keys = \"TRUE\"");
    assertThat(module.resources("google_compute_disk_resource_policy_attachment")).hasSize(1);
  }

  private HclBlock resource(String type, String name) {
    return module
        .resources(type)
        .filter(block -> block.labels().get(1).equals(name))
        .findFirst()
        .orElseThrow();
  }
}
