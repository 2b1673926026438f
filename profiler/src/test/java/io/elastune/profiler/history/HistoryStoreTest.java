package io.elastune.profiler.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.elastune.core.Spread;
import io.elastune.core.profile.MeasuredNumber;
import io.elastune.core.profile.MeasurementOrigin;
import io.elastune.core.profile.Profile;
import io.elastune.executor.journal.PreparationRow;
import io.elastune.profiler.history.PastPrediction.Figures;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the database of the history. */
class HistoryStoreTest {
  private static final PreparationRow PREPARATION =
      new PreparationRow(
          Optional.of("us-east-1b"),
          OptionalDouble.of(20),
          OptionalDouble.of(12),
          OptionalDouble.of(480.5));

  private static final Instant ENDED = Instant.parse("2026-11-20T14:30:00Z");

  @TempDir Path home;

  private static PastRun past(String run, double actualS) {
    Profile profile =
        Profile.builder(
                "job",
                "V100",
                "epoch",
                new MeasurementOrigin(
                    ENDED,
                    "run " + run,
                    8,
                    Optional.of("abc"),
                    List.of(new MeasuredNumber("training.1", 30, 0.5, 29, 31, 4))),
                new TreeMap<>(Map.of(1, 30.0)))
            .startupS(new Spread(10, 0.1))
            .trialCv(0.03)
            .unitCv(0.05)
            .build();
    return new PastRun(
        run,
        "job",
        "TUNE",
        false,
        ENDED,
        0,
        Optional.of("abc"),
        Optional.of(
            new PastPrediction(
                run,
                "job",
                ENDED,
                false,
                new Figures(101, 100, 120),
                new Figures(2, 2, 3),
                OptionalDouble.of(actualS),
                2.5)),
        List.of(new ProgramEvidence(run, ENDED, Optional.of("abc"), "key", profile)),
        List.of(
            lease("1", 3600, PastLease.End.RELEASED),
            lease("2", 1800, PastLease.End.PREEMPTED),
            lease("3", 0, PastLease.End.REFUSED),
            lease("4", 360, PastLease.End.NOT_READY)),
        List.of(new AttemptCounts("aws/us-east-1/p3/spot", 9, 2, 7200)));
  }

  private static PastLease lease(String lease, double exposureS, PastLease.End end) {
    boolean ran = end != PastLease.End.REFUSED;
    return new PastLease(
        lease,
        "aws/us-east-1/p3/spot",
        "aws/us-east-1",
        "p3",
        "spot",
        "setup",
        Instant.parse("2026-11-20T09:15:00Z"),
        ran ? OptionalDouble.of(15) : OptionalDouble.empty(),
        ran && end != PastLease.End.NOT_READY ? OptionalDouble.of(60) : OptionalDouble.empty(),
        ran ? PREPARATION : PreparationRow.UNKNOWN,
        exposureS,
        end);
  }

  @Test
  void returnsWhatWasStored() {
    try (HistoryStore store = HistoryStore.open(home)) {
      store.put(past("r-1", 110));
    }
    try (HistoryStore store = HistoryStore.open(home)) {
      assertThat(store.runs()).containsExactly("r-1");
      assertThat(store.predictions()).isEqualTo(past("r-1", 110).prediction().stream().toList());
      assertThat(store.evidence("key")).isEqualTo(past("r-1", 110).evidence());
      assertThat(store.evidence("other")).isEmpty();
      assertThat(store.provisioning())
          .hasSize(3)
          .filteredOn(row -> row.bootS().isPresent())
          .hasSize(2)
          .allMatch(
              row ->
                  row.hour() == 9
                      && row.bootS().equals(OptionalDouble.of(60))
                      && row.preparation().equals(PREPARATION)
                      && row.isIn("aws/us-east-1/us-east-1b")
                      && row.isIn("aws/us-east-1")
                      && !row.isIn("aws/us-east-1/us-east-1a"));
      assertThat(store.copySpeeds())
          .hasSize(3)
          .containsOnly(new CopySpeed("aws/us-east-1/p3/spot", 480.5));
      assertThat(store.exposures())
          .containsExactly(
              new FaultExposure(
                  "aws/us-east-1/p3/spot",
                  "aws/us-east-1",
                  "spot",
                  3,
                  1.6,
                  1,
                  0,
                  2,
                  1,
                  1,
                  2,
                  9,
                  2));
      assertThat(store.attempts("job"))
          .containsExactly(new AttemptCounts("aws/us-east-1/p3/spot", 9, 2, 7200));
      assertThat(store.attempts("other")).isEmpty();
    }
  }

  @Test
  void storingRunTwiceReplacesIt() {
    try (HistoryStore store = HistoryStore.open(home)) {
      store.put(past("r-1", 110));
      store.put(past("r-1", 130));
      assertThat(store.predictions())
          .extracting(PastPrediction::actualS)
          .containsExactly(OptionalDouble.of(130));
      assertThat(store.exposures().get(0).leases()).isEqualTo(3);
    }
  }

  @Test
  void simulatedRunsAreNoExposure() {
    PastRun real = past("r-1", 110);
    try (HistoryStore store = HistoryStore.open(home)) {
      store.put(
          new PastRun(
              "r-1",
              "job",
              "TUNE",
              true,
              ENDED,
              0,
              Optional.empty(),
              real.prediction(),
              real.evidence(),
              real.leases(),
              real.attempts()));
      assertThat(store.exposures()).isEmpty();
      assertThat(store.predictions()).allMatch(PastPrediction::simulated);
    }
  }

  /** Several controllers end at the same time, and the first of them creates the file. */
  @Test
  void severalWritersLoseNothing() {
    List<CompletableFuture<Void>> writers =
        IntStream.range(0, 8)
            .mapToObj(
                i ->
                    CompletableFuture.runAsync(
                        () -> {
                          try (HistoryStore store = HistoryStore.open(home)) {
                            store.put(past("r-" + i, 100 + i));
                          }
                        }))
            .toList();
    writers.forEach(CompletableFuture::join);
    try (HistoryStore store = HistoryStore.open(home)) {
      assertThat(store.runs()).hasSize(8);
    }
  }

  @Test
  void otherFileIsDamaged() throws Exception {
    Files.writeString(HistoryStore.file(home), "not a database, but long enough. ".repeat(100));
    assertThatThrownBy(() -> HistoryStore.open(home))
        .isInstanceOfSatisfying(HistoryException.class, e -> assertThat(e.isDamaged()).isTrue());
  }
}
