package io.elastune.provisioner.aws.terraform;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.core.properties.Tier;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.aws.fake.FakePolicy;
import io.elastune.provisioner.aws.testing.AwsTestEnvironment;
import io.elastune.provisioner.terraform.TerraformModule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Runs the reaper with its own policy against the fake EC2, and its unit tests against moto. */
class ReaperIT {
  private static final Path FOLDER = TerraformModule.root().resolve("aws/reaper");
  private static final String CALL = "import reaper; reaper.handler({}, None)";
  private final long now = AwsTestEnvironment.TIME.instant().getEpochSecond();
  private static final int MARGIN_S = 600;

  @RegisterExtension private final AwsTestEnvironment world = new AwsTestEnvironment();

  private static FakePolicy policy() throws IOException {
    return FakePolicy.parse(
        Files.readString(TerraformModule.root().resolve("aws/policies/reaper.json")));
  }

  @Test
  void terminatesWhatExpiredWithItsPolicyAlone() throws Exception {
    assumeTrue(isInstalled("boto3"), "skipped: no Python with boto3");
    String expired = add("elastune-run", now - MARGIN_S - 60);
    String renewed = add("elastune-run", now + 900);
    String foreign = add("team", now - 90_000);
    world.fake().allow(policy());

    assertThat(python(CALL)).contains("{\"terminated\": [\"" + expired + "\"], \"failed\": {}}");
    assertThat(world.fake().ec2().stateOf(expired)).isIn("shutting-down", "terminated");
    assertThat(world.fake().ec2().stateOf(renewed)).isEqualTo("running");
    assertThat(world.fake().ec2().stateOf(foreign)).isEqualTo("running");
  }

  @Test
  void policyIsMinimal() throws Exception {
    assumeTrue(isInstalled("boto3"), "skipped: no Python with boto3");
    String expired = add("elastune-run", now - MARGIN_S - 60);
    // Lambda itself writes the log, in a service that the fake does not have.
    Set<String> ofLambda = Set.of("logs:CreateLogStream", "logs:PutLogEvents");
    List<FakePolicy.Line> lines =
        policy().lines().stream().filter(line -> !ofLambda.contains(line.action())).toList();
    assertThat(lines).hasSize(2);
    for (FakePolicy.Line line : lines) {
      world.fake().allow(policy().without(line));
      assertThat(python(CALL)).contains(line.action());
      assertThat(world.fake().ec2().stateOf(expired)).isEqualTo("running");
    }
  }

  @Test
  @Tag(Tier.NIGHTLY)
  void unitTestsPass() throws Exception {
    assumeTrue(isInstalled("moto"), "skipped: no Python with moto");
    assertThat(python("import unittest; unittest.main('test_reaper')")).contains("OK");
  }

  private String add(String tag, long expires) {
    return world
        .fake()
        .ec2()
        .add("g5.xlarge", Map.of(tag, "some", Tags.EXPIRES, Long.toString(expires)));
  }

  private boolean isInstalled(String module) throws Exception {
    try {
      return python("import importlib.util as u; print(u.find_spec('" + module + "'))")
          .contains("ModuleSpec");
    } catch (IOException e) {
      return false;
    }
  }

  private String python(String program) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder("python3", "-c", program)
            .directory(FOLDER.toFile())
            .redirectErrorStream(true);
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("AWS_"));
    environment.put("AWS_ACCESS_KEY_ID", "none");
    environment.put("AWS_SECRET_ACCESS_KEY", "none");
    environment.put("AWS_DEFAULT_REGION", AwsTestEnvironment.REGION);
    if (program.equals(CALL)) {
      environment.put("AWS_ENDPOINT_URL", world.fake().url());
    }
    environment.put("MARGIN_MINUTES", Integer.toString(MARGIN_S / 60));
    environment.put("PYTHONDONTWRITEBYTECODE", "1");
    Process process = builder.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    process.waitFor();
    return output;
  }
}
