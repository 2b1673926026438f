package io.elastune.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.Spread;
import io.elastune.core.profile.CheckpointMeasurement;
import io.elastune.core.profile.CheckpointMeasurement.Sampled;
import io.elastune.core.profile.MeasuredNumber;
import io.elastune.core.profile.MeasurementOrigin;
import io.elastune.core.profile.Profile;
import io.elastune.core.profile.ProvisioningTimes;
import io.elastune.core.profile.Straggler;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProfileFileTest {
  private static final String TEXT =
      """
      program: resnet50-cifar10
      gpu: V100
      unit: epoch
      measured: {at: 2026-11-20T06:00:00Z, source: run r-17, samples: 40}
      training: [{gpus: 1, seconds: 30.0}, {gpus: 2, seconds: 16.043}]
      sharing: [{trials_per_gpu: 2, seconds: 48.0}]
      startup_s: {mean: 10, cv: 0.2}
      checkpoint_s: {mean: 1.5, cv: 0}
      trial_cv: 0.03
      unit_cv: 0.05
      straggler: {probability: 0.01, slowdown: 3}
      samples: [0.98, 1.02]
      instance_cv: 0.02
      instance_straggler: {probability: 0.1, slowdown: 2}
      provisioning:
        - {offer: local/small/on-demand, queue_s: {mean: 1, cv: 0}, boot_s: {mean: 2, cv: 0.1}, setup_s: {mean: 1.5, cv: 0.1},
           image_s: {mean: 1, cv: 0}, samples: 4}
      checkpoint:
        size_gb: {mean: 0.2, samples: 9}
        store_s: {mean: 1.5, cv: 0.1, samples: 7}
      memory_gb: 3.1
      """;

  @Test
  void readsEveryField() {
    Profile profile = ProfileFile.parse("p", TEXT).orThrow();
    assertThat(profile)
        .isEqualTo(
            Profile.builder(
                    "resnet50-cifar10",
                    "V100",
                    "epoch",
                    new MeasurementOrigin(Instant.parse("2026-11-20T06:00:00Z"), "run r-17", 40),
                    new TreeMap<>(Map.of(1, 30.0, 2, 16.043)))
                .secondsBySharing(new TreeMap<>(Map.of(2, 48.0)))
                .startupS(new Spread(10, 0.2))
                .checkpointS(new Spread(1.5, 0))
                .trialCv(0.03)
                .unitCv(0.05)
                .straggler(new Straggler(0.01, 3))
                .samples(List.of(0.98, 1.02))
                .instanceCv(0.02)
                .instanceStraggler(new Straggler(0.1, 2))
                .provisioning(
                    List.of(
                        new ProvisioningTimes(
                            "local/small/on-demand",
                            new Spread(1, 0),
                            new Spread(2, 0.1),
                            new Spread(1.5, 0.1),
                            new Spread(1, 0),
                            4)))
                .checkpoint(
                    new CheckpointMeasurement(
                        Optional.of(new Sampled(0.2, 0, 9)),
                        Optional.empty(),
                        Optional.of(new Sampled(1.5, 0.1, 7)),
                        Optional.empty()))
                .memoryGb(OptionalDouble.of(3.1))
                .build());
  }

  @Test
  void readsAccuracyOfNumbers() {
    String number =
        "{name: trial_cv, value: 0.03, standard_error: 0.01, low: 0.02, high: 0.06, count: 8}";
    String text = TEXT.replace("samples: 40}", "samples: 40, numbers: [" + number + "]}");

    MeasurementOrigin measured = ProfileFile.parse("p", text).orThrow().measured();
    assertThat(measured.numbers())
        .containsExactly(new MeasuredNumber("trial_cv", 0.03, 0.01, 0.02, 0.06, 8));
    assertThat(measured.number("trial_cv")).isPresent();
    assertThat(measured.number("unit_cv")).isEmpty();
    assertThat(ProfileFile.parse("p", text.replace("high: 0.06", "high: 0.01")).problems())
        .extracting(FileProblem::toString)
        .containsExactly("p:4: measured.numbers[0].high: must be at least low, which is 0.02");
  }

  @Test
  void spreadsAreOptional() {
    String text = TEXT.lines().limit(5).reduce("", (a, b) -> a + b + "\n");
    Profile profile = ProfileFile.parse("p", text).orThrow();
    assertThat(profile.startupS()).isEqualTo(Spread.NONE);
    assertThat(profile.trialCv()).isZero();
    assertThat(profile.straggler()).isEqualTo(Straggler.NONE);
    assertThat(profile.samples()).isEmpty();
    assertThat(profile.instanceCv()).isZero();
    assertThat(profile.instanceStraggler()).isEqualTo(Straggler.NONE);
    assertThat(profile.secondsBySharing()).isEmpty();
    assertThat(profile.memoryGb()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "gpu: V100 | gpu: 100 | 2: gpu: must be a string, not 100 (put it in quotes: \"100\")",
        "at: 2026-11-20T06:00:00Z | at: 2026-11-20 | 4: measured.at: must be a date-time with"
            + " offset, not the string \"2026-11-20\" (did you mean 2026-11-20T18:00:00Z?)",
        "{gpus: 2, | {gpus: 1, | 5: training[1]: 1 is given twice, first on line 5",
        "{gpus: 2, | {gpu: 2, | 5: training[1].gpu: unknown field of training (did you mean gpus?)",
        "seconds: 16.043 | seconds: 0 | 5: training[1].seconds: must be above 0, not 0",
        "trials_per_gpu: 2 | trials_per_gpu: 1 | 6: sharing[0].trials_per_gpu: must be a whole"
            + " number from 2 to 64, not 1",
        "startup_s: {mean: 10, cv: 0.2} | startup_s: 10 | 7: startup_s: must be a map with fields"
            + " (mean, cv), not 10",
        "trial_cv: 0.03 | trial_cv: -0.03 | 9: trial_cv: must be at least 0, not -0.03",
        "slowdown: 3 | slowdown: 0.5 | 11: straggler.slowdown: must be at least 1, not 0.5",
        "0.98, 1.02 | 0.98, 0 | 12: samples[1]: must be above 0, not 0",
        "instance_cv: 0.02 | instance_cv: -1 | 13: instance_cv: must be at least 0, not -1",
        "{probability: 0.1, | {probability: 1.1, | 14: instance_straggler.probability: must be"
            + " from 0 to 1, not 1.1 (did you mean 1.1%?)",
        "samples: 4} | samples: -1} | 17: provisioning[0].samples: must be a whole number of at"
            + " least 0, not -1",
        "memory_gb: 3.1 | memory_gb: 0 | 21: memory_gb: must be above 0, not 0"
      })
  void reportsProblemsOnTheirLines(String part, String replacement, String problem) {
    assertThat(TEXT).contains(part);
    assertThat(ProfileFile.parse("p", TEXT.replace(part, replacement)).problems())
        .extracting(FileProblem::toString)
        .containsExactly("p:" + problem);
  }

  @Test
  void writtenProfilesReadBackEqual() {
    for (int seed = 0; seed < 500; seed++) {
      Profile profile = random(new SplittableRandom(seed));
      String text = ProfileFile.write(profile);
      assertThat(ProfileFile.parse("p", text).orThrow())
          .as("seed %s:%n%s", seed, text)
          .isEqualTo(profile);
    }
  }

  private static Profile random(SplittableRandom random) {
    Map<Integer, Double> training = new TreeMap<>();
    Map<Integer, Double> sharing = new TreeMap<>();
    for (int i = 0; i <= random.nextInt(4); i++) {
      training.put(random.nextInt(1, 64), seconds(random));
      sharing.put(random.nextInt(2, 8), seconds(random));
    }
    boolean plain = random.nextBoolean();
    return Profile.builder(
            plain ? "a" : "true",
            plain ? "V100" : "100",
            "epoch\n#",
            new MeasurementOrigin(
                Instant.ofEpochMilli(random.nextLong(1L << 41)),
                "run: 1",
                random.nextInt(9),
                plain ? Optional.empty() : Optional.of("9f86"),
                plain ? List.of() : List.of(measured("trial_cv", random), measured("x y", random))),
            new TreeMap<>(training))
        .secondsBySharing(plain ? new TreeMap<>() : new TreeMap<>(sharing))
        .startupS(new Spread(seconds(random), random.nextDouble()))
        .memoryGb(plain ? OptionalDouble.empty() : OptionalDouble.of(1 + random.nextDouble()))
        .trialCv(random.nextDouble())
        .unitCv(number(random))
        .straggler(plain ? Straggler.NONE : new Straggler(random.nextDouble(), 1 + number(random)))
        .samples(plain ? List.of() : List.of(number(random), number(random)))
        .instanceCv(plain ? 0 : number(random))
        .instanceStraggler(
            plain ? Straggler.NONE : new Straggler(random.nextDouble(), 1 + number(random)))
        .provisioning(
            plain
                ? List.of()
                : List.of(
                    new ProvisioningTimes("o", new Spread(seconds(random), 0), Spread.NONE, 1)))
        .startupKnown(random.nextBoolean())
        .checkpoint(
            plain
                ? CheckpointMeasurement.NONE
                : new CheckpointMeasurement(
                    Optional.of(new Sampled(random.nextDouble(), random.nextDouble(), 3)),
                    Optional.of(new Sampled(seconds(random), 0, 2)),
                    Optional.empty(),
                    Optional.of(new Sampled(seconds(random), 0.5, 1))))
        .build();
  }

  private static MeasuredNumber measured(String name, SplittableRandom random) {
    double low = number(random);
    return new MeasuredNumber(name, low, number(random), low, 2 * low, random.nextInt(1, 9));
  }

  private static double seconds(SplittableRandom random) {
    return random.nextDouble(0.1, 1) * Math.pow(10, random.nextInt(-5, 8));
  }

  private static double number(SplittableRandom random) {
    return random.nextDouble(0.1, 1) * Math.pow(10, random.nextInt(-5, 3));
  }
}
