package io.elastune.cli.aws;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.provisioner.aws.fake.FakeAws;
import io.elastune.provisioner.aws.moto.Boto3;
import io.elastune.provisioner.aws.moto.Moto;
import io.elastune.provisioner.aws.moto.MotoProxy;
import java.io.IOException;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * An emulation of AWS, with the settings that fit its resources. Tests share one process of moto,
 * because it takes seconds to start.
 */
final class EmulatedAws implements AutoCloseable {
  /** The emulations. */
  enum Backend {
    FAKE,
    MOTO
  }

  private static @Nullable Moto moto;

  private @Nullable FakeAws fake;
  private @Nullable MotoProxy proxy;
  private String url = "";
  private String image = "ami-01";
  private String network = "subnets: {us-east-1a: subnet-0a}, security_groups: [sg-01]";

  void start(Backend backend) throws IOException {
    fake = new FakeAws(InstantSource.system());
    url = fake.url();
    if (backend == Backend.MOTO) {
      if (moto == null) {
        assumeTrue(Moto.isThere(), "moto is not installed (pip install 'moto[server]')");
        moto = Moto.start();
      }
      proxy = MotoProxy.forAccount(moto.url(), fake.url());
      proxy.forget();
      url = proxy.url();
      readNetwork(new Boto3(moto.url()).run("prepare"));
    }
  }

  private void readNetwork(JsonNode prepared) {
    image = prepared.path("image").asString();
    network =
        "subnets: {us-east-1a: %s}, security_groups: [%s]"
            .formatted(
                prepared.at("/subnets/us-east-1a").asString(), prepared.path("group").asString());
  }

  /** Returns the endpoint of all services. */
  String url() {
    return url;
  }

  /** Returns the image of nodes. */
  String image() {
    return image;
  }

  /** Returns {@code clouds.yaml}. */
  String settings() {
    return "aws:\n  us-east-1: {image: %s, %s, instance_profile: elastune-node, disk_gb: 100}\n"
        .formatted(image, network);
  }

  @Override
  public void close() {
    if (proxy != null) {
      proxy.close();
    }
    if (fake != null) {
      fake.close();
    }
  }

  /** Ends the shared moto. */
  static void stop() {
    if (moto != null) {
      moto.close();
      moto = null;
    }
  }
}
