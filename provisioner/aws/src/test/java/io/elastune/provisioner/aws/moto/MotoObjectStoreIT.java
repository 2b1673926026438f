package io.elastune.provisioner.aws.moto;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.provisioner.ObjectStore;
import io.elastune.provisioner.ObjectStoreContract;
import io.elastune.provisioner.aws.S3StoreProvider;
import java.io.IOException;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Tests buckets against moto's S3, which does not verify signatures. */
class MotoObjectStoreIT extends ObjectStoreContract {
  private static Moto moto;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    assumeTrue(
        Moto.isThere(), "python3 -m moto.server is not installed (pip install 'moto[server]')");
    moto = Moto.startWithBucket("ckpts");
  }

  @AfterAll
  static void stop() {
    if (moto != null) {
      moto.close();
    }
  }

  @Override
  protected ObjectStore open(String bucket, InstantSource time) {
    return new S3StoreProvider().open(bucket, time);
  }

  @Override
  protected String bucket() {
    return "ckpts";
  }
}
