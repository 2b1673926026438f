package io.elastune.executor.ray;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.elastune.executor.engine.EngineEvent.Ended;
import io.elastune.provisioner.ObjectStore;
import io.elastune.provisioner.aws.S3StoreProvider;
import io.elastune.provisioner.aws.moto.Moto;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** Tests checkpoints in a bucket of moto's S3, an independent simulation. */
@EnabledOnOs(OS.LINUX)
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class S3StorageIT extends StorageContract {
  private static Moto moto;

  @BeforeAll
  static void startMoto() throws IOException, InterruptedException {
    assumeTrue(
        Moto.isThere(), "python3 -m moto.server is not installed (pip install 'moto[server]')");
    moto = Moto.startWithBucket("ckpts");
  }

  @AfterAll
  static void stopMoto() {
    if (moto != null) {
      moto.close();
    }
  }

  @AfterEach
  void leavesNoUnfinishedUpload() {
    assertThat(bucket().unfinishedUploads("")).isEmpty();
    bucket().list("").forEach(object -> bucket().delete(object.name()));
  }

  private static ObjectStore bucket() {
    return new S3StoreProvider().open("ckpts", InstantSource.system());
  }

  @Override
  String location(int trial) {
    return "s3://ckpts/prefix/run/trial-" + trial;
  }

  @Override
  List<Integer> stored(int trial) {
    String prefix = "prefix/run/trial-" + trial + "/";
    return bucket().list(prefix).stream()
        .map(object -> object.name().substring(prefix.length()).replace(".tar", ""))
        .map(Integer::parseInt)
        .sorted()
        .toList();
  }

  @Test
  void largeCheckpointIsUploadedInParts() throws IOException {
    fail("upload", 2);
    engine.start(spec("7-1-1", 0, 1, BucketStorageIT.SAVE_LARGE, 1));
    assertThat(awaitEnd("7-1-1").checkpoint()).hasValue(1);
    removeNodes();
    engine.start(spec("7-1-2", 1, 2, TRAIN, 1));

    assertThat(awaitEnd("7-1-2").exitCode()).isZero();
  }

  @Test
  void failedUploadIsAborted() {
    fail("upload", 1000);
    engine.start(spec(ATTEMPT, 0, 1, BucketStorageIT.SAVE_LARGE, 1));
    Ended ended = awaitEnd(ATTEMPT);

    assertThat(ended.checkpoint()).isEmpty();
    assertThat(units()).isEmpty();
    assertThat(events.faults(ATTEMPT)).anyMatch(fault -> fault.contains("was not stored"));
  }
}
