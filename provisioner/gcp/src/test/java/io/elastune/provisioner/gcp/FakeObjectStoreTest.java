package io.elastune.provisioner.gcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.provisioner.ObjectStore;
import io.elastune.provisioner.ObjectStoreContract;
import io.elastune.provisioner.gcp.fake.FakeStorage;
import io.elastune.provisioner.gcp.testing.TestCredentials;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests buckets against a fake that verifies every signature. */
class FakeObjectStoreTest extends ObjectStoreContract {
  private static final String CREDENTIALS = "GOOGLE_APPLICATION_CREDENTIALS";
  private static final String ENDPOINT = "CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE";

  @TempDir private Path folder;
  private FakeStorage storage;

  @BeforeEach
  void start() throws IOException {
    storage = FakeStorage.start();
    System.setProperty(CREDENTIALS, TestCredentials.write(folder).toString());
    System.setProperty(ENDPOINT, storage.url() + "/storage/v1/");
  }

  @AfterEach
  void stop() {
    storage.close();
    System.clearProperty(CREDENTIALS);
    System.clearProperty(ENDPOINT);
  }

  @Override
  protected ObjectStore open(String bucket, InstantSource time) {
    return new GcsStoreProvider().open(bucket, time);
  }

  @Override
  protected String bucket() {
    return storage.bucket();
  }

  @Test
  void expiredUrlIsRejected() throws Exception {
    InstantSource earlier = () -> InstantSource.system().instant().minus(Duration.ofHours(1));

    assertThat(put(open(bucket(), earlier).put("a"), new byte[1]).body()).contains("ExpiredToken");
  }
}
