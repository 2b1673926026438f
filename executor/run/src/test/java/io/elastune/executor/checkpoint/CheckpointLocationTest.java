package io.elastune.executor.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class CheckpointLocationTest {
  private static final CheckpointLocation FOLDER = new CheckpointLocation("/data/my run");
  private static final CheckpointLocation SHARED = new CheckpointLocation("file:///mnt/ckpts/run");
  private static final CheckpointLocation BUCKET = new CheckpointLocation("s3://b.x/some/p");

  @Test
  void checkpointIsAFolderOrAnArchive() {
    assertThat(FOLDER.checkpoint(7, 4)).isEqualTo("/data/my run/trial-7/4");
    assertThat(SHARED.checkpoint(7, 4)).isEqualTo("/mnt/ckpts/run/trial-7/4");
    assertThat(BUCKET.checkpoint(7, 4)).isEqualTo("s3://b.x/some/p/trial-7/4.tar");
  }

  @Test
  void onlyBucketHasNoFolder() {
    assertThat(FOLDER.folder()).contains(Path.of("/data/my run"));
    assertThat(SHARED.folder()).contains(Path.of("/mnt/ckpts/run"));
    assertThat(BUCKET.folder()).isEmpty();
    assertThatThrownBy(BUCKET::absoluteFolder).hasMessageContaining("s3://b.x/some/p");
  }

  @Test
  void urlOfABucketIsDivided() {
    assertThat(BUCKET.scheme()).isEqualTo("s3");
    assertThat(BUCKET.bucket()).isEqualTo("b.x");
    assertThat(BUCKET.resolve("trial-7").name()).isEqualTo("some/p/trial-7");
    assertThat(new CheckpointLocation("gs://bucket").resolve("run").name()).isEqualTo("run");
    assertThat(new CheckpointLocation("gs://bucket/").resolve("run").text())
        .isEqualTo("gs://bucket/run");
  }
}
