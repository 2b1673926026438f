package io.elastune.core.config;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.elastune.core.IntRange;
import io.elastune.core.job.Algorithm;
import io.elastune.core.job.Budget;
import io.elastune.core.job.Deadline;
import io.elastune.core.job.Dimension;
import io.elastune.core.job.Job;
import io.elastune.core.job.MarketChoice;
import io.elastune.core.job.ProfilePolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JobFileTest {

  private static Job job(String text) {
    return JobFile.parse("job.yaml", text, Overrides.NONE).orThrow();
  }

  @Test
  void readsEveryField() {
    Job job = job(ExampleJobFile.JOB);
    assertThat(job.name()).isEqualTo("resnet-cifar");
    assertThat(job.deadline()).contains(new Deadline.Within(Duration.ofHours(3)));
    assertThat(job.budget()).contains(new Budget(45, 0.8, Budget.OnReach.STOP));
    assertThat(job.search().algorithm()).isEqualTo(Algorithm.SHA);
    assertThat(job.search().trials()).isEqualTo(64);
    assertThat(job.search().eta()).isEqualTo(4);
    assertThat(job.trial().checkpoints().sizeGb()).isEqualTo(0.5);
    assertThat(job.trial().checkpoints().usdPerGbMonth()).isEqualTo(0.023);
    assertThat(job.search().seed()).isEqualTo(17);
    assertThat(job.search().space().keySet()).containsExactly("lr", "batch", "momentum", "layers");
    assertThat(job.search().space())
        .containsEntry("lr", new Dimension.LogUniform(1e-4, 0.1, Optional.empty()))
        .containsEntry("batch", new Dimension.Choice(List.of(64L, 128L, 256L)))
        .containsEntry("momentum", new Dimension.Uniform(0.5, 0.99, Optional.empty()))
        .containsEntry("layers", new Dimension.Int(1, 8, true, Optional.empty()));
    assertThat(job.trial().setup()).contains("pip install -r requirements.txt");
    assertThat(job.trial().gpus()).isEqualTo(new IntRange(1, 8));
    assertThat(job.trial().checkpoints().store()).contains("s3://bucket/prefix");
    assertThat(job.trial().checkpoints().keep()).isEqualTo(4);
    assertThat(job.trial().maxFailures()).isEqualTo(3);
    assertThat(job.trial().envs()).containsEntry("OMP_NUM_THREADS", "2");
    assertThat(job.trial().secrets()).containsExactly("WANDB_API_KEY");
    assertThat(job.resources().infra())
        .containsExactly("aws/us-east-1", "gcp/us-central1/us-central1-a");
    assertThat(job.resources().market()).isEqualTo(MarketChoice.SPOT);
    assertThat(job.resources().maxHourlyUsd()).hasValue(60);
    assertThat(job.resources().discount()).isEqualTo(0.1);
    assertThat(job.resources().controllerUsdPerHour()).isEqualTo(0.1);
    assertThat(job.profile().file()).contains("profile.yaml");
    assertThat(job.profile().maxUsd()).hasValue(2);
    assertThat(job.deadMan()).isEqualTo(Duration.ofMinutes(10));
    assertThat(job.deadlineMiss()).isEqualTo(Job.DeadlineMiss.STOP);
    assertThat(job.notifications()).hasSize(1);
    assertThat(job.notifications().get(0).on()).containsExactly("started", "finished");
  }

  @Test
  @Timeout(20)
  void longListIsReadInLinearTime() {
    String values = IntStream.range(0, 200_000).mapToObj(i -> "v" + i).collect(joining(", "));
    String space = "{size: {type: choice, values: [" + values + "]}}";

    Job job = job(ExampleJobFile.SMALLEST.replace("{x: {type: uniform, low: 0, high: 1}}", space));

    assertThat(job.search().space()).containsOnlyKeys("size");
  }

  @Test
  void appliesDefaults() {
    Job job = job(ExampleJobFile.SMALLEST);
    assertThat(job.budget()).isEmpty();
    assertThat(job.confidence()).isEqualTo(0.95);
    assertThat(job.search().seed()).isEqualTo(1);
    assertThat(job.search().resource().min()).isEqualTo(1);
    assertThat(job.trial().workdir()).isEqualTo(".");
    assertThat(job.trial().gpus()).isEqualTo(new IntRange(1, 1));
    assertThat(job.trial().maxFailures()).isEqualTo(2);
    assertThat(job.trial().checkpoints().keep()).isEqualTo(2);
    assertThat(job.trial().checkpoints().store()).isEmpty();
    assertThat(job.trial().checkpoints().usdPerHour(64)).isZero();
    assertThat(job.resources().infra()).containsExactly("local");
    assertThat(job.resources().market()).isEqualTo(MarketChoice.ON_DEMAND);
    assertThat(job.resources().maxInstances()).isEqualTo(16);
    assertThat(job.resources().discount()).isZero();
    assertThat(job.resources().controllerUsdPerHour()).isZero();
    assertThat(job.profile()).isEqualTo(ProfilePolicy.DEFAULT);
    assertThat(job.deadMan()).isEqualTo(Duration.ofSeconds(20));
    assertThat(job.deadlineMiss()).isEqualTo(Job.DeadlineMiss.FINISH);
    assertThat(job.notifications()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ckpts", "/ckpts", "file:///mnt/ckpts", "s3://b/p", "gs://b"})
  void readsStores(String store) {
    assertThat(
            job(ExampleJobFile.JOB.replace("s3://bucket/prefix", store))
                .trial()
                .checkpoints()
                .store())
        .contains(store);
  }

  @Test
  void remoteNodesHaveALongerDeadManTimer() {
    Job job = job(ExampleJobFile.SMALLEST + "resources: {infra: [local, aws/us-east-1]}\n");
    assertThat(job.deadMan()).isEqualTo(Duration.ofMinutes(15));
  }

  @Test
  void readsDeadlineAsDateTime() {
    Job job = job(ExampleJobFile.JOB.replace("3h", "2026-11-20T18:00:00+01:00"));
    assertThat(job.deadline()).contains(new Deadline.At(Instant.parse("2026-11-20T17:00:00Z")));
  }

  @ParameterizedTest
  @CsvSource({"1..8, 1, 8", "4, 4, 4", "3..3, 3, 3"})
  void readsRanges(String text, int low, int high) {
    assertThat(job(ExampleJobFile.JOB.replace("1..8", text)).trial().gpus())
        .isEqualTo(new IntRange(low, high));
  }

  @ParameterizedTest
  @CsvSource({"80%, 0.8", "0.8, 0.8", "12.5%, 0.125", "100%, 1", "1, 1", "0, 0", "7 %, 0.07"})
  void readsFractions(String text, double share) {
    assertThat(job(ExampleJobFile.JOB.replace("80%", text)).budget().orElseThrow().warnAt())
        .isEqualTo(share);
  }

  @Test
  void choiceValuesKeepTheirTypes() {
    Job job =
        job(
            ExampleJobFile.JOB.replace(
                "[64, 128, 256]", "[64, 1.0, \"64\", adam, true, 0x10, -1e3, yes]"));
    assertThat(job.search().space())
        .containsEntry(
            "batch",
            new Dimension.Choice(List.of(64L, 1.0, "64", "adam", true, 16L, -1000.0, "yes")));
  }

  @Test
  void computesTrialsOfGridAndHyperband() {
    String grid =
        ExampleJobFile.SMALLEST
            .replace("random", "grid")
            .replace("  trials: 4\n", "")
            .replace("high: 1}", "high: 1, steps: 5}");
    assertThat(job(grid).search().trials()).isEqualTo(5);
    assertThat(job(grid.replace("  algorithm", "  trials: 5\n  algorithm")).search().trials())
        .isEqualTo(5);
    String hyperband =
        ExampleJobFile.SMALLEST
            .replace("random", "hyperband")
            .replace("  trials: 4\n", "  eta: 3\n")
            .replace("max: 10", "max: 81");
    assertThat(job(hyperband).search().trials()).isEqualTo(81 + 34 + 15 + 8 + 5);
  }

  @Test
  void etaDefaultsToThree() {
    assertThat(job(ExampleJobFile.JOB.replace("  eta: 4\n", "")).search().eta()).isEqualTo(3);
  }

  @Test
  void orThrowReportsAllProblems() {
    ParseResult<Job> parseResult =
        JobFile.parse("job.yaml", "name: A\ndeadline: 3\n", Overrides.NONE);
    assertThatExceptionOfType(FileProblemsException.class)
        .isThrownBy(parseResult::orThrow)
        .satisfies(e -> assertThat(e.problems()).isEqualTo(parseResult.problems()))
        .satisfies(e -> assertThat(e.getMessage().lines()).hasSameSizeAs(parseResult.problems()));
  }

  @ParameterizedTest
  @CsvSource({"name, 1", "search, 2", "search.space.lr.low, 4", "search.metric, 2", "trial.run, 0"})
  void findsLineOfFieldOrEnclosingSection(String field, int line) {
    String text = "name: a job\nsearch:\n  space: {lr: {type: uniform,\n    low: 1}}\n";
    assertThat(JobFile.lineOf(text, field)).isEqualTo(line);
  }
}
