package io.elastune.cli.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elastune.core.config.FileProblemsException;
import io.elastune.core.config.JobFile;
import io.elastune.core.config.Overrides;
import io.elastune.core.job.Job;
import io.elastune.executor.engine.Engine;
import io.elastune.executor.engine.EngineEvent;
import io.elastune.executor.engine.EngineProvider;
import io.elastune.inputs.LoadedFile;
import io.elastune.provisioner.RunContext;
import io.elastune.provisioner.gcp.fake.FakeStorage;
import io.elastune.provisioner.gcp.testing.TestCredentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

@ResourceLock(Resources.SYSTEM_PROPERTIES)
class CheckpointStoreCheckTest {
  private static final String CREDENTIALS = "GOOGLE_APPLICATION_CREDENTIALS";
  private static final String ENDPOINT = "CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE";

  /** An engine of which only the abilities are used. */
  private record Abilities(boolean usesBuckets) implements EngineProvider {
    @Override
    public boolean supports(String cloud) {
      return true;
    }

    @Override
    public Engine open(RunContext context, Consumer<EngineEvent> events) {
      throw new AssertionError("a check opens no engine");
    }
  }

  @TempDir private Path folder;
  private FakeStorage storage;

  @BeforeEach
  void start() throws IOException {
    storage = FakeStorage.start();
    System.setProperty(CREDENTIALS, TestCredentials.write(folder).toString());
    System.setProperty(ENDPOINT, storage.url());
  }

  @AfterEach
  void stop() {
    storage.close();
    System.clearProperty(CREDENTIALS);
    System.clearProperty(ENDPOINT);
  }

  private static void check(String store, boolean buckets) {
    String text =
        """
        name: some
        budget: {usd: 10}
        search:
          algorithm: random
          trials: 2
          resource: {unit: epoch, max: 2}
          metric: {name: acc, goal: maximize}
          space: {lr: {type: uniform, low: 0, high: 1}}
        trial:
          run: python train.py
          checkpoint:
            store: "%s"
        resources: {infra: [local]}
        """
            .formatted(store);
    Job job = JobFile.parse("job.yaml", text, Overrides.NONE).orThrow();
    new CheckpointStoreCheck(
            new LoadedFile<>(Path.of("job.yaml"), "job.yaml", text, job),
            new Abilities(buckets),
            InstantSource.system())
        .check(job);
  }

  @Test
  void bucketIsTriedAndLeftEmpty() {
    check("gs://" + storage.bucket() + "/prefix", true);

    assertThat(storage.objects()).isEmpty();
    assertThat(storage.unfinished()).isZero();
  }

  @Test
  void missingBucketIsNamedAtItsField() {
    assertThatThrownBy(() -> check("gs://no-such-bucket", true))
        .isInstanceOf(FileProblemsException.class)
        .hasMessageContaining("job.yaml:12: trial.checkpoint.store: gs://no-such-bucket cannot be")
        .hasMessageContaining("the bucket gs://no-such-bucket does not exist");
  }

  @Test
  void unreachableBucketIsNamedWithItsHostAndRemedy() {
    storage.close();
    assertThatThrownBy(() -> check("gs://" + storage.bucket(), true))
        .isInstanceOf(FileProblemsException.class)
        .hasMessageContaining(
            "job.yaml:12: trial.checkpoint.store: gs://"
                + storage.bucket()
                + " cannot be used: Writing gs://"
                + storage.bucket()
                + "/elastune-check failed: 127.0.0.1 refused the connection; check the address")
        .hasMessageNotContaining("Exception");
  }

  @Test
  void bucketNeedsAnEngineThatUsesIt() {
    assertThatThrownBy(() -> check("s3://bucket/prefix", false))
        .isInstanceOf(FileProblemsException.class)
        .hasMessageContaining("requires the instances of a Ray cluster: use a folder");
  }

  @Test
  void sharedFolderIsWritable() throws IOException {
    check("file://" + folder.resolve("new/shared"), false);
    assertThat(folder.resolve("new/shared")).isEmptyDirectory();
    Files.writeString(folder.resolve("file"), "");

    assertThatThrownBy(() -> check("file://" + folder.resolve("file"), false))
        .isInstanceOf(FileProblemsException.class)
        .hasMessageContaining("this machine cannot write to " + folder.resolve("file"));
  }
}
