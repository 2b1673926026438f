package io.elastune.provisioner.aws.terraform;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.terraform.HclBlock;
import io.elastune.provisioner.terraform.TerraformModule;
import io.elastune.provisioner.terraform.TerraformModuleContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class AwsModuleTest extends TerraformModuleContract {
  /**
   * Permissions on all resources: they only read, or open the channel of a session that another
   * permission has started, and have no narrower form.
   */
  private static final Pattern ON_ALL =
      Pattern.compile(
          "(ec2|pricing|servicequotas):(Describe|Get)[A-Za-z]+|ssmmessages:OpenDataChannel");

  /**
   * Statements that may use any resource of a type, without a condition. To launch with a resource
   * changes nothing about it. Snapshots can be created only of what the tags select.
   */
  private static final Set<String> WITHOUT_CONDITION = Set.of("LaunchWith", "Create");

  AwsModuleTest() {
    super("aws", "aws");
  }

  @Test
  void runPolicyIsThatOfTheDocumentation() throws IOException {
    Path docs = TerraformModule.root().resolve("../docs/aws.md");
    Matcher block = Pattern.compile("(?s)```json\n(.*?)```").matcher(Files.readString(docs));
    assertThat(block.find()).isTrue();
    JsonMapper json = JsonMapper.shared();
    assertThat(json.readTree(Files.readString(policies().resolve("run.json"))))
        .isEqualTo(json.readTree(block.group(1)));
  }

  @Test
  void roleOfNodesReplacesThatOfTheDocumentation() throws IOException {
    String policy =
        module
            .resources("aws_iam_role_policy")
            .filter(named("run"))
            .findFirst()
            .orElseThrow()
            .text("policy");
    Matcher replaced =
        Pattern.compile("(?s)run\\.json\"\\),\\s*\"([^\"]+)\",\\s*aws_iam_role\\.node\\.arn")
            .matcher(policy);
    assertThat(replaced.find()).isTrue();
    assertThat(Files.readString(policies().resolve("run.json")))
        .contains('"' + replaced.group(1) + '"');
  }

  @Test
  void nothingReachesTheNodesFromOutside() {
    assertThat(module.resources("aws_security_group"))
        .hasSize(1)
        .allSatisfy(group -> assertThat(group.blocks()).isEmpty());
    assertThat(module.resources("aws_vpc_security_group_ingress_rule"))
        .singleElement()
        .satisfies(
            rule -> {
              assertThat(rule.arguments())
                  .doesNotContainKeys("cidr_ipv4", "cidr_ipv6", "prefix_list_id");
              assertThat(rule.text("referenced_security_group_id"))
                  .isEqualTo(rule.text("security_group_id"));
            });
    assertThat(module.resources("aws_default_security_group"))
        .singleElement()
        .satisfies(group -> assertThat(group.blocks()).isEmpty());
    assertThat(module.blocks("resource"))
        .noneMatch(
            resource ->
                resource.labels().get(0).matches("aws_security_group_rule|aws_network_acl.*"));
  }

  @Test
  void disksAndBucketAreEncrypted() {
    List<HclBlock> disks =
        module
            .blocks("resource")
            .flatMap(HclBlock::all)
            .filter(block -> Set.of("ebs", "root_block_device").contains(block.type()))
            .toList();
    assertThat(disks)
        .hasSize(2)
        .allSatisfy(disk -> assertThat(disk.text("encrypted")).isEqualTo("true"));
    assertThat(module.resources("aws_s3_bucket_server_side_encryption_configuration")).hasSize(1);
    assertThat(module.resources("aws_s3_bucket_public_access_block"))
        .singleElement()
        .satisfies(
            block ->
                assertThat(block.arguments())
                    .containsAllEntriesOf(
                        Map.of(
                            "block_public_acls",
                            "true",
                            "block_public_policy",
                            "true",
                            "ignore_public_acls",
                            "true",
                            "restrict_public_buckets",
                            "true")));
  }

  /** The archive has no other content than the reviewed file, also not beside its entry. */
  @Test
  void archiveOfTheReaperIsItsSource() throws IOException {
    Path reaper = TerraformModule.root().resolve("aws/reaper");
    byte[] source = Files.readAllBytes(reaper.resolve("reaper.py"));
    try (ZipFile archive = new ZipFile(reaper.resolve("reaper.zip").toFile())) {
      ZipEntry entry = archive.stream().reduce((one, other) -> other).orElseThrow();
      assertThat(archive.size()).isEqualTo(1);
      assertThat(entry.getName()).isEqualTo("reaper.py");
      assertThat(entry.getMethod()).isEqualTo(ZipEntry.STORED);
      assertThat(archive.getInputStream(entry).readAllBytes())
          .as("run scripts/reaper-zip after a change of reaper.py")
          .isEqualTo(source);
    }
    int headers = 30 + 46 + 22 + 2 * "reaper.py".length();
    assertThat(reaper.resolve("reaper.zip")).hasSize(headers + source.length);
    assertThat(module.resources("aws_lambda_function").findFirst().orElseThrow().text("handler"))
        .isEqualTo("\"reaper.handler\"");
  }

  @Test
  void metadataNeedsTokens() {
    assertThat(
            Stream.concat(
                module.resources("aws_instance"), module.resources("aws_launch_template")))
        .hasSize(2)
        .allSatisfy(
            some ->
                assertThat(some.block("metadata_options").orElseThrow().text("http_tokens"))
                    .isEqualTo("\"required\""));
  }

  @Test
  void controllerIsOnDemandAndRecovers() {
    HclBlock controller = module.resources("aws_instance").findFirst().orElseThrow();
    assertThat(controller.block("instance_market_options")).isEmpty();
    assertThat(controller.arguments()).doesNotContainKey("key_name");
    assertThat(controller.block("maintenance_options").orElseThrow().text("auto_recovery"))
        .isEqualTo("\"default\"");
    String tag = controller.block("root_block_device").orElseThrow().text("tags");
    assertThat(tag).contains("elastune-snapshot = var.name");
    assertThat(
            module
                .resources("aws_dlm_lifecycle_policy")
                .findFirst()
                .orElseThrow()
                .block("policy_details")
                .orElseThrow()
                .text("target_tags"))
        .contains("elastune-snapshot = var.name");
  }

  @Test
  void policiesHaveNoOtherWildcards() throws IOException {
    try (Stream<Path> files = Files.list(policies())) {
      for (Path file : files.sorted().toList()) {
        JsonNode policy = JsonMapper.shared().readTree(Files.readString(file));
        assertThat(
                policy
                    .path("Statement")
                    .valueStream()
                    .filter(statement -> statement.path("Effect").asString().equals("Allow")))
            .allSatisfy(AwsModuleTest::assertNarrow);
      }
    }
  }

  private static void assertNarrow(JsonNode statement) {
    String name = statement.path("Sid").asString("");
    List<String> actions = texts(statement.path("Action"));
    assertThat(actions).as(name).isNotEmpty().noneMatch(action -> action.contains("*"));
    for (String resource : texts(statement.path("Resource"))) {
      if (resource.equals("*")) {
        assertThat(actions).as(name).allMatch(ON_ALL.asMatchPredicate());
      } else if (resource.matches("arn:[^:]+:(ec2|ssm):.*/\\*")) {
        assertThat(statement.has("Condition") || WITHOUT_CONDITION.contains(name))
            .as(name + " " + resource)
            .isTrue();
      }
    }
  }

  private static List<String> texts(JsonNode node) {
    return node.isString()
        ? List.of(node.asString())
        : node.valueStream().map(JsonNode::asString).toList();
  }

  private static Predicate<HclBlock> named(String name) {
    return block -> block.labels().get(1).equals(name);
  }

  private static Path policies() {
    return TerraformModule.root().resolve("aws/policies");
  }
}
