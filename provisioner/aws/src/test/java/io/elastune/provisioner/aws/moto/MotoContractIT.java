package io.elastune.provisioner.aws.moto;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.core.properties.Tier;
import io.elastune.provisioner.Cloud;
import io.elastune.provisioner.CloudContract;
import io.elastune.provisioner.CloudEvent;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.NodeSetup;
import io.elastune.provisioner.Tags;
import io.elastune.provisioner.TestWait;
import io.elastune.provisioner.aws.model.Ec2;
import io.elastune.provisioner.aws.sdk.SdkEc2;
import io.elastune.provisioner.aws.testing.AwsTestEnvironment;
import io.elastune.provisioner.aws.testing.ScriptedSetup;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Runs the contract suite against moto, except for what moto does not support: see {@code
 * moto-gaps.md} in the test resources.
 */
@Tag(Tier.NIGHTLY)
class MotoContractIT extends CloudContract {
  private static final List<String> PROPERTIES =
      List.of("aws.endpointUrl", "aws.accessKeyId", "aws.secretAccessKey", "aws.region");
  private static Moto moto;
  private static MotoProxy proxy;

  @BeforeAll
  static void start() throws IOException {
    assumeTrue(
        Moto.isThere(), "python3 -m moto.server is not installed (pip install 'moto[server]')");
    moto = Moto.start();
    proxy = MotoProxy.forContract(moto.url());
    System.setProperty("aws.endpointUrl", proxy.url());
    System.setProperty("aws.accessKeyId", "test");
    System.setProperty("aws.secretAccessKey", "test");
    System.setProperty("aws.region", AwsTestEnvironment.REGION);
    TestWait.until(MotoContractIT::answers, "moto does not answer");
  }

  /** Waits for the first response, which may exceed the timeouts of the contract suite. */
  private static boolean answers() {
    try (Ec2 ec2 = new SdkEc2(AwsTestEnvironment.REGION)) {
      return ec2.listByTag(Tags.RUN).isEmpty();
    } catch (CloudException e) {
      return false;
    }
  }

  /** Resets moto, because tests use the same lease. */
  @BeforeEach
  void forget() throws Exception {
    proxy.forget();
  }

  @AfterAll
  static void stop() {
    if (moto != null) {
      proxy.close();
      moto.close();
    }
    PROPERTIES.forEach(System::clearProperty);
  }

  @Override
  protected Cloud open(Consumer<CloudEvent> consumer) {
    return MotoIT.open(consumer);
  }

  @Override
  protected void advance(Duration time) {
    TestWait.pause(time);
  }

  @Override
  protected String infra() {
    return "aws/us-east-1";
  }

  @Override
  protected NodeSetup setup(String output, int exit) {
    return ScriptedSetup.setup(output, exit);
  }

  @Override
  @Test
  @Disabled("moto has no pending state: its instances run at once")
  protected void pendingInstanceNeverRunsAfterRelease() {
    throw new UnsupportedOperationException("moto-gaps.md");
  }

  @Override
  @Test
  @Disabled("moto has no boot phase: the proxy reports each node ready at once")
  protected void bootingInstanceNeverReadyAfterRelease() {
    throw new UnsupportedOperationException("moto-gaps.md");
  }
}
