package io.elastune.cli.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.checkpoint.CheckpointLocation;
import io.elastune.provisioner.ObjectStore.StoredObject;
import io.elastune.provisioner.ObjectStores;
import io.elastune.provisioner.gcp.fake.FakeStorage;
import io.elastune.provisioner.gcp.testing.TestCredentials;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

@ResourceLock(Resources.SYSTEM_PROPERTIES)
class BucketCheckpointTest {
  private static final String CREDENTIALS = "GOOGLE_APPLICATION_CREDENTIALS";
  private static final String ENDPOINT = "CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE";
  private static final String NAME = "run/trial-7/2.tar";

  @TempDir private Path folder;

  @Test
  void otherArchiveIsFound() throws Exception {
    FakeStorage storage = FakeStorage.start();
    System.setProperty(CREDENTIALS, TestCredentials.write(folder).toString());
    System.setProperty(ENDPOINT, storage.url());
    CheckpointLocation archive = new CheckpointLocation("gs://" + storage.bucket() + "/" + NAME);
    try (storage) {
      storage.objects().put(NAME, "saved".getBytes(StandardCharsets.UTF_8));
      StoredObject saved =
          ObjectStores.open("gs", storage.bucket(), InstantSource.system()).list(NAME).get(0);

      assertThat(BucketCheckpoint.isReplaced(archive, saved.tag())).isFalse();
      storage.objects().put(NAME, "other".getBytes(StandardCharsets.UTF_8));
      assertThat(BucketCheckpoint.isReplaced(archive, saved.tag())).isTrue();
    } finally {
      System.clearProperty(CREDENTIALS);
      System.clearProperty(ENDPOINT);
    }
  }
}
